"""Results over items: the fences of detail/device/tiles_read.hpp, staged.hpp, small.hpp,
device_prefix.hpp and light.hpp, and other operations that the axioms would allow in their place.

All tests have a read and a later write of the same items. Weak accesses read items and write
results.
"""
import dataclasses

from litmus import (ACQUIRE, BLOCK_ACQUIRE, BLOCK_RELEASE, HERE, OTHER_BLOCK, RELAXED, RELEASE,
                    Test, Weaker, barrier, changed, fence, left_out, read, write)
from ptx import Event, Program

THREADS = {"reader": HERE, "publisher": HERE, "look_back_warp": OTHER_BLOCK, "storer": OTHER_BLOCK}
OVERWRITTEN = [("look", "publish"), ("wait", "arrive"), ("load", "store")]
NO_MORE = "a release or acquire pattern needs no more"
SC_ORDER = "for this the fences, of kind sc, are enough; the word itself needs it"

# The threads that have read a tile meet at a barrier, and one of them publishes its aggregate.
TILE_IS_READ = [read("load", "reader", "items"), barrier("reduced.0", "reader"),
                barrier("reduced.1", "publisher")]
# A warp that looks back tells the threads of its block that store.
STORED = [write("arrive", "look_back_warp", "prefixed", **BLOCK_RELEASE),
          read("wait", "storer", "prefixed", **BLOCK_ACQUIRE),
          write("store", "storer", "items")]
PUBLISH = write("publish", "publisher", "word", **RELAXED)
LOOK = read("look", "look_back_warp", "word", **RELAXED)


def as_it_is():
    p = Program(THREADS, [*TILE_IS_READ, fence("fence_before", "publisher"), PUBLISH,
                          LOOK, fence("fence_after", "look_back_warp"), *STORED])
    return Test("in place: fence, publish; look, fence", "detail/device/pipelined.hpp, staged.hpp, small.hpp", p,
                OVERWRITTEN, [
        left_out(p, "fence before the publication left out", "fence_before"),
        left_out(p, "fence after the look-back left out", "fence_after"),
        changed(p, "fence before .cta", "fence_before", scope="cta"),
        changed(p, "fence after .cta", "fence_after", scope="cta"),
        changed(p, "wait relaxed", "wait", order="relaxed"),
        left_out(p, "barrier before the publication left out", "reduced.0", "reduced.1"),
        changed(p, "fence before acq_rel", "fence_before", NO_MORE, order="acq_rel"),
        changed(p, "fence after acq_rel", "fence_after", NO_MORE, order="acq_rel"),
        Weaker("both acq_rel", p.replace("fence_before", order="acq_rel")
               .replace("fence_after", order="acq_rel"), NO_MORE),
        changed(p, "publication weak", "publish", SC_ORDER, order="weak"),
        changed(p, "look weak", "look", SC_ORDER, order="weak"),
        changed(p, "arrival relaxed", "arrive", "the fence before it makes it a release",
                order="relaxed")])


def in_bulk():
    """A bulk copy reads the tile: a separate agent, with another proxy."""
    p = Program({"copy": HERE, **THREADS}, [
        read("load", "copy", "items", proxy="async"),
        Event("completion", "copy", "proxy_fence"),
        write("landed", "copy", "loaded", **BLOCK_RELEASE),
        read("see_landed", "publisher", "loaded", **BLOCK_ACQUIRE),
        fence("fence_before", "publisher"), PUBLISH,
        LOOK, fence("fence_after", "look_back_warp"), *STORED])
    return Test("in place, read by a bulk copy", "detail/device/pipelined.hpp", p,
                [("see_landed", "landed"), *OVERWRITTEN], [
        left_out(p, "fence before the publication left out", "fence_before"),
        left_out(p, "fence after the look-back left out", "fence_after"),
        left_out(p, "completion without its proxy fence", "completion"),
        changed(p, "wait for the copy relaxed", "see_landed",
                "the fence after it makes it an acquire", order="relaxed")])


def told_apart():
    """The aggregate is published at once. A second word says that the items have been read; only
    tiles that write over these items read it. A bulk copy reads the tile: a separate agent, with
    another proxy. The thread that publishes and the thread that writes the second word wait for
    the copy."""
    p = Program({"copy": HERE, "teller": HERE, **THREADS}, [
        read("load", "copy", "items", proxy="async"),
        Event("completion", "copy", "proxy_fence"),
        write("landed", "copy", "loaded", **BLOCK_RELEASE),
        read("see_landed", "publisher", "loaded", **BLOCK_ACQUIRE), PUBLISH,
        read("see_landed_too", "teller", "loaded", **BLOCK_ACQUIRE),
        fence("fence_before", "teller"), write("tell", "teller", "read", **RELAXED),
        LOOK, read("ask", "look_back_warp", "read", **ACQUIRE), *STORED])
    return Test("in place: read by a bulk copy, told by a word of its own",
                "detail/device/pipelined.hpp, tiles_read.hpp", p,
                [("see_landed", "landed"), ("see_landed_too", "landed"), ("look", "publish"),
                 ("ask", "tell"), ("wait", "arrive"), ("load", "store")], [
        left_out(p, "fence before the word left out", "fence_before"),
        changed(p, "fence before .cta", "fence_before", scope="cta"),
        changed(p, "ask relaxed", "ask", order="relaxed"),
        changed(p, "ask .cta", "ask", scope="cta"),
        changed(p, "wait relaxed", "wait", order="relaxed"),
        changed(p, "arrival relaxed", "arrive", order="relaxed"),
        left_out(p, "completion without its proxy fence", "completion"),
        changed(p, "fence before acq_rel", "fence_before", NO_MORE, order="acq_rel"),
        changed(p, "publisher's wait for the copy relaxed", "see_landed",
                "what it publishes lets no thread overwrite items", order="relaxed"),
        changed(p, "teller's wait for the copy relaxed", "see_landed_too",
                "the fence after it makes it an acquire", order="relaxed")])


