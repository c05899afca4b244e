// The model of the page docs/look_back, run by node: every run ends with the sequential scan,
// whichever block is stalled, and a block waits only where the protocol says so. Each rule of the
// model is broken once, to see that the checks notice.
"use strict";

const assert = require("node:assert");
const LookBack = require("../../docs/look_back/model.js");

// Concatenation: a fold shows which items it holds, and in which order.
const texts = (count) => Array.from({length: count}, (_, i) => String.fromCharCode(97 + i % 26));

// Numerical Recipes' generator: numbers below `bound`, always the same for a seed.
function random(seed) {
    let state = seed >>> 0;
    return (bound) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * bound);
    };
}

function make({items, tileItems = 3, blocks, window, cost = () => 2, Model = LookBack}) {
    return new Model({items: texts(items), tileItems, blocks, window,
                      combine: (a, b) => a + b, reduceTicks: cost});
}

// Runs the model to the end. Before each tick `stall(model)` may stall blocks or let them go on.
function run(model, stall = () => {}) {
    const order = "XAP";
    const most = 50 * (model.tiles + model.blocks.length) + 1000;
    while (!model.done) {
        assert(model.tick < most, "no end");
        stall(model);
        const before = model.words.slice();
        const reading = model.copy();
        model.step();
        model.words.forEach((word, tile) => {
            assert(order.indexOf(word.state) >= order.indexOf(before[tile].state), "a word went back");
            if (before[tile].state !== "X") assert.strictEqual(word.aggregate, before[tile].aggregate);
            const {items} = model;
            const end = (tile + 1) * model.tileItems;
            if (word.state === "P") assert.strictEqual(word.prefix, items.slice(0, end).join(""));
        });
        for (const block of model.blocks) {
            if (block.stalled) {
                const was = reading.blocks[block.index];
                assert.deepStrictEqual({...block, read: []}, {...was, read: []}, "a stalled block acted");
            }
            assert(block.read.length <= model.window);
            if (block.waitsFor === null || block.stalled) continue;
            assert(block.waitsFor < block.tile, "waits for a later tile");
            assert.strictEqual(before[block.waitsFor].state, "X", "waits for a known tile");
        }
        assert.strictEqual(model.check().wrong, 0, "wrong results");
    }
    const {written, wrong, all} = model.check();
    assert.deepStrictEqual([written, wrong], [all, 0]);
    assert.strictEqual(model.itemsRead, all, "items read once");
    assert.strictEqual(model.itemsWritten, all, "results written once");
    return model;
}

let runs = 0;
for (const items of [1, 2, 3, 4, 59, 60, 61]) {
    for (const blocks of [1, 2, 3, 5, 8, 30]) {
        for (const window of [1, 2, 3, 8, 32]) {
            for (let seed = 1; seed <= 6; ++seed) {
                const next = random(seed * 31 + items * 7 + blocks);
                const costs = texts(items).map(() => 1 + next(6));
                const model = make({items, blocks, window, cost: (tile) => costs[tile]});
                // Seed 1 has no stalls; with others, blocks are stalled and let go on at random.
                run(model, () => {
                    if (seed === 1) return;
                    for (const block of model.blocks) {
                        if (next(8) === 0) block.stalled = !block.stalled && model.tick < 300;
                        if (model.tick >= 300) block.stalled = false;
                    }
                });
                runs += 1;
            }
        }
    }
}

// Runs until `block` is in `phase`, stalls it, and runs on until nothing changes any more.
function stallFor(model, phase) {
    const wanted = (block) => block.phase === phase && block.tile > 2 && block.left !== 1;
    while (!model.blocks.some(wanted)) model.step();
    const block = model.blocks.find(wanted);
    block.stalled = true;
    for (let i = 0; i < 300; ++i) model.step();
    return block;
}

// A block is stalled after it has published its aggregate: every tile but its own is finished.
{
    const model = make({items: 60, blocks: 5, window: 2});
    const block = stallFor(model, "look");
    model.words.forEach((word, tile) => {
        assert.strictEqual(word.state, tile === block.tile ? "A" : "P");
    });
    assert.strictEqual(model.check().written, 60 - model.tileItems);
    assert(model.blocks.every((other) => other === block || other.phase === "done"));
    block.stalled = false;
    run(model);
}

// A block is stalled before that: every other block publishes one more aggregate, and waits for the
// stalled tile. Then all go on.
{
    const model = make({items: 60, blocks: 5, window: 2});
    const block = stallFor(model, "reduce");
    for (const other of model.blocks) {
        if (other === block) continue;
        assert.strictEqual(other.waitsFor, block.tile);
        assert.strictEqual(model.words[other.tile].state, "A");
    }
    assert.strictEqual(model.check().written, block.tile * model.tileItems);
    block.stalled = false;
    run(model);
}

// A copy of the model runs independently, to the same end.
{
    const model = make({items: 30, blocks: 3, window: 1});
    for (let i = 0; i < 9; ++i) model.step();
    const copy = model.copy();
    run(model);
    assert.strictEqual(copy.tick, 9);
    run(copy);
    assert.deepStrictEqual(copy.words, model.words);
    assert.strictEqual(copy.tick, model.tick);
}

// Rules that are broken, and the checks that notice it.
const broken = {
    "an X is passed as if it were an empty tile": class extends LookBack {
        look(block) {
            const tile = block.from - 1;
            if (this.words[tile].state !== "X" || tile === 0) return super.look(block);
            block.from = tile;
            return null;
        }
    },
    "aggregates are added behind what was found before": class extends LookBack {
        look(block) {
            const {combine} = this;
            this.combine = (a, b) => combine(b, a);
            const event = super.look(block);
            this.combine = combine;
            return event;
        }
    },
    "the walk goes on past a prefix": class extends LookBack {
        look(block) {
            const event = super.look(block);
            if (event.kind === "found" && event.on > 0) block.phase = "look";
            return event;
        }
    },
    "two blocks claim one tile": class extends LookBack {
        claim(block) {
            const event = super.claim(block);
            if (this.ticket === 5 && this.tick % 2 === 0) this.ticket = 4;
            return event;
        }
    },
    "a tile's word is not made a prefix": class extends LookBack {
        publish(block) {
            const {words} = this;
            this.words = words.slice();
            const event = super.publish(block);
            this.words = words;
            if (block.tile === 3) this.words[3] = {state: "X"};
            return event;
        }
    }
};
for (const [what, Model] of Object.entries(broken)) {
    assert.throws(() => {
        for (const blocks of [2, 4, 5]) {
            for (const cost of [() => 2, (tile) => tile % 3 === 0 ? 6 : 1]) {
                run(make({items: 60, blocks, window: 2, cost, Model}));
            }
        }
    }, assert.AssertionError, what);
}
console.log(`${runs} runs, 2 stalls, ${Object.keys(broken).length} broken models noticed`);
