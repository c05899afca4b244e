/* The GPU's driver for small arrays (detail/device/light.hpp): block t has tile t, blocks start
 * in any order, and a block that has waited long for a tile publishes for it. In place: results
 * overwrite items.
 *
 * A launch has BLOCKS blocks, of which SLOTS run at once. Blocks beyond the launch's tiles only
 * say that they know the epoch. A tile has two items, because a helper may read one item before
 * the owner overwrites it, and the other after. A block helps whenever it finds a word missing;
 * a block that waits first is the same as one that looks later.
 *
 * A comment at each flag says what the flag breaks; protocol.py has the list.
 */
#include "sizes.pml"
#include "common.pml"

#define LAP 8 /* instead of 2^32 */
byte counter = LAP; /* epoch 1 */
#define AT_START_OF(epoch) (counter == epoch * LAP)
inline start_epoch(next) { counter = next * LAP }

byte first_item[TILES];
byte second_item[TILES];
inline set_item(tile, value) { first_item[tile] = value; second_item[tile] = value }

#include "gpu.pml"

#ifdef ADVANCED_BY_FIRST /* block 0 begins the next epoch as soon as it knows this one */
#define SHARE (mine == 0 -> LAP : 0)
#else
#ifdef EPOCH_STAYS
#define SHARE 1
#else
#define SHARE (mine == 0 -> LAP - (BLOCKS - 1) : 1)
#endif
#endif

inline read_epoch() {
    epoch = counter / LAP;
    assert(epoch == EPOCH_OF_LAUNCH);
    if
    :: epoch != LAST_EPOCH -> counter = counter + SHARE
    :: else
    fi
}

/* The aggregate of two items: it is wrong if either has been overwritten. */
inline reduce(tile) {
    aggregate = first_item[tile];
    aggregate = (second_item[tile] == aggregate -> aggregate : NO_RESULT)
}

inline store() {
    first_item[mine] = NO_RESULT;
    second_item[mine] = NO_RESULT
}

/* Publishes for a tile whose block has not published yet. */
inline help(late) {
#ifdef WITHOUT_HELP
    WAIT(IS_PUBLISHED(late))
#else
#ifdef LOOKED_BEFORE_READING /* without the fence between reading and looking */
    missing = !IS_PUBLISHED(late);
    reduce(late);
#else
    reduce(late);
#ifdef NEVER_LOOKED_AGAIN
    missing = true;
#else
    missing = !IS_PUBLISHED(late);
#endif
#endif
    if
    :: missing -> publish(late, aggregate)
    :: else
    fi;
    missing = false;
    reduce(mine); /* this block's own items again */
    folded = 0;
    prefix = 0
#endif
}

active [BLOCKS] proctype block() {
    byte mine = _pid - 1, turn, epoch, aggregate, folded, k;
    short prefix, right;
    bool missing, last_block;

    do
    :: turn < LAUNCHES ->
        /* Blocks start when there is room, in any order. */
        atomic { started > turn && slots > 0; slots--; reading++ }
        read_epoch();
        if
        :: mine < tiles ->
            reduce(mine);
#ifndef PUBLISHED_AFTER_STORE
            publish(mine, aggregate);
#endif
            do
            :: folded < mine && IS_PUBLISHED(folded) ->
                prefix = FOLD(prefix, word_value[folded]);
                folded++
            :: folded < mine && !IS_PUBLISHED(folded) -> help(folded)
            :: folded + 1 < mine && !IS_PUBLISHED(folded + 1) -> help(folded + 1)
            :: folded == mine -> break
            od;
            find_right(mine);
            assert(prefix == right);
            store();
#ifdef PUBLISHED_AFTER_STORE
            publish(mine, aggregate);
#endif
            emitted[mine]++
        :: else
        fi;
        finish();
        d_step {
            slots++;
            ended++;
            turn++;
            epoch = 0;
            aggregate = 0;
            folded = 0;
            prefix = 0;
            right = 0;
            last_block = false
        }
    :: else -> break
    od
}
