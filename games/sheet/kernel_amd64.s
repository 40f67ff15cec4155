#include "textflag.h"

// The arithmetic of perfect play with vectors of four numbers, two for the lanes of a value. Each function does what its
// twin in kernel.go does, in the same order, so that both give the same bits.

// One sixth, as the twin multiplies by it.
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

// func averageAVX(v *lane, up *[6]uint16, n int)
TEXT ·averageAVX(SB), NOSPLIT, $0-24
	MOVQ         v+0(FP), DI
	MOVQ         up+8(FP), SI
	MOVQ         n+16(FP), CX
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

// LESS takes the better of a keep's value and that of its k-th with one die less.
#define LESS(k) \
	MOVWLZX (k*2)(BX), R8          \
	VMAXPD  (DI)(R8*8), Y0, Y0     \
	VMAXPD  32(DI)(R8*8), Y1, Y1

// FROM and TO begin and end a keep of which n have one die less.
#define FROM \
	VMOVUPD (SI)(CX*1), Y0   \
	VMOVUPD 32(SI)(CX*1), Y1

#define TO(n) \
	VMOVUPD Y0, (DX)(CX*1)     \
	VMOVUPD Y1, 32(DX)(CX*1)   \
	ADDQ    $(n*2), BX   \
	ADDQ    $64, CX

// AHEAD and BOTH go on to where a run begins: in what is read, and in what is filled as well.
#define AHEAD ADDQ CX, SI

#define BOTH    \
	ADDQ CX, SI \
	ADDQ CX, DX

// RUNS goes through all runs of keeps that have equally many with one die less: ON goes on to where a run begins, and
// END ends a keep.
#define RUNS(ON, END) \
run:                  \
	CMPQ BX, R9       \
	JAE  done         \
	MOVWLZX (BX), CX  \
	SHLQ $6, CX       \
	ON                \
	NEGQ CX           \
	MOVWLZX 2(BX), AX \
	ADDQ $4, BX       \
	CMPL AX, $1       \
	JEQ  one          \
	CMPL AX, $2       \
	JEQ  two          \
	CMPL AX, $3       \
	JEQ  three        \
	CMPL AX, $4       \
	JEQ  four         \
	CMPL AX, $5       \
	JEQ  five         \
	CMPL AX, $6       \
	JEQ  six          \
none:                 \
	FROM              \
	END(0)            \
	JNZ  none         \
	JMP  run          \
one:                  \
	FROM              \
	LESS(0)           \
	END(1)            \
	JNZ  one          \
	JMP  run          \
two:                  \
	FROM              \
	LESS(0)           \
	LESS(1)           \
	END(2)            \
	JNZ  two          \
	JMP  run          \
three:                \
	FROM              \
	LESS(0)           \
	LESS(1)           \
	LESS(2)           \
	END(3)            \
	JNZ  three        \
	JMP  run          \
four:                 \
	FROM              \
	LESS(0)           \
	LESS(1)           \
	LESS(2)           \
	LESS(3)           \
	END(4)            \
	JNZ  four         \
	JMP  run          \
five:                 \
	FROM              \
	LESS(0)           \
	LESS(1)           \
	LESS(2)           \
	LESS(3)           \
	LESS(4)           \
	END(5)            \
	JNZ  five         \
	JMP  run          \
six:                  \
	FROM              \
	LESS(0)           \
	LESS(1)           \
	LESS(2)           \
	LESS(3)           \
	LESS(4)           \
	LESS(5)           \
	END(6)            \
	JNZ  six          \
	JMP  run

// func chooseAVX(to, itself, best *lane, down *uint16, n int)
TEXT ·chooseAVX(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DX
	MOVQ itself+8(FP), SI
	MOVQ best+16(FP), DI
	MOVQ down+24(FP), BX
	MOVQ n+32(FP), R9
	LEAQ (BX)(R9*2), R9

	RUNS(BOTH, TO)

done:
	VZEROUPPER
	RET

// func raiseAVX(ends *lane, gives *scored, n int, rest *lane)
TEXT ·raiseAVX(SB), NOSPLIT, $0-32
	MOVQ    ends+0(FP), DI
	MOVQ    gives+8(FP), SI
	MOVQ    n+16(FP), CX
	MOVQ    rest+24(FP), AX
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1

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
	VZEROUPPER
	RET

// func bestOfThreeAVX(to *lane, shown *[3]uint8, n int, rows *[3]*[8]lane, least *lane)
TEXT ·bestOfThreeAVX(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ shown+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ rows+24(FP), R11
	MOVQ (R11), AX
	MOVQ 8(R11), BX
	MOVQ 16(R11), DX
	MOVQ least+32(FP), R12
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

// func bestOfBothAVX(to *lane, halves *[2]uint16, n int, first, last *lane)
TEXT ·bestOfBothAVX(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ halves+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ first+24(FP), AX
	MOVQ last+32(FP), BX

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

// func expectAVX(chance *float64, v *lane, n int, sum *lane)
TEXT ·expectAVX(SB), NOSPLIT, $0-32
	MOVQ   chance+0(FP), SI
	MOVQ   v+8(FP), DI
	MOVQ   n+16(FP), CX
	MOVQ   sum+24(FP), BX
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

// SUM ends a keep of which n have one die less: it is added by its chance.
#define SUM(n) \
	VBROADCASTSD (DX), Y4         \
	VMULPD       Y4, Y0, Y0       \
	VMULPD       Y4, Y1, Y1       \
	VADDPD       Y0, Y2, Y2       \
	VADDPD       Y1, Y3, Y3       \
	ADDQ         $(n*2), BX       \
	ADDQ         $8, DX           \
	ADDQ         $64, CX

// func expectBestAVX(chance *float64, itself, best *lane, down *uint16, n int, sum *lane)
TEXT ·expectBestAVX(SB), NOSPLIT, $0-48
	MOVQ   chance+0(FP), DX
	MOVQ   itself+8(FP), SI
	MOVQ   best+16(FP), DI
	MOVQ   down+24(FP), BX
	MOVQ   n+32(FP), R9
	LEAQ   (BX)(R9*2), R9
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3

	RUNS(AHEAD, SUM)

done:
	MOVQ    sum+40(FP), R8
	VMOVUPD Y2, (R8)
	VMOVUPD Y3, 32(R8)
	VZEROUPPER
	RET
