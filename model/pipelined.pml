/* One block of the GPU's driver for large arrays (detail/device/pipelined.hpp): a loader, teams
 * that compute, warps that look back and a storer hand the stages of a ring to each other, by
 * barriers that can only tell one phase from the next. A second block, in a short form, claims
 * and publishes too. There is one launch.
 *
 * Copies land at any moment, in any order. A scan has TEAMS=1 and reduces LEAD tiles ahead; the
 * other primitives have TEAMS=2 and LEAD=0.
 *
 * A comment at each flag says what the flag breaks; protocol.py has the list.
 */
#ifndef TILES
#define TILES 4
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef TEAMS
#define TEAMS 1
#endif
#ifndef LOOKERS
#define LOOKERS 1
#endif
#ifndef LEAD
#define LEAD 0
#endif
#define launch 0
#include "common.pml"
#define NONE 100 /* instead of a tile: there are no more */

byte tickets, epochs_started;
byte published[TILES]; /* the aggregate; 0: not yet */

/* For each stage: its contents, and the number of complete phases of each of its barriers. */
byte tile_in[STAGES], item_in[STAGES];
short prefix_in[STAGES];
byte loaded[STAGES], prefixed[STAGES], scanned[STAGES], freed[STAGES];
bool copying[STAGES];
byte stored[TILES];
byte folded; /* the number of teams and lookers that are done */
byte ended;
bool all_done;

/* Position k of the block's work. A barrier knows only the parity of a phase, so a process must not
 * wait a phase too early. */
#define STAGE(k) ((k) % STAGES)
#define PHASE(k) ((k) / STAGES)
#define AWAIT(barrier, k)                                \
    WAIT(barrier[STAGE(k)] % 2 != PHASE(k) % 2);         \
    assert(barrier[STAGE(k)] == PHASE(k) + 1)
#define AWAIT_FREE(k) WAIT((k) < STAGES || freed[STAGE(k)] % 2 == PHASE(k) % 2)

/* Processes that take turns have not seen the tile that was in the stage before. */
#if defined(FREED_UNSEEN)
#define AWAIT_LOADED(in_turns, k) AWAIT(loaded, k)
#else
#define AWAIT_LOADED(in_turns, k)                   \
    WAIT(!(in_turns) || (k) < STAGES || freed[STAGE(k)] % 2 == PHASE(k) % 2); \
    AWAIT(loaded, k)
#endif

/* Each team, and each looker, needs its own mark of the end. */
#if defined(ONE_END)
#define ENDS 1
#elif TEAMS > LOOKERS
#define ENDS TEAMS
#else
#define ENDS LOOKERS
#endif

inline end_claims(ticket) {
    if
    :: ticket == TILES + 1 -> epochs_started++ /* the last of two blocks */
    :: else
    fi
}

active proctype loader() {
    byte k, ticket, ends;
    do
    :: atomic { ticket = tickets; tickets++ }
#ifndef NOT_FREED /* the loader does not wait for room */
        AWAIT_FREE(k);
#endif
        if
        :: ticket >= TILES -> break
        :: else
        fi;
#ifdef ONE_BY_ONE /* a load begins when the one before it has ended */
        if
        :: k > 0 -> AWAIT(loaded, k - 1)
        :: else
        fi;
#endif
        atomic { tile_in[STAGE(k)] = ticket; copying[STAGE(k)] = true; k++ }
    od;
    do
    :: ends < ENDS ->
        AWAIT_FREE(k);
        atomic { tile_in[STAGE(k)] = NONE; loaded[STAGE(k)]++; k++; ends++ }
    :: else -> break
    od;
    end_claims(ticket);
    ended++
}

/* Bulk copies. */
active proctype copier() {
    byte s;
end:
    do
    :: copying[0] -> s = 0; goto land
    :: copying[1] -> s = 1; goto land
#if STAGES > 2
    :: copying[2] -> s = 2; goto land
#endif
    od;
land:
    atomic {
        item_in[s] = AGGREGATE(tile_in[s]);
        copying[s] = false;
        loaded[s]++;
        s = 0
    }
    goto end
}

inline reduce_next() {
    if
    :: more ->
        AWAIT_LOADED(TEAMS > 1, reduced);
        if
        :: tile_in[STAGE(reduced)] == NONE -> more = false
        :: else ->
            published[tile_in[STAGE(reduced)]] = item_in[STAGE(reduced)];
            reduced = reduced + TEAMS
        fi
    :: else
    fi
}

active [TEAMS] proctype team() {
    byte k = _pid - 2, reduced = _pid - 2, ahead;
    bool more = true;
    do
    :: ahead < LEAD -> reduce_next(); ahead++
    :: else -> break
    od;
    do
    :: true ->
        reduce_next();
        if
        :: k == reduced -> break
        :: else
        fi;
#if TEAMS == 1
        AWAIT(prefixed, k); /* results are made in the stage */
#endif
        scanned[STAGE(k)]++;
        k = k + TEAMS
    od;
    atomic { folded++; ended++ }
}

active [LOOKERS] proctype looker() {
    byte k = _pid - 2 - TEAMS, tile, next;
    short prefix;
    do
    :: true ->
        AWAIT_LOADED(LOOKERS > 1, k);
        tile = tile_in[STAGE(k)];
        if
        :: tile == NONE -> break
        :: else
        fi;
        do
        :: next < tile ->
            WAIT(published[next] != 0);
            prefix = FOLD(prefix, published[next]);
            next++
        :: else -> break
        od;
        atomic { prefix_in[STAGE(k)] = prefix; prefixed[STAGE(k)]++; k = k + LOOKERS }
    od;
    folded++; tile = 0; prefix = 0; next = 0;
    if
    :: _pid == 2 + TEAMS -> WAIT(folded == TEAMS + LOOKERS) /* then the words may be cleared */
    :: else
    fi;
    ended++
}

active proctype storer() {
    byte position, tile, k;
    short prefix, right;
    do
    :: true ->
        AWAIT(loaded, position);
        tile = tile_in[STAGE(position)];
        if
        :: tile == NONE -> break
        :: else
        fi;
        AWAIT(scanned, position);
        AWAIT(prefixed, position);
        atomic {
            prefix = prefix_in[STAGE(position)];
            find_right(tile);
            assert(prefix == right);
            assert(item_in[STAGE(position)] == AGGREGATE(tile));
            stored[tile]++;
            freed[STAGE(position)]++;
            position++;
            prefix = 0;
            right = 0;
            tile = 0
        }
    od;
    ended++
}

active proctype other_block() {
    byte ticket;
    do
    :: atomic { ticket = tickets; tickets++ }
        if
        :: ticket >= TILES -> break
        :: else
        fi;
        atomic { published[ticket] = AGGREGATE(ticket); stored[ticket]++ }
    od;
    end_claims(ticket);
    ended++
}

active proctype stream() {
    byte k;
    WAIT(ended == TEAMS + LOOKERS + 3);
    do
    :: k < TILES -> assert(stored[k] == 1); k++
    :: else -> break
    od;
    assert(epochs_started == 1);
    all_done = true
}

ltl finishes { <> all_done }
