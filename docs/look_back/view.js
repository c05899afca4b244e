// The page around the model (model.js): draws a state, and moves from one to the next.
// The page shows only what it reads from the model. Stepping back goes to a copy of the model.
// For tests and links, settings may be in the address: ?blocks=5&window=2&tiles=18&ticks=30;
// stall=late or stall=early starts one of the two experiments, and ticks=end makes the whole run.
"use strict";

const at = (id) => document.getElementById(id);
const tileItems = 3;
const speeds = [1200, 700, 400, 220, 110, 45];  // milliseconds a tick
const hues = [212, 22, 285, 160, 335, 48, 190, 250];
const colour = (block) => `hsl(${hues[block]} var(--chroma) var(--light))`;

let model;
let past = [];    // copies of the model, one for each tick
let recent = [];  // events, newest first
let timer = null;
let seed = 1;

// 0 to 9, the same for a seed each time (Numerical Recipes' generator).
function numbers(count) {
    let state = seed * 7919;
    return Array.from({length: count}, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * 10);
    });
}

function reset() {
    pause();
    const value = (id) => Number(at(id).value);
    const items = numbers(value("tiles") * tileItems);
    const costs = numbers(value("tiles") + 100).slice(100);
    model = new LookBack({
        items, tileItems, blocks: value("blocks"), window: value("window"),
        combine: (a, b) => a + b,
        reduceTicks: (tile) => 2 + costs[tile] % 4  // memory is not equally fast for all tiles
    });
    past = [];
    recent = [];
    build();
    draw();
}

function step() {
    if (model.done) return pause();
    past.push(model.copy());
    if (past.length > 1000) past.shift();
    const events = model.step();
    recent = [...events.map((event) => ({...event, tick: model.tick})).reverse(), ...recent];
    recent = recent.slice(0, 60);
    if (model.done) pause();
    draw();
}

function back() {
    pause();
    if (past.length === 0) return;
    const stalled = model.blocks.map((block) => block.stalled);
    model = past.pop();
    model.blocks.forEach((block, i) => { block.stalled = stalled[i]; });
    recent = recent.filter((event) => event.tick <= model.tick);
    draw();
}

function play() {
    if (model.done) reset();
    timer = setTimeout(function next() {
        timer = setTimeout(next, speeds[at("speed").value - 1]);
        step();
    }, 0);
    draw();
}

function pause() {
    clearTimeout(timer);
    timer = null;
}

// Begins again, runs until a block beyond the first tiles is in `phase`, and stalls that block
// there.
function stallIn(phase) {
    reset();
    const wanted = (block) => block.phase === phase && block.tile > 2 && block.left !== 1;
    while (!model.done && !model.blocks.some(wanted)) step();
    const block = model.blocks.find(wanted);
    if (block) block.stalled = true;
    draw();
}

// Drawing.

function element(parent, tag, name = "", text = "") {
    const made = parent.appendChild(document.createElement(tag));
    made.className = name;
    made.textContent = text;
    return made;
}

let tileParts;
let blockParts;

function build() {
    at("tiles-list").replaceChildren();
    tileParts = model.words.map((_, tile) => {
        const box = element(at("tiles-list"), "div", "tile");
        const name = element(box, "div", "name");
        element(name, "span", "", `tile ${tile}`);
        const holder = element(name, "span", "holder");
        const word = element(box, "div", "word");
        const state = element(word, "span", "state");
        const value = element(word, "span");
        const input = element(box, "div", "items in");
        model.itemsOf(tile).forEach((item) => element(input, "span", "", item));
        return {box, holder, state, value, output: element(box, "div", "items out")};
    });
    at("blocks-list").replaceChildren();
    blockParts = model.blocks.map((_, index) => {
        const line = element(at("blocks-list"), "li");
        line.style.setProperty("--hue", colour(index));
        const text = element(line, "div");
        const parts = {line, what: element(text, "div", "what"), sum: element(text, "div", "sum"),
                       button: element(line, "button")};
        parts.button.addEventListener("click", () => {
            model.blocks[index].stalled = !model.blocks[index].stalled;
            draw();
        });
        return parts;
    });
}

function draw() {
    for (const id of ["blocks", "window", "tiles", "speed"]) {
        at(`${id}-value`).textContent = at(id).value;
    }
    at("play").textContent = timer === null ? "Play" : "Pause";
    at("step").disabled = model.done;
    at("back").disabled = past.length === 0;
    at("tick").textContent = model.tick;
    model.words.forEach(drawTile);
    model.blocks.forEach(drawBlock);
    drawArcs();
    drawLog();
    drawCheck();
}

function drawTile(word, tile) {
    const parts = tileParts[tile];
    const holder = model.blocks.find((block) => block.tile === tile && block.phase !== "claim");
    parts.box.classList.toggle("held", holder !== undefined);
    parts.box.classList.toggle("stuck", holder !== undefined && holder.stalled);
    if (holder) parts.box.style.setProperty("--hue", colour(holder.index));
    parts.holder.textContent = holder ? holder.index : "";
    parts.state.className = `state ${word.state}`;
    parts.state.textContent = word.state;
    parts.value.textContent = {X: "", A: word.aggregate, P: word.prefix}[word.state];
    const results = model.output.slice(tile * tileItems, (tile + 1) * tileItems);
    parts.output.replaceChildren();
    for (const result of results) {
        if (result !== undefined) element(parts.output, "span", "", result);
    }
}

function doing(block) {
    switch (block.phase) {
        case "claim": return "claims the next tile";
        case "reduce": return `reduces tile ${block.tile}`;
        case "look":
            if (block.waitsFor !== null) return `tile ${block.tile}: waits for tile ${block.waitsFor}`;
            return `tile ${block.tile}: looks back`;
        case "publish": return `tile ${block.tile}: knows its prefix`;
        case "scan": return `scans tile ${block.tile}`;
        default: return "no tile is left";
    }
}

