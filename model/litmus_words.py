"""Status words, claims and epochs: detail/device/tile_status.hpp, detail/device/workspace.hpp."""
import dataclasses

from litmus import (ACQUIRE, BLOCK_ACQUIRE, BLOCK_RELEASE, HERE, OTHER_BLOCK, OTHER_GPU, RELAXED,
                    RELEASE, Test, Weaker, add, barrier, changed, fence, left_out, read, write)
from ptx import Program


def one_word(name, other=OTHER_BLOCK, scope="gpu", smaller="cta"):
    """Value and epoch in one word: no thread sees the new epoch with the old value."""
    relaxed = dict(order="relaxed", scope=scope)
    p = Program({"owner": HERE, "reader": other}, [
        write("publish", "owner", "value", "epoch", **relaxed),
        read("look", "reader", "value", "epoch", **relaxed)])
    return Test(name, "detail/device/tile_status.hpp", p,
                [("look", "publish", "epoch"), ("look", "initial value", "value")], [
        changed(p, "store weak", "publish", order="weak"),
        changed(p, "load weak", "look", order="weak"),
        changed(p, f"store .{smaller}", "publish", scope=smaller),
        changed(p, f"load .{smaller}", "look", scope=smaller),
        Weaker("store in two halves", p.torn("publish")),
        Weaker("load in two halves", p.torn("look")),
        Weaker("both in two halves", p.torn("publish").torn("look"))])


def split(name, other=OTHER_BLOCK, scope="gpu", smaller="cta"):
    """The value beside the epoch that announces it, in memory of its own."""
    p = Program({"owner": HERE, "reader": other}, [
        write("value", "owner", "value", order="relaxed", scope=scope),
        write("publish", "owner", "epoch", order="release", scope=scope),
        read("look", "reader", "epoch", order="acquire", scope=scope),
        read("copy", "reader", "value", order="relaxed", scope=scope)])
    return Test(name, "detail/device/tile_status.hpp", p,
                [("look", "publish"), ("copy", "initial value")], [
        changed(p, "release to relaxed", "publish", order="relaxed"),
        changed(p, "acquire to relaxed", "look", order="relaxed"),
        changed(p, f"release .{smaller}", "publish", scope=smaller),
        changed(p, f"acquire .{smaller}", "look", scope=smaller),
        Weaker("value weak", p.replace("value", order="weak").replace("copy", order="weak"),
               "what a release and an acquire order need not be strong")])


def split_by_two():
    """A helper and the owner publish the same value; with either epoch, the reader sees a value."""
    p = Program({"owner": HERE, "helper": (0, 2), "reader": OTHER_BLOCK}, [
        write("value", "owner", "value", **RELAXED),
        write("publish", "owner", "epoch", **RELEASE),
        write("helpers_value", "helper", "value", **RELAXED),
        write("helpers_publish", "helper", "epoch", **RELEASE),
        read("look", "reader", "epoch", **ACQUIRE),
        read("copy", "reader", "value", **RELAXED)])
    return Test("split, published by owner and helper", "detail/device/tile_status.hpp, light.hpp", p,
                [("look", "helpers_publish"), ("copy", "initial value")], [
        changed(p, "helper's release to relaxed", "helpers_publish", order="relaxed"),
        changed(p, "acquire to relaxed", "look", order="relaxed"),
        changed(p, "owner's release to relaxed", "publish",
                "the reader has seen the helper's epoch, and so its value", order="relaxed"),
        Weaker("values weak", p.replace("value", order="weak").replace("copy", order="weak")
               .replace("helpers_value", order="weak"),
               "either value may be read, a part of each too: they are the same")])


def claims():
    """A claim before the last one of the launch reads the epoch of this launch."""
    p = Program({"first": HERE, "last": OTHER_BLOCK}, [
        *add("claim", "first", "counter", **RELAXED),
        *add("last_claim", "last", "counter", **RELAXED),
        write("start_epoch", "last", "counter", **RELAXED)])
    atomic_in_block = p.replace("claim_old", scope="cta").replace("claim", scope="cta")
    return Test("the last claim starts the next epoch", "detail/device/workspace.hpp", p,
                [("last_claim_old", "claim"), ("claim_old", "start_epoch")], [
        Weaker("claim .cta", atomic_in_block),
        changed(p, "start_epoch .cta", "start_epoch", scope="cta"),
        changed(p, "start_epoch weak", "start_epoch", order="weak")])


def epoch_reading():
    """A block reads the epoch, then adds its share: it reads no sum that contains its share."""
    p = Program({"mine": HERE, "theirs": OTHER_BLOCK}, [
        read("load", "mine", "counter", **RELAXED),
        *add("share", "mine", "counter", reduction=True, **RELAXED),
        *add("other", "theirs", "counter", reduction=True, **RELAXED)])
    load, *rest = p.events
    return Test("the epoch read, then added to", "detail/device/tile_status.hpp", p,
                [("other_old", "share"), ("load", "other")], [
        Weaker("added, then read", dataclasses.replace(p, events=[*rest[:2], load, *rest[2:]])),
        changed(p, "load weak", "load", order="weak"),
        changed(p, "load .cta", "load", scope="cta")])


def clearing():
    """When epochs begin again: a value is copied, its block counts itself as done, and the lanes of
    the last block clear. Only the warp's barrier passes on to one lane what another knows."""
    p = Program({"look_back_warp": OTHER_BLOCK, "first_warp": OTHER_BLOCK, "last": HERE,
                 "other_lane": HERE}, [
        read("copy", "look_back_warp", "value", **RELAXED),
        write("arrive", "look_back_warp", "folded", **BLOCK_RELEASE),
        read("wait", "first_warp", "folded", **BLOCK_ACQUIRE),
        fence("fence_before", "first_warp"),
        *add("count", "first_warp", "finished", **RELAXED),
        *add("last_count", "last", "finished", **RELAXED),
        fence("fence_after", "last"),
        barrier("warp.0", "last"),
        fence("other_fence", "other_lane"),
        barrier("warp.1", "other_lane"),
        write("clear", "other_lane", "value")])
    return Test("epochs begin again: cleared by the last block", "detail/device/workspace.hpp", p,
                [("wait", "arrive"), ("last_count_old", "count"), ("copy", "clear")], [
        left_out(p, "fence before the count left out", "fence_before"),
        left_out(p, "fence after the count left out", "fence_after", "other_fence"),
        changed(p, "fence before .cta", "fence_before", scope="cta"),
        changed(p, "fence after .cta", "fence_after", scope="cta"),
        changed(p, "arrival relaxed", "arrive", order="relaxed"),
        left_out(p, "warp's barrier left out", "warp.0", "warp.1"),
        changed(p, "fence before acq_rel", "fence_before",
                "a release pattern needs no more", order="acq_rel"),
        changed(p, "fence after acq_rel", "fence_after",
                "an acquire pattern needs no more", order="acq_rel"),
        left_out(p, "no fence in the other lanes", "other_fence",
                 reason="the barrier hands on what the fence of lane 0 has ordered")])


def tests():
    return [
        one_word("8-byte word: value and epoch"),
        one_word("16-byte word: value and epoch"),
        split("split: value, then epoch"),
        split_by_two(),
        one_word("word, of two GPUs", OTHER_GPU, "sys", "gpu"),
        split("split, of two GPUs", OTHER_GPU, "sys", "gpu"),
        claims(),
        epoch_reading(),
        clearing(),
    ]
