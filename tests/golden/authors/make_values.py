"""Prints what the authors' own code gives for the inputs in values.json: `python make_values.py METHOD CHECKOUT`.

CHECKOUT is a clone of the repository that values.json names for the method, at the commit named there. None of its code
stands here: the functions are read from the clone and run as they are.
"""

import contextlib
import json
import sys
from pathlib import Path

import estimates
import objectives
import risks

VALUES = Path(__file__).parent / "values.json"
RUNS = {
    "nnpu": risks.run_nnpu,
    "imbpu": risks.run_imbpu,
    "self_pu": risks.run_self_pu,
    "pubn": risks.run_pubn,
    "apu": risks.run_apu,
    "vpu": objectives.run_vpu,
    "dist_pu": objectives.run_dist_pu,
    "punce": objectives.run_punce,
    "pico": objectives.run_pico,
    "tedn": estimates.run_tedn,
    "dedpul": estimates.run_dedpul,
    "pulscar": estimates.run_pulscar,
    "rank_pruning": estimates.run_rank_pruning,
    "tice": estimates.run_tice,
    "km2": estimates.run_km2,
}


def main() -> None:
    method, checkout = sys.argv[1], Path(sys.argv[2])
    inputs = json.loads(VALUES.read_text())[method]["inputs"]
    with contextlib.redirect_stdout(sys.stderr):  # some of the code prints
        outputs = RUNS[method](checkout, inputs)
    print(json.dumps(outputs))


if __name__ == "__main__":
    main()