function drawBlock(block) {
    const parts = blockParts[block.index];
    parts.line.classList.toggle("stalled", block.stalled);
    const what = doing(block);
    parts.what.textContent = `${block.index} · ${block.stalled ? "stalled: " : ""}${what}`;
    const walks = block.phase === "look" || block.phase === "publish";
    const span = block.from === block.tile - 1 ? `tile ${block.from}`
        : block.phase === "publish" ? `everything before tile ${block.tile}`
        : `tiles ${block.from} to ${block.tile - 1}`;
    parts.sum.textContent = walks && block.before !== null ? `sum of ${span}: ${block.before}` : "";
    if (block.phase === "publish") {
        parts.sum.textContent = `sum of everything before it: ${block.before}`;
    }
    parts.button.textContent = block.stalled ? "Go on" : "Stall";
    parts.button.disabled = block.phase === "done";
}

// Draws arcs from a tile to the words that its block has read in this tick; an arc is dashed if the
// block waits for that word. An arc to a row above leaves at the left edge and comes in again at
// the right edge, as lines of text do.
function drawArcs() {
    const svg = at("arcs");
    svg.replaceChildren();
    const area = svg.getBoundingClientRect();
    const make = (tag, attributes, paint) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
        Object.assign(made.style, paint);
        svg.append(made);
    };
    for (const block of model.blocks) {
        const shift = (block.index - 3.5) * 5;  // arcs of several blocks lie side by side
        const top = (tile) => {
            const box = tileParts[tile].box.getBoundingClientRect();
            return {x: box.left + box.width / 2 + shift - area.left, y: box.top - area.top};
        };
        for (const tile of block.read) {
            const from = top(block.tile);
            const to = top(tile);
            const high = 20 + shift / 4;  // of the arc, within the space between rows
            const path = from.y === to.y
                ? `M${from.x} ${from.y} C${from.x} ${from.y - high}, ${to.x} ${to.y - high}, ` +
                  `${to.x} ${to.y}`
                : `M${from.x} ${from.y} Q${from.x} ${from.y - high * .75}, -8 ${from.y - high * .75} ` +
                  `M${area.width + 8} ${to.y - high * .75} Q${to.x} ${to.y - high * .75}, ${to.x} ${to.y}`;
            make("path", {d: path, class: tile === block.waitsFor ? "waits" : ""},
                 {stroke: colour(block.index)});
            make("circle", {cx: to.x, cy: to.y, r: 4.5}, {fill: colour(block.index)});
        }
    }
}

function sentence({kind, tile, on, value}) {
    switch (kind) {
        case "claim": return `claims tile ${tile}`;
        case "aggregate": return `publishes A of tile ${tile}: ${value}`;
        case "look": return `has added tile ${on}, and goes on`;
        case "wait": return `waits: tile ${on} is X`;
        case "found": return `finds P on tile ${on}`;
        case "prefix": return `publishes P of tile ${tile}: ${value}`;
        case "scan": return `has written tile ${tile}`;
        default: return "finds no tile left";
    }
}

function drawLog() {
    at("log").replaceChildren();
    for (const event of recent.slice(0, 8)) {
        const line = element(at("log"), "li", event.tick < model.tick ? "old" : "");
        element(line, "span", "dot").style.setProperty("--hue", colour(event.block));
        line.append(`${event.block} ${sentence(event)}`);
    }
}

function drawCheck() {
    const {written, wrong, all} = model.check();
    const verdict = document.createElement("b");
    verdict.className = wrong > 0 ? "bad" : "";
    verdict.textContent = wrong > 0 ? `${wrong} wrong` : written < all ? "all as in a loop"
        : "all as in a loop ✓";
    at("check").replaceChildren(
        `${model.itemsRead} of ${all} items read, ${written} results written, `, verdict,
        `. ${model.wordsRead} status words read.`);
    document.documentElement.dataset.check =
        wrong > 0 || model.itemsWritten !== written ? "wrong" : written < all ? "running" : "right";
}

// Controls.

at("play").addEventListener("click", () => {
    if (timer === null) return play();
    pause();
    draw();
});
at("step").addEventListener("click", () => { pause(); step(); });
at("back").addEventListener("click", back);
at("reset").addEventListener("click", reset);
at("numbers").addEventListener("click", () => { seed += 1; reset(); });
at("speed").addEventListener("input", draw);
for (const id of ["blocks", "window", "tiles"]) at(id).addEventListener("input", reset);
for (const [id, phase] of [["stall-late", "look"], ["stall-early", "reduce"]]) {
    at(id).addEventListener("click", () => {
        stallIn(phase);
        play();
        at("play").scrollIntoView();
    });
}
addEventListener("resize", drawArcs);
addEventListener("keydown", (event) => {
    if (event.target.closest("button, input") || event.ctrlKey || event.metaKey) return;
    const action = {" ": () => at("play").click(), ArrowRight: () => at("step").click(),
                    ArrowLeft: back}[event.key];
    if (!action) return;
    event.preventDefault();
    action();
});

const settings = new URLSearchParams(location.search);
for (const id of ["speed", "blocks", "window", "tiles"]) {
    if (settings.has(id)) at(id).value = settings.get(id);
}
reset();
if (settings.has("stall")) stallIn(settings.get("stall") === "late" ? "look" : "reduce");
const ticks = settings.get("ticks") === "end" ? 10000 : Number(settings.get("ticks") ?? 0);
for (let i = 0; i < ticks && !model.done; ++i) step();
