"""Training beside busy programs: the wall time of a fit alone, and beside as many busy programs as there are cores.

    python benchmarks/neighbours.py [--rows 20000] [--turns 3] [--quick] [--json] [--save]

The fit is a process of its own with the threads it chooses itself (OMP_NUM_THREADS is not set): AngularPU on 64
columns, one hold-out. A busy program is a process that counts. The two take turns. Alone means: beside whatever else
the machine does, so the ratio is worth most on an idle machine; the load before the first turn is printed.
"""

import os
import subprocess
import sys
import time

from command_line import parse
from turns import compare, make_turns_parser, tell

FIT = """
import sys, time, numpy as np
from angularpu import AngularPUClassifier
n = int(sys.argv[1])
x = np.random.default_rng(0).normal(size=(n, 64)).astype(np.float32)
started = time.perf_counter(), time.process_time()
model = AngularPUClassifier(validation="hold-out", epochs=int(sys.argv[2]), patience=99, prior=0.3)
model.fit(x, np.arange(n) < n // 20)
print(time.perf_counter() - started[0], time.process_time() - started[1])
"""
BUSY = "while True: pass"


def fit(rows: int, epochs: int) -> tuple[float, float]:
    """Return the wall time and the processor time of a fit."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    command = [sys.executable, "-W", "ignore", "-c", FIT, str(rows), str(epochs)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    wall, processor = map(float, done.stdout.split())
    return wall, processor


def fit_beside(programs: int, rows: int, epochs: int) -> tuple[float, float]:
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(programs)]
    try:
        time.sleep(0.5)
        return fit(rows, epochs)
    finally:
        for program in busy:
            program.kill()
            program.wait()


def main() -> None:
    full, quick = {"rows": 20_000, "turns": 3, "epochs": 5}, {"rows": 1_000, "turns": 1, "epochs": 1}
    arguments = parse(make_turns_parser(__doc__), full=full, quick=quick)
    cores = os.cpu_count() or 1
    load = os.getloadavg()[0]
    alone, beside = [], []
    for _ in range(arguments.turns):
        alone.append(fit(arguments.rows, arguments.epochs))
        beside.append(fit_beside(cores, arguments.rows, arguments.epochs))
    ratios = [
        compare(
            f"busy neighbours, {kind}",
            (f"fit beside {cores} busy programs", [each[place] for each in beside]),
            ("the same fit alone", [each[place] for each in alone]),
            bar="at most 2.20" if place == 0 else "",
        )
        for place, kind in enumerate(("wall time", "processor time"))
    ]
    walls = [[round(wall, 1) for wall, _ in each] for each in (alone, beside)]
    text = f"load before: {load:.1f}; seconds alone {walls[0]}, beside {walls[1]}"
    tell(arguments, ratios, {"alone": alone, "beside": beside, "load": load}, text)


if __name__ == "__main__":
    main()
