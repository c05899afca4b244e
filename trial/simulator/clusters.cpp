// Clusters: their barrier, and access to the shared memory of other blocks.
#include "simulator/clusters.hpp"

#include <algorithm>
#include <cstring>

#include "simulator/api.hpp"
#include "simulator/names.hpp"
#include "simulator/phases.hpp"
#include "simulator/weakening.hpp"

namespace lookback::trial {

namespace {

// The epochs of the actor that begins and ends a block which is not alone in its cluster.
constexpr epoch begun = 1, ended = 2;
actor keeper_of(const gpu_block& b) { return {b.group, static_cast<std::uint16_t>(b.of->threads)}; }
void claim_all(const gpu_block& b, epoch when, const clock_ptr& known) {
    gpu_memory().access({keeper_of(b), when, known.get(), known.get(), 0}, b.shared,
                        b.of->dynamic_bytes, {true});
}

void complete_if_all_are_there(cluster_state& c) {
    if (c.missing > 0) return;
    c.phase_known = join(c.known);
    c.known.clear();
    c.missing = c.threads;
    ++c.phase;
    for (gpu_thread* t : c.waiting) gpu().wake(t);
    c.waiting.clear();
}

}  // namespace

std::shared_ptr<cluster_state> new_cluster(const launch& l) {
    auto c = std::make_shared<cluster_state>();
    c->threads = c->missing = l.cluster * l.threads;
    return c;
}

void enter_cluster(gpu_block& b) {
    b.cluster->blocks.push_back(&b);
    b.start_known = b.of->start_known;
    if (b.of->cluster == 1) return;
    claim_all(b, begun, b.start_known);
    b.start_known = whole({b.start_known, keeper_of(b), begun});
}

void end_in_cluster(const gpu_thread& t) {
    cluster_state& c = *t.block->cluster;
    --c.threads;
    if (t.cluster_arrivals == c.phase) --c.missing;
    if (c.threads > 0) complete_if_all_are_there(c);
}

void leave_cluster(gpu_block& b) {
    if (b.of->cluster == 1) return;
    claim_all(b, ended, join(b.ends));
    *std::find(b.cluster->blocks.begin(), b.cluster->blocks.end(), &b) = nullptr;
    gpu_memory().allow(b.shared, b.shared_bytes, false);
}

unsigned block_in_cluster() {
    const gpu_thread& me = *gpu().current;
    return me.place.block % me.block->of->cluster;
}
unsigned blocks_in_cluster() { return gpu().current->block->of->cluster; }

// The value arrives at once: from then on the receiver may see it, but it knows of it only after it
// has waited.
void send_to_block(void* mine, unsigned block, const void* value, std::size_t bytes, void* there) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    const gpu_block& b = *me.block;
    gpu().step();
    if (block >= b.of->cluster || b.cluster->blocks[block] == nullptr) {
        fail("something is sent to a block of the cluster that there is not, or no more\n    at " +
             describe(place));
    }
    gpu_block& its = *b.cluster->blocks[block];
    const auto in_its = [&](void* at) {
        const std::ptrdiff_t offset = static_cast<std::byte*>(at) - b.shared;
        if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(b.of->dynamic_bytes)) {
            fail("what is sent to another block has no place in shared memory\n    at " +
                 describe(place));
        }
        return its.shared + offset;
    };
    std::byte* const to = in_its(mine);
    if (reinterpret_cast<std::uintptr_t>(to) % bytes != 0) {
        fail("what is sent to another block is off its boundary\n    at " + describe(place));
    }
    gpu_memory().access(gpu().by_current(place), to, bytes, {true});
    std::memcpy(to, value, bytes);
    phase_state& p = phase_of(its, reinterpret_cast<std::uintptr_t>(in_its(there)), place);
    const stamp known = me.knowledge();
    ++me.now;
    land(p, bytes, known);
}

void arrive_in_cluster() {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    cluster_state& c = *me.block->cluster;
    if (me.cluster_arrivals > c.phase) {
        fail("a thread arrives again at the barrier of its cluster before it has waited\n    at " +
             describe(place));
    }
    ++me.cluster_arrivals;
    if (weakness_of("arrive_in_cluster", place) != weakness::unordered) {
        c.known.push_back(me.knowledge());
        ++me.now;
    }
    --c.missing;
    complete_if_all_are_there(c);
}

void wait_for_cluster() {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    cluster_state& c = *me.block->cluster;
    const weakness weak = weakness_of("wait_for_cluster", place);
    while (c.phase < me.cluster_arrivals) {
        c.waiting.push_back(&me);
        gpu().block("the barrier of the cluster", place);
    }
    if (weak != weakness::unordered) me.learn(c.phase_known);
}

}  // namespace lookback::trial
