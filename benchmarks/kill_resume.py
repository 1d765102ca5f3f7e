"""Kill real ``angularpu fit`` processes with SIGKILL at many moments, rerun them, and compare the models' bytes.

    python benchmarks/kill_resume.py [--points 40] [--seed 0] [--quick] [--json]

Half of the moments are delays spread over the whole run; the other half lie right before one of the run's changes to
its directory (a rename, a removal, a new file or folder), and so right after the change before it: after each
checkpoint, during the final write, between the model's rename and the removal of its ``.part``. Prints the number of
kills, how many left a checkpoint to resume from, and the differences: if there are any, the exit code is 1.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from command_line import make_parser, parse, print_header, print_row

# Audit events come right before Python changes a directory: the process kills itself at the n-th one, or counts them.
LAUNCHER = """
import os, signal, sys
folder, target = os.path.abspath(sys.argv[1]), int(sys.argv[2])
at_fd = {"os.rename": 2, "os.remove": 1, "os.rmdir": 1, "os.mkdir": 2}  # which argument holds a folder's descriptor
seen = 0
def watch(event, arguments):
    global seen
    if event in at_fd:
        fd = arguments[at_fd[event]]
        path = os.path.join(os.readlink(f"/proc/self/fd/{fd}") if fd >= 0 else "", os.fspath(arguments[0]))
    elif event == "open" and isinstance(arguments[0], str) and "w" in (arguments[1] or ""):
        path = arguments[0]
    else:
        return
    if os.path.abspath(path).startswith(folder):
        seen += 1
        if seen == target:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
from angularpu.cli.main import main
code = main(sys.argv[3:])
if target == 0:
    print(seen)
sys.exit(code)
"""
LAST = 19  # changes from the final write to the removal of the .part: half of the exact moments lie among them
RUNS = {"hold-out": (2000, 400), "folds": (1200, 60)}  # rows, labelled positives
QUICK_RUNS = {"folds": (100, 20)}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--points", type=int, help="kills in all")
    parser.add_argument("--seed", type=int)
    full = {"points": 40, "seed": 0, "runs": RUNS}
    arguments = parse(parser, full=full, quick={"points": 2, "runs": QUICK_RUNS})
    rng = np.random.default_rng(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        shares = np.array_split(np.arange(arguments.points), len(arguments.runs))
        results = {
            name: kill_many(Path(folder) / name, size, points=len(share), rng=rng)
            for (name, size), share in zip(arguments.runs.items(), shares, strict=True)
        }
    if arguments.json:
        print(json.dumps(results, indent=1))
    else:
        columns = list(next(iter(results.values())))
        print_header("run", *(column.replace("_", " ") for column in columns))
        for name, result in results.items():
            print_row(name, *(len(value) if isinstance(value, list) else value for value in result.values()))
            for difference in result["differences"]:
                print(f"{name}: {difference}", file=sys.stderr)
    sys.exit(any(result["differences"] for result in results.values()))


def kill_many(folder: Path, size: tuple[int, int], *, points: int, rng: np.random.Generator) -> dict[str, Any]:
    """Kill runs on one data set at many moments and count what happened."""
    folder.mkdir()
    write_data(folder / "data.csv", size, rng=rng)
    started = time.perf_counter()
    expected = folder / "unkilled" / "model"
    changes = int(launch(folder, expected).communicate()[0])
    seconds = time.perf_counter() - started
    half = points // 4
    exact = np.concatenate([spread(1, changes - LAST, half), spread(changes - LAST + 1, changes, points // 2 - half)])
    delays = (np.arange(points - len(exact)) + rng.random(points - len(exact))) * seconds / (points - len(exact))
    killed = resumed = complete = 0
    differences = []
    for number, moment in enumerate([*exact.tolist(), *delays.tolist()]):
        model = folder / str(number) / "model"
        killed += kill(folder, model, moment)
        resumed += (model.parent / "model.part" / "checkpoint.safetensors").exists()
        was_complete = model.exists()
        complete += was_complete
        rerun = launch(folder, model)
        rerun.communicate()
        # A model in place may be refused with 2, for nothing is overwritten unasked; its bytes are compared anyway.
        if rerun.returncode not in ({0, 2} if was_complete else {0}):
            differences.append(f"{moment}: the rerun ended with {rerun.returncode}")
        elif read_all(model.parent) != read_all(expected.parent):
            differences.append(f"{moment}: other files or bytes")
    return {
        "points": len(exact) + len(delays),
        "at_changes": len(exact),
        "changes_in_a_run": changes,
        "killed_before_the_end": killed,
        "resumed_from_a_checkpoint": resumed,
        "model_was_in_place": complete,
        "seconds_unkilled": round(seconds, 2),
        "differences": differences,
    }


def spread(low: int, high: int, n: int) -> np.ndarray:
    """Return at most n different whole numbers from low to high, both included."""
    return np.unique(np.linspace(low, high, n).round().astype(int))


def launch(folder: Path, model: Path, target: int = 0) -> subprocess.Popen[str]:
    """Start a fit that kills itself before its ``target``-th change, or counts its changes."""
    fit = [
        "fit",
        str(folder / "data.csv"),
        "--label",
        "s",
        "--out",
        str(model),
        "--method",
        "angular",
        "--set",
        "epochs=4",
    ]
    command = [sys.executable, "-c", LAUNCHER, str(model.parent), str(target), *fit]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def kill(folder: Path, model: Path, moment: float) -> bool:
    """Run until a moment, a number of changes or a delay in seconds; return whether the kill came before the end."""
    if isinstance(moment, int):
        process = launch(folder, model, target=moment)
        process.communicate()
    else:
        process = launch(folder, model)
        try:
            process.wait(timeout=moment)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
    return process.returncode == -signal.SIGKILL


def read_all(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, whatever its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write_data(path: Path, size: tuple[int, int], *, rng: np.random.Generator) -> None:
    """Write two Gaussian classes of which some positives are labelled."""
    n, n_pos = size
    s = np.zeros(n, int)
    s[:n_pos] = 1
    x = rng.normal(size=(n, 8))
    x[: n // 2] += 1.0
    np.savetxt(path, np.column_stack([x, s]), delimiter=",", header="a,b,c,d,e,f,g,h,s", comments="", fmt="%.6g")


if __name__ == "__main__":
    main()
