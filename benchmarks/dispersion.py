"""The dispersion term against its naive forms: time and extra memory of one forward and backward pass.

    python benchmarks/dispersion.py [--rows 128 16384] [--threads N] [--quick] [--json]

``strips`` is ours. ``naive`` selects the off-diagonal pairs, as the formula reads; ``masked`` fills the diagonal
instead, which is faster. Every form runs in a process of its own, so that its peak memory is its own. Processor time of
one thread, unless more are asked for: threads that wait for each other stand still beside a busy program.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import time
from pathlib import Path

import torch
from command_line import make_parser, parse, print_header, print_row
from torch import Tensor

from angularpu.geometry.dispersion import dispersion
from angularpu.geometry.sphere import sample_uniform

DIMENSION, TEMPERATURE = 128, 2.0


def strips(z: Tensor) -> Tensor:
    return dispersion(z, TEMPERATURE)


def naive(z: Tensor) -> Tensor:
    pairs = (TEMPERATURE * z @ z.T)[~torch.eye(len(z), dtype=torch.bool)]
    return torch.logsumexp(pairs, 0) - math.log(len(z) * (len(z) - 1))


def masked(z: Tensor) -> Tensor:
    pairs = (TEMPERATURE * z @ z.T).masked_fill(torch.eye(len(z), dtype=torch.bool), -math.inf)
    return torch.logsumexp(pairs, (0, 1)) - math.log(len(z) * (len(z) - 1))


FORMS = {"strips": strips, "naive": naive, "masked": masked}


def peak_memory() -> int:
    """Peak resident memory of this process in bytes, since the last reset."""
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])


def reset_peak_memory() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def measure(form: str, rows: int, *, threads: int, repeats: int) -> dict[str, float]:
    torch.set_num_threads(threads)
    generator = torch.Generator().manual_seed(0)
    z = sample_uniform(rows, DIMENSION, generator=generator).requires_grad_()
    # A small pass first: the libraries' own set-up is no part of the form's memory.
    FORMS[form](sample_uniform(256, DIMENSION, generator=generator).requires_grad_()).backward()
    seconds = []
    reset_peak_memory()
    before = peak_memory()
    for _ in range(repeats):
        z.grad = None
        start = time.process_time()
        FORMS[form](z).backward()
        seconds.append(time.process_time() - start)
    return {"seconds": min(seconds), "extra_mb": (peak_memory() - before) / 2**20}


def run_apart(form: str, rows: int, *, threads: int, repeats: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--form", form, "--rows", str(rows), "--threads", str(threads)]
    output = subprocess.run([*command, "--repeats", str(repeats)], check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int, nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--form", choices=FORMS, help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, help=argparse.SUPPRESS)
    # The small size is over too soon to time once, the large one takes seconds.
    options = parse(parser, full={"rows": [128, 16384], "few": 3, "many": 2000}, quick={"rows": [128], "many": 3})
    if options.form:
        print(json.dumps(measure(options.form, options.rows[0], threads=options.threads, repeats=options.repeats)))
        return
    table = []
    for rows in options.rows:
        repeats = options.few if rows > 1024 else options.many
        found = {form: run_apart(form, rows, threads=options.threads, repeats=repeats) for form in FORMS}
        for form, row in found.items():
            ratio = row["seconds"] / found["strips"]["seconds"]
            table.append({"rows": rows, "threads": options.threads, "form": form, **row, "times_strips": ratio})
    if options.json:
        print(json.dumps(table, indent=1))
        return
    print_header("rows", "form", "seconds", "times ours", "extra memory", "threads")
    for row in table:
        numbers = (f"{row['seconds']:.6f}", f"{row['times_strips']:.1f}", f"{row['extra_mb']:.1f} MB")
        print_row(row["rows"], row["form"], *numbers, row["threads"])


if __name__ == "__main__":
    main()
