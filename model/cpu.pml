/* The CPU's driver (single_pass.hpp, look_back.hpp and tile_status.hpp in detail/cpu/): workers
 * that claim tiles, publish aggregates and prefixes, and look back to the nearest prefix.
 *
 * One worker may stop for good, at any point. Without KEPT the input stays as it is, and a
 * worker that waits long reduces the tile itself. With KEPT results overwrite the items of the
 * tile itself or of the tile before it, a tile is reduced only once, and no other worker may
 * reduce it. So with KEPT a worker stops only before it has a ticket, or by an exception, which
 * the others see.
 *
 * A comment at each flag says what the flag breaks; protocol.py has the list.
 */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef TILES
#define TILES 3
#endif
#define launch 0
#include "common.pml"

#define X 0
#define A 1
#define P 2
#define NONE 100 /* no tile */
byte state[TILES];
short aggregate_of[TILES];
short prefix_of[TILES];

byte tickets;
bool failed;
bool overwritten[TILES];
#define ITEM(tile) (overwritten[tile] -> NO_RESULT : AGGREGATE(tile))
byte emitted[TILES];
bool excused[TILES]; /* held by the worker that has stopped */
byte ended;
bool stopped, all_done;

#ifdef ONE_SLOT /* the prefix overwrites the aggregate, which another worker may be reading */
#define prefix_slot aggregate_of
#else
#define prefix_slot prefix_of
#endif
inline publish_aggregate(tile, what) {
    aggregate_of[tile] = what;
    state[tile] = A
}
inline publish_prefix(tile, what) {
#ifdef STATE_BEFORE_VALUE
    state[tile] = P;
    prefix_slot[tile] = what
#else
    prefix_slot[tile] = what;
    state[tile] = P
#endif
}

/* Reads the status of a tile: first the state, then the value. */
inline read(tile) {
    seen = state[tile];
    if
    :: seen == A -> value = aggregate_of[tile]
    :: seen == P -> value = prefix_slot[tile]
    :: else
    fi
}

inline claim(into) {
#ifdef TILE_BY_WORKER
    into = (into == NONE -> _pid : into + WORKERS)
#else
    d_step { into = tickets; tickets++ }
#endif
}

#ifdef KEPT
inline store(tile) {
    if
    :: overwritten[tile] = true
    :: tile > 0 -> overwritten[tile - 1] = true
    fi
}
#else
inline store(tile) { skip }
#endif
inline emit(tile) {
    find_right(tile);
    assert(prefix == right);
    store(tile);
    d_step { emitted[tile]++; prefix = 0; value = 0; seen = 0; known = false }
}

/* Here one worker may stop for good, or throw an exception, which the others see. */
inline may_stop() {
    if
    :: true
#ifndef KEPT
    :: atomic { !stopped -> stopped = true }; goto gone
#endif
    :: atomic { !stopped -> stopped = true; failed = true }; goto gone
    fi
}

#if !defined(KEPT) && !defined(WITHOUT_HELP) || defined(HELPED_IN_PLACE)
#define MAY_REDUCE true
#else
#define MAY_REDUCE false
#endif
#ifdef FAILURE_UNSEEN
#define SEES_FAILURE false
#else
#define SEES_FAILURE failed
#endif
/* Waits for tile k, which has published nothing yet. */
inline wait_for(k) {
    WAIT(state[k] != X || SEES_FAILURE || MAY_REDUCE);
    if
    :: state[k] != X -> read(k)
    :: SEES_FAILURE -> goto out
    :: MAY_REDUCE && state[k] == X -> seen = A; value = ITEM(k)
    fi
}

inline look_back(tile) {
    from = tile;
    known = false;
    prefix = 0;
    do
    :: from > 0 && !known ->
        read(from - 1);
        if
        :: seen == P -> prefix = value; known = true
        :: else -> from--
        fi
    :: else -> break
    od;
    do
    :: from < tile ->
        read(from);
        if
        :: seen == X -> wait_for(from)
        :: else
        fi;
        prefix = (seen == P -> value : FOLD(prefix, value));
        from++
    :: else -> break
    od;
    from = 0
}

active [WORKERS] proctype worker() {
    byte t = NONE, next = NONE, seen, from, k;
    short aggregate, prefix, right, value;
    bool reduced, known;

    if
    :: true
    :: atomic { !stopped -> stopped = true }; goto gone /* this worker never starts: it has no ticket */
    fi;
    claim(t);
    do
    :: t < TILES && !failed ->
        may_stop();
        if
        :: reduced
        :: else ->
#ifndef KEPT
            if
            :: t == 0 -> prefix = 0; known = true
            :: else -> read(t - 1); known = (seen == P); prefix = value
            fi;
            if
            :: known ->
                emit(t);
                publish_prefix(t, FOLD(right, AGGREGATE(t)));
                right = 0;
                claim(t);
                goto next_tile
            :: else
            fi;
#endif
            aggregate = ITEM(t);
            may_stop();
            publish_aggregate(t, aggregate)
        fi;
#ifdef STORED_BEFORE_LOOK_BACK
        store(t);
#endif
        look_back(t);
        may_stop();
        publish_prefix(t, FOLD(prefix, aggregate));
        next = t;
        claim(next);
        if /* results are written while the next tile is read */
        :: emit(t);
            reduced = (next < TILES);
            if
            :: reduced -> aggregate = ITEM(next)
            :: else
            fi
        :: next < TILES -> reduced = true; aggregate = ITEM(next); emit(t)
        fi;
        may_stop();
        if
        :: reduced -> publish_aggregate(next, aggregate)
        :: else
        fi;
        d_step { t = next; right = 0 };
    next_tile:
        skip
    :: else -> break
    od;
    goto out;
gone:
    if
    :: t < TILES -> excused[t] = true
    :: else
    fi;
    if
    :: next < TILES -> excused[next] = true
    :: else
    fi;
out:
    ended++
}

/* Every tile has been emitted once, except those of the worker that has stopped. */
active proctype caller() {
    byte k;
    WAIT(ended == WORKERS);
    do
    :: k < TILES ->
        assert(emitted[k] == 1 || (emitted[k] == 0 && (failed || excused[k])));
        k++
    :: else -> break
    od;
    all_done = true
}

ltl finishes { <> all_done }
