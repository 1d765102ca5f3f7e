"""Members of the ensemble on text: with each of the usual ones, without one of them, and with one more.

20 Newsgroups' training posts, tf-idf; the positives are the groups sci.*, talk.* or comp.*, of which 300 posts are
labelled, beside 5,000 unlabelled ones. (The benchmark's own positives, rec.*, have no say.) AUC and best F1 of the
other training posts.

    python benchmarks/text_members.py --data DIR
"""

import json
from pathlib import Path

import numpy as np
import torch
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_newsgroups
from trial_data import Population, load_newsgroups

from angularpu import PUEnsembleClassifier, Truth
from angularpu.methods.ensemble import FOR_TEXT
from angularpu.metrics.evaluation import evaluate

TASKS = ("sci.", "talk.", "comp.")
MORE = "random_forest"


def list_variants() -> dict[str, list[str]]:
    """Return the lists of members that are compared."""
    without = {f"without {name}": [other for other in FOR_TEXT if other != name] for name in FOR_TEXT}
    return {"all": list(FOR_TEXT), **without, f"with {MORE}": [*FOR_TEXT, MORE]}


def measure(
    population: Population, members: list[str], *, labelled: int, unlabelled: int, seed: int, epochs: int | None
) -> tuple[float, float]:
    """Fit an ensemble on one draw of posts and labels; return AUC and best F1 of the posts that are left."""
    rng = np.random.default_rng(seed)
    known = rng.choice(np.flatnonzero(population.y), labelled, replace=False)
    order = rng.permutation(np.setdiff1d(np.arange(len(population.y)), known))
    train, test = np.concatenate([known, order[:unlabelled]]), order[unlabelled:]
    s = (np.arange(len(train)) < labelled).astype(np.int8)
    options = {"epochs": epochs} if epochs else {}
    model = PUEnsembleClassifier(members=members, random_state=seed, **options).fit(population.x[train], s)
    found = evaluate(Truth(population.y[test]), model.score_samples(population.x[test]), threshold=0.0)
    return found["auc"], found["best_f1"]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--draws", type=int)
    full = {"draws": 2, "labelled": 300, "unlabelled": 5000, "min_df": 5, "tasks": TASKS, "epochs": None}
    quick = {"draws": 1, "labelled": 30, "unlabelled": 150, "min_df": 1, "tasks": TASKS[2:], "epochs": 1}
    arguments = parse(parser, full=full, quick=quick)
    torch.set_num_threads(1)
    rows = []
    with data_directory(arguments, write_newsgroups) as directory:
        for task in arguments.tasks:
            population = load_newsgroups(directory, positive=task, min_df=arguments.min_df)
            settings = {name: getattr(arguments, name) for name in ("labelled", "unlabelled", "epochs")}
            for name, members in list_variants().items():
                found = [measure(population, members, seed=seed, **settings) for seed in range(arguments.draws)]
                rows.append((f"{task}*", name, found))
                if not arguments.json:
                    show(rows[-1], base=next(row for row in rows if row[0] == f"{task}*"), first=len(rows) == 1)
    if arguments.json:
        print(json.dumps(rows, indent=1))


def show(row: tuple[str, str, list[tuple[float, float]]], *, base: tuple[str, str, list], first: bool) -> None:
    """Print one row, the first of a task in full and the others as differences to it."""
    task, name, found = row
    values = np.array(found)
    if first:
        print_header("positive", "members", "AUC", "best F1", "AUC rises")
    if row is base:
        print_row(task, name, *(f"{value:.4f}" for value in values.mean(axis=0)), "-")
        return
    difference = values - np.array(base[2])
    rises = f"{(difference[:, 0] > 0).sum()} of {len(difference)}"
    print_row(task, name, *(f"{value:+.4f}" for value in difference.mean(axis=0)), rises)


if __name__ == "__main__":
    main()
