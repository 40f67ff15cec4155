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

// func averageAVX(v *lane, up *[6]uint32, n int)
TEXT ·averageAVX(SB), NOSPLIT, $0-24
	MOVQ         v+0(FP), DI
	MOVQ         up+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSD sixth<>(SB), Y15
	LEAQ         (CX)(CX*2), AX
	LEAQ         (SI)(AX*8), SI
	MOVQ         CX, DX
	SHLQ         $6, DX
	ADDQ         DI, DX

keep:
	SUBQ    $24, SI
	SUBQ    $64, DX
	MOVL    0(SI), R8
	MOVL    4(SI), R9
	MOVL    8(SI), R10
	MOVL    12(SI), R11
	MOVL    16(SI), R12
	MOVL    20(SI), R13
	SHLQ    $6, R8
	SHLQ    $6, R9
	SHLQ    $6, R10
	SHLQ    $6, R11
	SHLQ    $6, R12
	SHLQ    $6, R13
	VMOVUPD (DI)(R8*1), Y0
	VMOVUPD 32(DI)(R8*1), Y1
	VMOVUPD (DI)(R10*1), Y2
	VMOVUPD 32(DI)(R10*1), Y3
	VMOVUPD (DI)(R12*1), Y4
	VMOVUPD 32(DI)(R12*1), Y5
	VADDPD  (DI)(R9*1), Y0, Y0
	VADDPD  32(DI)(R9*1), Y1, Y1
	VADDPD  (DI)(R11*1), Y2, Y2
	VADDPD  32(DI)(R11*1), Y3, Y3
	VADDPD  (DI)(R13*1), Y4, Y4
	VADDPD  32(DI)(R13*1), Y5, Y5
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

// func chooseAVX(to, itself, best *lane, down *uint32, n int)
TEXT ·chooseAVX(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DX
	MOVQ itself+8(FP), SI
	MOVQ best+16(FP), DI
	MOVQ down+24(FP), BX
	MOVQ n+32(FP), CX

keep:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	MOVL    (BX), AX
	ADDQ    $4, BX
	TESTL   AX, AX
	JZ      chosen

less:
	MOVL   (BX), R8
	SHLQ   $6, R8
	VMAXPD (DI)(R8*1), Y0, Y0
	VMAXPD 32(DI)(R8*1), Y1, Y1
	ADDQ   $4, BX
	DECL   AX
	JNZ    less

chosen:
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	ADDQ    $64, DX
	ADDQ    $64, SI
	DECQ    CX
	JNZ     keep
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

// func raiseShownAVX(ends *lane, shown *uint8, n int, worth *lane)
TEXT ·raiseShownAVX(SB), NOSPLIT, $0-32
	MOVQ ends+0(FP), DI
	MOVQ shown+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ worth+24(FP), BX

throw:
	MOVBQZX (SI), R8
	ANDQ    $7, R8
	SHLQ    $6, R8
	VMOVUPD (BX)(R8*1), Y0
	VMOVUPD 32(BX)(R8*1), Y1
	VMAXPD  (DI), Y0, Y0
	VMAXPD  32(DI), Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	INCQ    SI
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
