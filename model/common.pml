/* What the models share: sizes, how a thread waits, and a fold that tells every order apart.
 *
 * WAIT(condition): a process that cannot move yet. With SPINNING it looks again and again, as the
 * code does; the search for endless runs (under weak fairness: who can move, will) uses that. The
 * search for wrong states lets it block, which leaves the same states and far fewer steps.
 */
#ifdef SPINNING
#define WAIT(condition) do :: (condition) -> break :: else -> skip od; skip
#else
#define WAIT(condition) (condition)
#endif

/* The aggregate of a tile is a digit of its own in each of three consecutive launches, and a fold
 * is the number that its digits make: it is right only if every tile is in it, once, in order, with
 * the value of this launch. */
#define AGGREGATE(tile) (1 + (tile) + 4 * (launch % 3))
#define FOLD(before, aggregate) ((before) * 16 + (aggregate))
#define NO_RESULT 15

/* The fold that is right before `tile`. */
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
