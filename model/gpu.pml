/* What the models of the GPU's drivers share (tile_status.hpp and workspace.hpp in
 * detail/device/): status words with epochs, their clearing when the epochs begin again, and the
 * stream that starts one launch after the other.
 *
 * The number of tiles differs from launch to launch, so some words are left from launches long
 * ago.
 */

byte word_epoch[TILES];
byte word_value[TILES];
byte finished;

byte launch, started, tiles, ended;
byte slots = SLOTS;
byte emitted[TILES]; /* how often each tile was emitted in this launch */
byte reading;        /* blocks that may still look at status words */
bool all_done;

#ifdef UNTAGGED /* any word that was ever written counts as published */
#define IS_PUBLISHED(tile) (word_epoch[tile] != 0)
#else
#define IS_PUBLISHED(tile) (word_epoch[tile] == epoch)
#endif

inline publish(tile, value) {
#ifndef SPLIT
    d_step { word_value[tile] = value; word_epoch[tile] = epoch }
#else
#ifdef EPOCH_BEFORE_VALUE
    word_epoch[tile] = epoch;
    word_value[tile] = value
#else
    word_value[tile] = value;
    word_epoch[tile] = epoch
#endif
#endif
}

inline clear() {
    assert(reading == 0);
#ifndef NOT_CLEARED
    k = 0;
    do
    :: k < TILES -> word_epoch[k] = 0; k++
    :: else -> break
    od;
    k = 0;
#endif
#ifndef FINISHED_STAYS
    finished = 0;
#endif
    start_epoch(FIRST_EPOCH)
}

/* A block is done with the words. */
inline finish() {
    reading--;
    if
    :: epoch == LAST_EPOCH ->
        d_step {
#ifdef CLEARED_BY_FIRST
            last_block = (finished == 0);
#else
            last_block = (finished == BLOCKS - 1);
#endif
            finished++
        }
        if
        :: last_block -> clear()
        :: else
        fi
    :: else
    fi
}

/* Process 0. A launch starts when all blocks of the launch before it have ended. */
active proctype stream() {
    byte k;
    do
    :: launch < LAUNCHES ->
        atomic {
            select(tiles : 0 .. TILES);
            d_step {
                k = 0;
                do
                :: k < TILES -> set_item(k, AGGREGATE(k)); emitted[k] = 0; k++
                :: else -> break
                od;
                ended = 0;
                k = 0;
                started = launch + 1
            }
        }
        WAIT(ended == BLOCKS);
        d_step {
            do
            :: k < tiles -> assert(emitted[k] == 1); k++
            :: else -> k = 0; break
            od;
            launch++;
            assert(AT_START_OF(EPOCH_OF_LAUNCH))
        }
    :: else -> break
    od;
    all_done = true
}

ltl finishes { <> all_done }
