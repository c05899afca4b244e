"""The protocol of the drivers under Spin: every order of steps of the models in this folder.

Each model passes as it is, and fails with each of the flags that break one thing. `safe` looks for
a wrong state or a deadlock. `live` looks for an endless run that never finishes although every
process that can move does move (weak fairness). If waits block instead of looking again and again,
no model can go round in a circle, so without a deadlock every run ends.
"""
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# The model, the mode of the search, flags; if a flag breaks something, also what it breaks and what
# Spin finds.
CHECKS = [
    ("tickets", "safe", "SLOTS=3 LAUNCHES=3"),
    ("tickets", "safe", "TILES=4 LAUNCHES=3"),
    ("tickets", "safe", "SPLIT"),
    ("tickets", "live", "LAUNCHES=3"),
    ("tickets", "safe", "TILE_BY_BLOCK", "tile by block number instead of ticket", "a deadlock"),
    ("tickets", "live", "TILE_BY_BLOCK LAUNCHES=3",
     "the same, as an endless wait", "an endless run"),
    ("tickets", "safe", "EPOCH_STAYS",
     "the last claim does not start the next epoch", "a launch begins in a wrong epoch"),
    ("tickets", "safe", "ADVANCED_BY_FIRST",
     "the first block that finds no tile starts it", "a claim in a wrong epoch"),
    ("tickets", "safe", "UNTAGGED", "words without an epoch", "a wrong prefix"),
    ("tickets", "safe", "SPLIT EPOCH_BEFORE_VALUE",
     "the epoch written before the value", "a wrong prefix"),
    ("tickets", "safe", "NOT_CLEARED",
     "words not cleared when epochs begin again", "a wrong prefix"),
    ("tickets", "safe", "CLEARED_BY_LAST_CLAIM",
     "words cleared at the last claim", "cleared under a reader"),
    ("tickets", "safe", "CLEARED_BY_FIRST",
     "words cleared by the first block that is done", "a claim in a wrong epoch"),
    ("tickets", "safe", "FINISHED_STAYS",
     "the count of blocks that are done not set back", "a launch begins in a wrong epoch"),
    ("tickets", "safe", "STORED_BEFORE_LOOK_BACK",
     "in place, results before the look-back", "a wrong prefix"),
    ("pipelined", "safe", "LEAD=1"),
    ("pipelined", "safe", "LEAD=2 STAGES=3 TILES=3"),
    ("pipelined", "safe", "TEAMS=2 STAGES=3 TILES=3"),
    ("pipelined", "safe", "TEAMS=2 STAGES=3 TILES=3 FREED_UNSEEN",
     "teams in turns do not wait for 'freed'", "a stage taken for loaded too early"),
    ("pipelined", "safe", "LOOK_BACK_WARPS=2 STAGES=3 TILES=3"),
    ("pipelined", "safe", "TEAMS=2 TILES=3 ONE_END",
     "one mark of the end for two teams", "a deadlock"),
    ("pipelined", "safe", "LEAD=2 TILES=3", "a lead of as many tiles as stages", "a deadlock"),
    ("pipelined", "safe", "LEAD=2 STAGES=3 TILES=3 ONE_BY_ONE"),
    ("pipelined", "safe", "NOT_FREED TILES=3",
     "the loader does not wait for room", "a stage overwritten"),
    ("light", "safe", "SLOTS=1"),
    ("light", "safe", "SLOTS=3"),
    ("light", "safe", "SPLIT"),
    ("light", "live", "LAUNCHES=3"),
    ("light", "safe", "WITHOUT_HELP", "no block helps", "a deadlock"),
    ("light", "live", "WITHOUT_HELP LAUNCHES=3", "the same, as an endless wait", "an endless run"),
    ("light", "safe", "EPOCH_STAYS",
     "block 0 adds 1, as the others", "a launch begins in a wrong epoch"),
    ("light", "safe", "ADVANCED_BY_FIRST",
     "block 0 alone starts the next epoch", "a block in a wrong epoch"),
    ("light", "safe", "UNTAGGED", "words without an epoch", "a wrong prefix"),
    ("light", "safe", "SPLIT EPOCH_BEFORE_VALUE",
     "the epoch written before the value", "a wrong prefix"),
    ("light", "safe", "NOT_CLEARED", "words not cleared when epochs begin again", "a wrong prefix"),
    ("light", "safe", "CLEARED_BY_FIRST",
     "words cleared by the first block that is done", "a block in a wrong epoch"),
    ("light", "safe", "PUBLISHED_AFTER_STORE",
     "in place, published after the results", "a wrong prefix"),
    ("light", "safe", "NEVER_LOOKED_AGAIN", "a helper does not look again", "a wrong prefix"),
    ("light", "safe", "LOOKED_BEFORE_READING",
     "a helper looks again before it reads", "a wrong prefix"),
    ("cpu", "safe", ""),
    ("cpu", "safe", "KEPT"),
    ("cpu", "safe", "TILES=4 WORKERS=2"),
    ("cpu", "safe", "KEPT TILES=4 WORKERS=2"),
    ("cpu", "live", "WORKERS=2"),
    ("cpu", "live", "KEPT WORKERS=2"),
    ("cpu", "safe", "WITHOUT_HELP", "no worker reduces a lost worker's tile", "a deadlock"),
    ("cpu", "live", "WITHOUT_HELP WORKERS=2", "the same, as an endless wait", "an endless run"),
    ("cpu", "safe", "TILE_BY_WORKER",
     "tile by worker number instead of ticket", "a tile not emitted once"),
    ("cpu", "safe", "KEPT TILE_BY_WORKER", "the same, where no worker helps", "a deadlock"),
    ("cpu", "safe", "STATE_BEFORE_VALUE", "P before its value", "a wrong prefix"),
    ("cpu", "safe", "ONE_SLOT", "one slot for aggregate and prefix", "a wrong prefix"),
    ("cpu", "safe", "KEPT HELPED_IN_PLACE", "help where results overwrite items", "a wrong prefix"),
    ("cpu", "safe", "KEPT STORED_BEFORE_LOOK_BACK",
     "in place, results before the look-back", "a wrong prefix"),
    ("cpu", "safe", "KEPT FAILURE_UNSEEN", "a waiting worker does not see a failure", "a deadlock"),
]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def search(model, mode, flags, broken):
    """What Spin finds: ('', states) if it finds nothing, else the error."""
    defines = [f"-D{flag}" for flag in flags.split()]
    live = mode == "live"
    with tempfile.TemporaryDirectory() as folder:
        for source in HERE.glob("*.pml"):
            pathlib.Path(folder, source.name).write_text(source.read_text())
        code, text = run(["spin", "-a", *(["-DSPINNING"] if live else []), *defines,
                          model + ".pml"], folder)
        if code != 0 or "Error" in text:
            raise RuntimeError(f"spin -a {model}.pml {flags}:\n{text}")
        kind = ["-DNFAIR=2"] if live else ["-DSAFETY", "-DNOCLAIM"]
        # An error is found soon, so for a broken model compiling takes longer than the search.
        speed = "-O0" if broken else "-O1"
        code, text = run(["gcc", speed, "-w", "-DMEMLIM=1500", "-DCOLLAPSE", *kind,
                          "-o", "pan", "pan.c"], folder)
        if code != 0:
            raise RuntimeError(f"gcc, of {model}.pml {flags}:\n{text}")
        depth = ["-m200000", "-w22"]
        _, text = run(["./pan", *depth, *(["-a", "-f"] if live else [])], folder)
    states = re.search(r"(\d+) states, stored", text)
    errors = re.search(r"errors: (\d+)", text)
    if not states or not errors or "max search depth too small" in text:
        raise RuntimeError(f"pan, of {model}.pml {flags}, did not end its search:\n{text}")
    if errors.group(1) == "0":
        if "Search not completed" in text:
            raise RuntimeError(f"pan, of {model}.pml {flags}, did not end its search:\n{text}")
        return "", int(states.group(1))
    found = re.search(r"pan:1: (.*?)( \(at depth \d+\))?$", text, re.MULTILINE)
    return found.group(1), int(states.group(1))


