// A small deterministic model of the decoupled look-back (Merrill & Garland 2016, section 4.1).
//
// Blocks claim tiles in order, by ticket, and publish what they know in one status word for each
// tile: X nothing, A the tile's aggregate, P the fold of everything up to the tile's end. Time goes
// in ticks. In each tick, every block that is not stalled takes one step, block 0 first. There is
// no randomness and no clock: the same settings and stalls give the same run. The page shows the
// model, and tests/docs/look_back_test.js runs it under node.
//
// Invariants: a word goes from X to A to P (for tile 0 from X to P) and never back; a published
// value never changes; only neighbouring folds are combined, in order, so `combine` need not be
// commutative.
"use strict";

class LookBack {
    // items: the numbers to scan; window: how many words a block reads in one tick;
    // reduceTicks(tile): how many ticks it takes to load and reduce that tile, 1 or more.
    constructor({items, tileItems, blocks, window, combine, reduceTicks, scanTicks = 2}) {
        Object.assign(this, {items, tileItems, window, combine, reduceTicks, scanTicks});
        this.tiles = Math.ceil(items.length / tileItems);
        this.ticket = 0;
        this.tick = 0;
        this.words = Array.from({length: this.tiles}, () => ({state: "X"}));
        this.output = new Array(items.length);
        this.itemsRead = 0;
        this.itemsWritten = 0;
        this.wordsRead = 0;
        this.blocks = Array.from({length: blocks}, (_, index) => ({
            index, phase: "claim", tile: null, left: 0, stalled: false,
            from: null,     // the fold of tiles [from, tile) is in `before`
            before: null,
            read: [],       // the words read in this tick, nearest first
            waitsFor: null  // the tile whose word was X
        }));
    }

    get done() {
        return this.blocks.every((block) => block.phase === "done");
    }

    // One tick. Returns the events, as {block, kind, ...}.
    step() {
        this.tick += 1;
        const events = [];
        for (const block of this.blocks) {
            block.read = [];
            if (block.stalled || block.phase === "done") continue;
            block.waitsFor = null;
            const event = this[block.phase](block);
            if (event) events.push({block: block.index, tile: block.tile, ...event});
        }
        return events;
    }

    // The phases of a block.

    claim(block) {
        const tile = this.ticket;
        if (tile === this.tiles) {
            block.phase = "done";
            block.tile = null;
            return {kind: "done"};
        }
        this.ticket += 1;
        block.tile = tile;
        block.phase = "reduce";
        block.left = this.reduceTicks(tile);
        return {kind: "claim"};
    }

    reduce(block) {
        block.left -= 1;
        if (block.left > 0) return null;
        const items = this.itemsOf(block.tile);
        this.itemsRead += items.length;
        const aggregate = items.reduce(this.combine);
        if (block.tile === 0) {
            this.words[0] = {state: "P", aggregate, prefix: aggregate};
            this.beginScan(block);
            return {kind: "prefix", value: aggregate};
        }
        this.words[block.tile] = {state: "A", aggregate};
        block.phase = "look";
        block.from = block.tile;
        block.before = null;
        return {kind: "aggregate", value: aggregate};
    }

    // Reads up to `window` words, the nearest first: it goes past aggregates and stops at a prefix.
    // Tile 0 goes from X to P directly, so the walk ends there at the latest.
    look(block) {
        for (let reads = 0; reads < this.window; ++reads) {
            const tile = block.from - 1;
            const word = this.words[tile];
            block.read.push(tile);
            this.wordsRead += 1;
            if (word.state === "X") {
                block.waitsFor = tile;
                return {kind: "wait", on: tile};
            }
            const value = word.state === "P" ? word.prefix : word.aggregate;
            block.before = block.before === null ? value : this.combine(value, block.before);
            block.from = tile;
            if (word.state === "P") {
                block.phase = "publish";
                return {kind: "found", on: tile, value: block.before};
            }
        }
        return {kind: "look", on: block.from};
    }

    publish(block) {
        const {aggregate} = this.words[block.tile];
        const prefix = this.combine(block.before, aggregate);
        this.words[block.tile] = {state: "P", aggregate, prefix};
        this.beginScan(block);
        return {kind: "prefix", value: prefix};
    }

    beginScan(block) {
        block.phase = "scan";
        block.left = this.scanTicks;
    }

    scan(block) {
        block.left -= 1;
        if (block.left > 0) return null;
        let fold = block.tile === 0 ? null : block.before;
        this.itemsOf(block.tile).forEach((item, i) => {
            fold = fold === null ? item : this.combine(fold, item);
            this.output[block.tile * this.tileItems + i] = fold;
            this.itemsWritten += 1;
        });
        block.phase = "claim";
        return {kind: "scan"};
    }

    itemsOf(tile) {
        return this.items.slice(tile * this.tileItems, (tile + 1) * this.tileItems);
    }

    // Compares the written results with the sequential scan.
    check() {
        let written = 0;
        let wrong = 0;
        let fold = null;
        this.items.forEach((item, i) => {
            fold = fold === null ? item : this.combine(fold, item);
            if (this.output[i] === undefined) return;
            written += 1;
            if (this.output[i] !== fold) wrong += 1;
        });
        return {written, wrong, all: this.items.length};
    }

    // An independent copy, to step back to.
    copy() {
        const other = Object.create(LookBack.prototype);
        Object.assign(other, this);
        other.words = this.words.slice();  // words are replaced, never changed
        other.output = this.output.slice();
        other.blocks = this.blocks.map((block) => ({...block}));
        return other;
    }
}

if (typeof module !== "undefined") module.exports = LookBack;
