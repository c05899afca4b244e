/* The GPU's drivers with tickets (detail/device/staged.hpp, kernel/device_prefix.hpp): claims,
 * the end of the claims, the look-back.
 *
 * A launch has BLOCKS blocks, of which SLOTS run at once, in any order. Results overwrite the
 * items of the tile itself or of the tile before it, as in a selection in place.
 *
 * A comment at each flag says what the flag breaks; protocol.py has the list.
 */
#include "sizes.pml"
#include "common.pml"

byte counter_epoch = FIRST_EPOCH, counter_tickets; /* one word, so a claim is one step */
#define AT_START_OF(epoch) (counter_epoch == epoch && counter_tickets == 0)
inline start_epoch(next) {
    d_step { counter_epoch = next; counter_tickets = 0 }
}

byte item[TILES];
inline set_item(tile, value) { item[tile] = value }

#include "gpu.pml"

inline store() {
    if
    :: item[mine] = NO_RESULT
    :: mine > 0 -> item[mine - 1] = NO_RESULT
    fi
}

inline claim() {
    d_step {
        claimed_epoch = counter_epoch;
        ticket = counter_tickets;
        counter_tickets++;
        /* No block claims after the next epoch has begun. */
        assert(claimed_epoch == EPOCH_OF_LAUNCH)
    }
}
#ifdef TILE_BY_BLOCK /* tickets tell only the end and the epoch */
#define BEYOND (tiles + first_ticket)
inline claim_first() {
    claim();
    d_step {
        first_ticket = ticket;
        ticket = (id < tiles -> id : BEYOND)
    }
}
inline claim_next() {
    ticket = (mine + BLOCKS < tiles -> mine + BLOCKS : BEYOND)
}
#else
inline claim_first() { claim() }
inline claim_next() { claim() }
#endif

inline end_claims() {
#ifdef ADVANCED_BY_FIRST /* the first block without a tile, not the last to claim */
    last_block = (mine == tiles);
#else
    last_block = (mine == tiles + BLOCKS - 1);
#endif
    if
#ifndef EPOCH_STAYS
    :: last_block && epoch != LAST_EPOCH -> start_epoch(epoch + 1)
#endif
#ifdef CLEARED_BY_LAST_CLAIM /* instead of by the last block that is done with the words */
    :: last_block && epoch == LAST_EPOCH -> clear()
#endif
    :: else
    fi
}

active [BLOCKS] proctype block() {
    byte id = _pid - 1, turn, epoch, claimed_epoch, ticket, mine, aggregate, folded, k;
    short prefix, right;
    bool last_block;
#ifdef TILE_BY_BLOCK
    byte first_ticket;
#endif

    do
    :: turn < LAUNCHES ->
        /* Blocks start when there is room, in any order. */
        atomic { started > turn && slots > 0; slots--; reading++ }
        claim_first();
        d_step { epoch = claimed_epoch; mine = ticket }
        do
        :: mine < tiles ->
            aggregate = item[mine];
#ifdef STORED_BEFORE_LOOK_BACK
            store();
#endif
            publish(mine, aggregate);
            claim_next(); /* before this tile's look-back */
            do
            :: folded < mine ->
                WAIT(IS_PUBLISHED(folded));
                prefix = FOLD(prefix, word_value[folded]);
                folded++
            :: else -> break
            od;
            find_right(mine);
            assert(prefix == right);
#ifndef STORED_BEFORE_LOOK_BACK
            store();
#endif
            d_step { emitted[mine]++; mine = ticket }
        :: else -> break
        od;
        end_claims();
#ifdef CLEARED_BY_LAST_CLAIM
        reading--;
#else
        finish();
#endif
        d_step {
            slots++;
            ended++;
            turn++;
            epoch = 0;
            claimed_epoch = 0;
            ticket = 0;
            mine = 0;
            aggregate = 0;
            folded = 0;
            prefix = 0;
            right = 0;
            last_block = 0
        }
    :: else -> break
    od
}
