"""Peak memory of a fit against the loop written by hand, each in a process of its own, in turns.

    python benchmarks/memory_of_a_fit.py [--rows 60000] [--turns 2] [--quick] [--json] [--save]

Rows of 784 numbers in a .npy file, AngularPU on the MLP, one epoch, one thread. By hand: the file is read, standardised
and trained on, as benchmarks/epochs.py has it. Both import what they need and no more.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from command_line import parse
from scoring import run
from turns import compare, make_turns_parser, tell

OURS = """
import sys, numpy as np
from angularpu import AngularPUClassifier
x = np.load(sys.argv[1])
model = AngularPUClassifier(validation="hold-out", epochs=1, prior=0.3)
model.fit(x, np.arange(len(x)) < len(x) // 60)
"""
BY_HAND = """
import sys, numpy as np, torch
from epochs import AngularByHand, angular_by_hand, make_by_hand
torch.set_num_threads(1)
x = np.load(sys.argv[1])
x = (x - x.mean(0)) / x.std(0)
make_by_hand(AngularByHand(), angular_by_hand, x, len(x) // 60, fused=True)()
"""


def main() -> None:
    arguments = parse(make_turns_parser(__doc__), full={"rows": 60_000, "turns": 2}, quick={"rows": 6_000, "turns": 1})
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    peaks: dict[str, list[float]] = {"ours": [], "by hand": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        np.save(path, np.random.default_rng(0).normal(size=(arguments.rows, 784)).astype(np.float32))
        for _ in range(arguments.turns):
            for name, code in (("ours", OURS), ("by hand", BY_HAND)):
                peaks[name].append(run([sys.executable, "-W", "ignore", "-c", code, str(path)]).peak / 1e6)
    ratio = compare(
        "peak memory", ("AngularPU", peaks["ours"]), ("AngularPU by hand", peaks["by hand"]), bar="at most 1.05"
    )
    text = ", ".join(f"{name} {max(each):.0f}" for name, each in peaks.items())
    tell(arguments, [ratio], {"megabytes": peaks}, f"megabytes: {text}")


if __name__ == "__main__":
    main()
