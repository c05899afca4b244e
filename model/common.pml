/* What the models share: how a process waits, and a fold that differs for every order.
 *
 * WAIT(condition): the process cannot move until the condition holds. With SPINNING it looks
 * again and again, as the code does; the search for endless runs uses that (under weak fairness:
 * a process that can move will move). In the search for wrong states it blocks instead, which
 * leaves the same states and needs far fewer steps.
 */
#ifdef SPINNING
#define WAIT(condition) do :: (condition) -> break :: else -> skip od; skip
#else
#define WAIT(condition) (condition)
#endif

/* The aggregate of a tile is a digit, which differs for each tile and in each of three
 * consecutive launches. A fold is the number that its digits form. So it is right only if it
 * contains every tile once, in order, with the value of this launch. */
#define AGGREGATE(tile) (1 + (tile) + 4 * (launch % 3))
#define FOLD(before, aggregate) ((before) * 16 + (aggregate))
#define NO_RESULT 15

/* Sets `right` to the right fold of the tiles before `tile`. */
inline find_right(tile) {
    atomic {
        right = 0;
        k = 0;
        do
        :: k < tile -> right = FOLD(right, AGGREGATE(k)); k++
        :: else -> break
        od;
        k = 0
    }
}
