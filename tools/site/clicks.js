// Uses docs/look_back as a visitor would, in a browser. The outcome, "right" or a message, goes to
// the page around it (build.sh). Runs after view.js, on a page that has just been opened.
"use strict";

let outcome = "right";
try {
    const expect = (what, holds) => { if (!holds) throw new Error(what); };
    const click = (id, times = 1) => { for (let i = 0; i < times; ++i) at(id).click(); };
    const shown = () => at("tiles-list").textContent + at("blocks-list").textContent;
    const set = (id, value) => {
        at(id).value = value;
        at(id).dispatchEvent(new Event("input"));
    };
    const stallButtons = () => [...at("blocks-list").querySelectorAll("button")];
    const check = () => document.documentElement.dataset.check;

    const first = shown();
    click("step", 10);
    const tenth = shown();
    expect("step: ten ticks", at("tick").textContent === "10" && tenth !== first);
    click("step", 5);
    click("back", 5);
    expect("back: as it was", shown() === tenth);
    click("back", 10);
    expect("back to the beginning", shown() === first && at("back").disabled);

    set("blocks", 8);
    set("window", 1);
    set("tiles", 40);
    expect("settings", stallButtons().length === 8 && model.window === 1 && model.tiles === 40);
    dispatchEvent(new KeyboardEvent("keydown", {key: "a"}));
    for (let i = 0; i < 3; ++i) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
    }
    expect("keys", at("tick").textContent === "3");

    stallButtons()[2].click();
    click("step", 400);
    expect("a stalled block keeps others waiting", check() === "running");
    stallButtons()[2].click();
    click("step", 400);
    expect("all goes on", check() === "right" && at("step").disabled);

    for (const id of ["stall-late", "stall-early"]) {
        click(id);
        expect(`${id}: plays`, at("play").textContent === "Pause");
        click("play");
        click("step", 200);
        expect(`${id}: one is stalled`, model.blocks.filter((b) => b.stalled).length === 1);
        const left = model.words.filter((word) => word.state !== "P").length;
        expect(`${id}: who waits`, id === "stall-late" ? left === 1 : left > model.blocks.length);
    }
    const numbersBefore = shown();
    click("numbers");
    expect("other numbers", shown() !== numbersBefore && at("tick").textContent === "0");
    expect("nothing sticks out",
           document.documentElement.scrollWidth <= document.documentElement.clientWidth);
} catch (error) {
    outcome = error.message;
}
parent.postMessage(outcome, "*");
