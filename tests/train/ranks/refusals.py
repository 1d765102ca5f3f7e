"""Started by torchrun: give the command what it refuses on several ranks, and print what each rank says."""

import contextlib
import io
import os
import sys

from angularpu.cli.main import main


def list_commands(folder: str, rank: str) -> dict[str, list[str]]:
    """Return commands as one rank is given them."""
    first, data = rank == "0", f"{folder}/data.csv"
    model = ["--label", "s", "--out", f"{folder}/model"]
    quick = [*model, "--method", "angular", "--set", "epochs=1"]
    return {
        "other data": ["fit", data if first else f"{folder}/other.csv", *quick],
        "no data": ["fit", data if first else f"{folder}/absent.csv", *quick],
        "other settings": ["fit", data, *quick, "--seed", rank],
        "no network": ["fit", data, *model, "--method", "extra_trees"],
        "no model": ["fit", data, *quick, "--out", f"{folder}/taken"],
        "no fit": ["info", f"{folder}/taken"],
        "no option": ["fit", data, "--colour", "red"],
    }


def give_all(folder: str, ports: list[str]) -> None:
    """Give one command after another; torchrun's own port is good for one meeting, so each has another."""
    rank = os.environ["RANK"]
    os.environ["TORCHELASTIC_USE_AGENT_STORE"] = "False"
    for port, (name, command) in zip(ports, list_commands(folder, rank).items(), strict=True):
        os.environ["MASTER_PORT"] = port
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = main(command)
        errors = [line for line in said.getvalue().splitlines() if line.startswith("Error")]
        sys.stdout.write(f"{name} | rank {rank} | {code} | {'; '.join(errors)}\n")  # at once: print may be cut in two


if __name__ == "__main__":
    give_all(sys.argv[1], sys.argv[2:])
