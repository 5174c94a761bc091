/* What the tables and the functions speak of. */
#include <setjmp.h>
#include <string.h>

enum { WIN = 1, DRAW, GAP, CONFLICT, NOT_MODELLED, FAULT, BOUND, OVER };
enum { W_SET, W_ADD, W_UNION, W_WITHOUT, W_PUT, W_SHUFFLE, W_RENEW, W_INSERT, W_REMOVE, W_CLEAR, W_FREE };
enum { STOPPED, GO_ON };

struct box { int head, capacity, is_pool, width; const int *columns; const V *blanks; };
struct rule { int arity, locals; const V *fresh; int objects; const int *object_locals; };
struct running { struct running *up; int fn; V *f; };
struct frame { int fn, pc; V f[LOCALS]; };
struct write { int kind, at, top, clauses; V value; V entry[COLUMNS]; };
struct event { int fn; V a[ARITY]; };

void model_error(const char *why);
