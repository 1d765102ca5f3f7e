"""Started by torchrun: give the command what it refuses on several ranks, and print rank 0's exit codes."""

import contextlib
import io
import os
import sys

from angularpu.cli.main import main

folder = sys.argv[1]
first = os.environ["RANK"] == "0"
quick = ["--label", "s", "--out", f"{folder}/model", "--method", "angular", "--set", "epochs=1"]
commands = {
    "other data": ["fit", f"{folder}/{'data' if first else 'other'}.csv", *quick],
    "no data": ["fit", f"{folder}/{'data' if first else 'absent'}.csv", *quick],
    "other settings": ["fit", f"{folder}/data.csv", *quick, "--seed", os.environ["RANK"]],
    "no network": ["fit", f"{folder}/data.csv", *quick[:4], "--method", "extra_trees"],
    "no model": ["fit", f"{folder}/data.csv", *quick, "--out", f"{folder}/taken"],
    "no fit": ["info", f"{folder}/taken"],
    "no option": ["fit", f"{folder}/data.csv", "--colour", "red"],
}
os.environ["TORCHELASTIC_USE_AGENT_STORE"] = "False"
for port, (name, command) in zip(sys.argv[2:], commands.items(), strict=True):
    os.environ["MASTER_PORT"] = port  # torchrun's own is good for one meeting
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = main(command)
    lines = [line for line in said.getvalue().splitlines() if line.startswith("Error")]
    print(f"{name} | rank {os.environ['RANK']} | {code} | {'; '.join(lines)}", flush=True)
