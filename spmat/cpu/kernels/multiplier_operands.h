/* Does a multiplier use the value of its first operand (of A), of its second one (of x or B)? */
#ifndef GRID_MULTIPLIER_OPERANDS_H
#define GRID_MULTIPLIER_OPERANDS_H
#define USES_A_TIMES  1
#define USES_X_TIMES  1
#define USES_A_PLUS   1
#define USES_X_PLUS   1
#define USES_A_MIN    1
#define USES_X_MIN    1
#define USES_A_MAX    1
#define USES_X_MAX    1
#define USES_A_LOR    1
#define USES_X_LOR    1
#define USES_A_LAND   1
#define USES_X_LAND   1
#define USES_A_FIRST  1
#define USES_X_FIRST  0
#define USES_A_SECOND 0
#define USES_X_SECOND 1
#define USES_A_ONEB   0
#define USES_X_ONEB   0
#endif
