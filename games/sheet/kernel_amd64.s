#include "textflag.h"

// The arithmetic of perfect play with vectors of four numbers, two for the lanes of a value. Each function does the
// same as the function in lattice.go with Plain for AVX in its name, in the same order, so that both give equal bits.

// One sixth, by which averagePlain multiplies.
DATA sixth<>+0(SB)/8, $0x3fc5555555555555
GLOBL sixth<>(SB), RODATA, $8

// func hasAVX2() bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	MOVL $0, AX
	CPUID
	CMPL AX, $7
	JL   no
	MOVL $1, AX
	MOVL $0, CX
	CPUID
	ANDL $0x18000000, CX // AVX, and the operating system keeps its registers
	CMPL CX, $0x18000000
	JNE  no
	MOVL $0, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	MOVL $0, CX
	CPUID
	ANDL $0x20, BX
	JZ   no
	MOVB $1, ret+0(FP)
no:
	RET

// func averageAVX(v []lane, up [][6]uint16)
TEXT ·averageAVX(SB), NOSPLIT, $0-48
	MOVQ         v_base+0(FP), DI
	MOVQ         up_base+24(FP), SI
	MOVQ         up_len+32(FP), CX
	VBROADCASTSD sixth<>(SB), Y15
	LEAQ         (CX)(CX*2), AX
	LEAQ         (SI)(AX*4), SI
	MOVQ         CX, DX
	SHLQ         $6, DX
	ADDQ         DI, DX

keep:
	SUBQ    $12, SI
	SUBQ    $64, DX
	MOVWLZX 0(SI), R8
	MOVWLZX 2(SI), R9
	MOVWLZX 4(SI), R10
	MOVWLZX 6(SI), R11
	MOVWLZX 8(SI), R12
	MOVWLZX 10(SI), R13
	VMOVUPD (DI)(R8*8), Y0
	VMOVUPD 32(DI)(R8*8), Y1
	VMOVUPD (DI)(R10*8), Y2
	VMOVUPD 32(DI)(R10*8), Y3
	VMOVUPD (DI)(R12*8), Y4
	VMOVUPD 32(DI)(R12*8), Y5
	VADDPD  (DI)(R9*8), Y0, Y0
	VADDPD  32(DI)(R9*8), Y1, Y1
	VADDPD  (DI)(R11*8), Y2, Y2
	VADDPD  32(DI)(R11*8), Y3, Y3
	VADDPD  (DI)(R13*8), Y4, Y4
	VADDPD  32(DI)(R13*8), Y5, Y5
	VADDPD  Y2, Y0, Y0
	VADDPD  Y3, Y1, Y1
	VADDPD  Y4, Y0, Y0
	VADDPD  Y5, Y1, Y1
	VMULPD  Y15, Y0, Y0
	VMULPD  Y15, Y1, Y1
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	DECQ    CX
	JNZ     keep
	VZEROUPPER
	RET

// LESS sets a keep's value to the maximum of it and the value of the keep's k-th keep with one die less.
#define LESS(k) \
	MOVWLZX (k*2)(BX), R8          \
	VMAXPD  (DI)(R8*8), Y0, Y0     \
	VMAXPD  32(DI)(R8*8), Y1, Y1

// FROM loads the value of a keep, TO stores it; n is the number of its keeps with one die less.
#define FROM \
	VMOVUPD (SI)(CX*1), Y0   \
	VMOVUPD 32(SI)(CX*1), Y1

#define TO(n) \
	VMOVUPD Y0, (DX)(CX*1)     \
	VMOVUPD Y1, 32(DX)(CX*1)   \
	ADDQ    $(n*2), BX   \
	ADDQ    $64, CX

// func chooseAVX(to, itself, best []lane, down []uint16)
TEXT ·chooseAVX(SB), NOSPLIT, $0-96
	MOVQ to_base+0(FP), DX
	MOVQ itself_base+24(FP), SI
	MOVQ best_base+48(FP), DI
	MOVQ down_base+72(FP), BX
	MOVQ down_len+80(FP), R9
	LEAQ (BX)(R9*2), R9

// A run is a list of keeps that have equally many keeps with one die less.
run:
	CMPQ BX, R9
	JAE  done
	MOVWLZX (BX), CX
	SHLQ $6, CX
	ADDQ CX, SI
	ADDQ CX, DX
	NEGQ CX
	MOVWLZX 2(BX), AX
	ADDQ $4, BX
	CMPL AX, $1
	JEQ  one
	CMPL AX, $2
	JEQ  two
	CMPL AX, $3
	JEQ  three
	CMPL AX, $4
	JEQ  four
	CMPL AX, $5
	JEQ  five
	CMPL AX, $6
	JEQ  six

none:
	FROM
	TO(0)
	JNZ  none
	JMP  run