def in_words(error):
    """The meaning of an error of Spin in these models."""
    for part, words in (
        ("prefix==right", "a wrong prefix"),
        ("invalid end state", "a deadlock"),
        ("acceptance cycle", "an endless run"),
        ("reading==0", "cleared under a reader"),
        ("claimed_epoch==", "a claim in a wrong epoch"),
        ("(epoch==", "a block in a wrong epoch"),
        ("counter", "a launch begins in a wrong epoch"),
        ("emitted", "a tile not emitted once"),
        ("loaded[", "a stage taken for loaded too early"),
        ("item_in", "a stage overwritten"),
    ):
        if part in error:
            return words
    return error


def check():
    """Prints a table; returns the models that had another result than expected."""
    wrong = []
    print(f"{'model':9} {'search':6} {'flags':38} {'broken':47} found")
    for model, mode, flags, *broken in CHECKS:
        error, states = search(model, mode, flags, broken)
        found = in_words(error) if error else f"nothing, in {states:,} states"
        expected = in_words(error) == (broken[1] if broken else "")
        if not expected:
            wrong.append(f"Spin: {model} {mode} {flags}: {found}")
        print(f"{model:9} {mode:6} {flags:38} {broken[0] if broken else '-':47} {found}"
              f"{'' if expected else '   NOT EXPECTED'}", flush=True)
    return wrong