def by_release_and_acquire():
    p = Program(THREADS, [*TILE_IS_READ, dataclasses.replace(PUBLISH, **RELEASE),
                          dataclasses.replace(LOOK, **ACQUIRE), *STORED])
    return Test("in place, instead: publish by release, look by acquire", "not in the code", p,
                OVERWRITTEN, [
        changed(p, "release to relaxed", "publish", order="relaxed"),
        changed(p, "acquire to relaxed", "look", order="relaxed"),
        changed(p, "release .cta", "publish", scope="cta"),
        changed(p, "acquire .cta", "look", scope="cta")])


def one_fence_for_the_warp():
    """The lanes of the warp that looks back meet at its barrier, and one lane fences for all."""
    p = Program({**THREADS, "lane_0": OTHER_BLOCK}, [
        *TILE_IS_READ, fence("fence_before", "publisher"), PUBLISH,
        LOOK, barrier("warp.0", "look_back_warp"),
        barrier("warp.1", "lane_0"), fence("fence_after", "lane_0"),
        dataclasses.replace(STORED[0], thread="lane_0"), *STORED[1:]])
    return Test("in place, instead: one lane's fence after a warp's barrier", "not in the code", p,
                OVERWRITTEN, [
        changed(p, "fence before acq_rel", "fence_before", order="acq_rel"),
        changed(p, "fence after acq_rel", "fence_after", order="acq_rel"),
        left_out(p, "warp's barrier left out", "warp.0", "warp.1")])


def own_flag():
    """The same with a release and an acquire, where the threads that store do the acquire."""
    threads = {"reader": HERE, "publisher": HERE, "teller": HERE, "look_back_warp": OTHER_BLOCK,
               "storer": OTHER_BLOCK}
    p = Program(threads, [
        read("load", "reader", "items"),
        barrier("reduced.0", "reader"),
        barrier("reduced.1", "publisher"), PUBLISH,
        barrier("reduced.2", "teller"),
        write("tell", "teller", "read", **RELEASE),
        LOOK, STORED[0],
        STORED[1],
        read("ask", "storer", "read", **ACQUIRE),
        STORED[2]])
    return Test("in place, instead: a word of its own by release and acquire", "not in the code", p,
                [("look", "publish"), ("wait", "arrive"), ("ask", "tell"), ("load", "store")], [
        changed(p, "release to relaxed", "tell", order="relaxed"),
        changed(p, "acquire to relaxed", "ask", order="relaxed"),
        changed(p, "release .cta", "tell", scope="cta"),
        changed(p, "acquire .cta", "ask", scope="cta"),
        left_out(p, "barrier before it left out", "reduced.0", "reduced.1", "reduced.2")])


def by_dependencies():
    """No fence: the aggregate depends on the items read, and the later write on having seen it."""
    p = Program(THREADS, [
        read("load", "reader", "items"),
        dataclasses.replace(PUBLISH, thread="reader"),
        LOOK,
        write("store", "look_back_warp", "items")],
        (("load", "publish"), ("look", "store")))
    wide = p.replace("load", parts=("items", "next items"))
    return Test("in place, instead: by dependencies alone", "not in the code", p,
                [("look", "publish"), ("load", "store")], [
        Weaker("the aggregate does not depend on the item (flags)",
               dataclasses.replace(p, dependencies=p.dependencies[1:])),
        Weaker("the store does not depend on the look",
               dataclasses.replace(p, dependencies=p.dependencies[:1])),
        Weaker("items read by 16 bytes, results written by 4", wide)])


def helping():
    """A helper reads the items of a late tile, then finds that its owner has not published. So it
    has not read a result of the owner, which publishes and fences before its block writes."""
    p = Program({"owner": HERE, "storer": HERE, "reader": OTHER_BLOCK, "helper": OTHER_BLOCK}, [
        write("publish", "owner", "word", **RELAXED),
        fence("owners_fence", "owner"),
        barrier("folded.0", "owner"),
        barrier("folded.1", "storer"),
        write("store", "storer", "items"),
        read("load", "reader", "items"),
        barrier("reduced.0", "reader"),
        barrier("reduced.1", "helper"),
        fence("helpers_fence", "helper"),
        read("look", "helper", "word", **RELAXED)])
    return Test("helping in place", "detail/device/light.hpp", p,
                [("load", "store"), ("look", "initial word")], [
        left_out(p, "owner's fence left out", "owners_fence"),
        left_out(p, "helper's fence left out", "helpers_fence"),
        changed(p, "owner's fence acq_rel", "owners_fence", order="acq_rel"),
        changed(p, "helper's fence acq_rel", "helpers_fence", order="acq_rel"),
        changed(p, "owner's fence .cta", "owners_fence", scope="cta"),
        changed(p, "helper's fence .cta", "helpers_fence", scope="cta"),
        left_out(p, "owner's barrier left out", "folded.0", "folded.1"),
        left_out(p, "helper's barrier left out", "reduced.0", "reduced.1"),
        changed(p, "publication weak", "publish", SC_ORDER, order="weak"),
        changed(p, "look weak", "look", SC_ORDER, order="weak")])


def tests():
    return [as_it_is(), in_bulk(), told_apart(), helping(), by_release_and_acquire(),
            one_fence_for_the_warp(),
            own_flag(), by_dependencies()]