one:
	FROM
	LESS(0)
	TO(1)
	JNZ  one
	JMP  run

two:
	FROM
	LESS(0)
	LESS(1)
	TO(2)
	JNZ  two
	JMP  run

three:
	FROM
	LESS(0)
	LESS(1)
	LESS(2)
	TO(3)
	JNZ  three
	JMP  run

four:
	FROM
	LESS(0)
	LESS(1)
	LESS(2)
	LESS(3)
	TO(4)
	JNZ  four
	JMP  run

five:
	FROM
	LESS(0)
	LESS(1)
	LESS(2)
	LESS(3)
	LESS(4)
	TO(5)
	JNZ  five
	JMP  run

six:
	FROM
	LESS(0)
	LESS(1)
	LESS(2)
	LESS(3)
	LESS(4)
	LESS(5)
	TO(6)
	JNZ  six
	JMP  run

done:
	VZEROUPPER
	RET

// func raiseAVX(ends []lane, gives []scored, rest *lane)
TEXT ·raiseAVX(SB), NOSPLIT, $0-56
	MOVQ    ends_base+0(FP), DI
	MOVQ    gives_base+24(FP), SI
	MOVQ    gives_len+32(FP), CX
	MOVQ    rest+48(FP), AX
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	TESTQ   CX, CX
	JZ      done

throw:
	MOVL         (SI), R8
	SHLQ         $6, R8
	VBROADCASTSD 8(SI), Y2
	VADDPD       Y0, Y2, Y3
	VADDPD       Y1, Y2, Y4
	VMAXPD       (DI)(R8*1), Y3, Y3
	VMAXPD       32(DI)(R8*1), Y4, Y4
	VMOVUPD      Y3, (DI)(R8*1)
	VMOVUPD      Y4, 32(DI)(R8*1)
	ADDQ         $16, SI
	DECQ         CX
	JNZ          throw

done:
	VZEROUPPER
	RET

// func bestOfThreeAVX(to []lane, shown [][3]uint8, rows *[3]*[8]lane, least *lane)
TEXT ·bestOfThreeAVX(SB), NOSPLIT, $0-64
	MOVQ to_base+0(FP), DI
	MOVQ shown_base+24(FP), SI
	MOVQ shown_len+32(FP), CX
	MOVQ rows+48(FP), R11
	MOVQ (R11), AX
	MOVQ 8(R11), BX
	MOVQ 16(R11), DX
	MOVQ least+56(FP), R12
	VMOVUPD (R12), Y2
	VMOVUPD 32(R12), Y3

shown:
	MOVBQZX (SI), R8
	MOVBQZX 1(SI), R9
	MOVBQZX 2(SI), R10
	VMAXPD  (AX)(R8*8), Y2, Y0
	VMAXPD  32(AX)(R8*8), Y3, Y1
	VMAXPD  (BX)(R9*8), Y0, Y0
	VMAXPD  32(BX)(R9*8), Y1, Y1
	VMAXPD  (DX)(R10*8), Y0, Y0
	VMAXPD  32(DX)(R10*8), Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ    $3, SI
	ADDQ    $64, DI
	DECQ    CX
	JNZ     shown
	VZEROUPPER
	RET

// func bestOfBothAVX(to []lane, halves [][2]uint16, first, last []lane)
TEXT ·bestOfBothAVX(SB), NOSPLIT, $0-96
	MOVQ to_base+0(FP), DI
	MOVQ halves_base+24(FP), SI
	MOVQ halves_len+32(FP), CX
	MOVQ first_base+48(FP), AX
	MOVQ last_base+72(FP), BX

throw:
	MOVWLZX (SI), R8
	MOVWLZX 2(SI), R9
	VMOVUPD (AX)(R8*8), Y0
	VMOVUPD 32(AX)(R8*8), Y1
	VMAXPD  (BX)(R9*8), Y0, Y0
	VMAXPD  32(BX)(R9*8), Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ    $4, SI
	ADDQ    $64, DI
	DECQ    CX
	JNZ     throw
	VZEROUPPER
	RET

// func expectAVX(sum *lane, chance []float64, v []lane)
TEXT ·expectAVX(SB), NOSPLIT, $0-56
	MOVQ   sum+0(FP), BX
	MOVQ   chance_base+8(FP), SI
	MOVQ   chance_len+16(FP), CX
	MOVQ   v_base+32(FP), DI
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1

throw:
	VBROADCASTSD (SI), Y2
	VMULPD       (DI), Y2, Y3
	VMULPD       32(DI), Y2, Y4
	VADDPD       Y3, Y0, Y0
	VADDPD       Y4, Y1, Y1
	ADDQ         $8, SI
	ADDQ         $64, DI
	DECQ         CX
	JNZ          throw
	VMOVUPD      Y0, (BX)
	VMOVUPD      Y1, 32(BX)
	VZEROUPPER
	RET
