"""Every claim of the paper, judged by our runs: by its own schedule, with the chosen epoch, and fine-tuned."""

from collections.abc import Sequence

from angularpu_bench.paper.claim import OWN, PUBLISHED, RUNS, Claim, Judged, Words
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.finding import (
    AUC_MARGIN,
    CLAIMS,
    FEWEST,
    LIKELY,
    MARGIN,
    SURE,
    Finding,
    Gain,
    judge_gains,
    measure_gain,
)
from angularpu_bench.paper.sections.claim_picture import draw_claims
from angularpu_bench.paper.sections.geometry import AS_PRINTED, CHOSEN, COSINE, DISTANCE, PAIRS
from angularpu_bench.paper.sections.judgements import (
    CONTRASTIVE,
    LITTLE,
    OURS,
    STABLE,
    judge_components,
    judge_leaning,
    judge_linear,
    judge_margin,
    judge_normalisation,
    judge_peak,
    judge_priors,
    judge_rivals,
    judge_scarcity,
    judge_seeds,
    judge_weights_by_geometry,
)
from angularpu_bench.paper.sections.sensitivity import SCHEDULES
from angularpu_bench.paper.sentence import answer, write_sentence
from angularpu_bench.report.names import AS_PUBLISHED, name_dataset, name_method
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Section
from angularpu_bench.report.table import NONE, Field, Table

TITLE = "What holds and what does not"
SENTENCES = "Each claim in a sentence"
FULL = "full"
NUMBER_COLUMNS = ("claim", "runs", "verdict", "numbers")
NOTES = (
    "Each claim of the paper against three kinds of runs: the paper's own schedule (15 epochs, the last one kept) and "
    "our own (the epoch that held-out PU-AUC chooses), both on frozen features, tables and text; and the last two "
    "blocks of VGG16 fine-tuned, with the chosen epoch but for the two geometries, which keep the last of five. A "
    "dash: nothing of the kind is planned.",
    "Most claims are differences. These are paired by draw of labels and averaged within every data set, two groupings "
    "of the same images counting as one. The numbers are the mean over data sets, tracks pooled, its 95 % t interval, "
    "and three chances that follow by Bayes' rule with a flat prior: that the mean over all such data sets is better, "
    f"equal or worse, where equal means by less than {AUC_MARGIN:g} in AUC, {MARGIN:g} in any other metric. A claim "
    "**holds**, its **opposite holds**, or there is **no difference that matters**, where that chance is at least "
    f"{SURE:.4f}, which is 1 - 0.05/{CLAIMS} because {CLAIMS} claims are judged. It is **no worse**, or **no better**, "
    f"where only the contrary is ruled out as surely. **Probably** stands before what would be said with a chance of "
    f"{LIKELY:g}, as if one claim alone were judged. Where not even that can be said of data sets at large, the "
    "verdict counts these: on how many the draws of labels make the claim better, equal or worse with a chance of "
    f"{LIKELY:g} at least; **mixed** means that it is better on some and worse on others, and **unclear** "
    "that no single data set says anything either.",
    "A claim to be better than all others does not hold if it is not better than one of them, and holds if it is "
    "better than each, by AUC; a best setting is compared with every other value of its grid in the same way. A claim "
    "that is no difference holds if all of its numbers keep the bound that it names, fails if none does, and holds in "
    f"part otherwise. With fewer than {FEWEST} data sets the verdict is not bold: look at the numbers. How many seeds "
    "stand behind each number is in the tables.",
    f"The one-word answer is that of the kinds of runs with at least {FEWEST} data sets. It is **in part** where the "
    "claim holds by one of them or for one of its metrics, **not shown** where neither the claim nor its contrary can "
    "be said of all of them, and **open** where there are too few data sets. Sizes in brackets are means over data "
    "sets.",
)


def make_section(evidence: Evidence) -> Section:
    """Make the picture, a sentence for each claim, and the tables of verdicts and of the numbers behind them."""
    claims = list_claims(evidence)
    verdicts = tuple((Field(claim.text), *(_show_verdict(claim, runs) for runs in RUNS)) for claim in claims)
    sentences = tuple((Field(claim.text), Field(answer(claim)), Field(write_sentence(claim))) for claim in claims)
    numbers = tuple(
        (Field(claim.text), Field(each.name), Field(str(each.finding)), Field(each.finding.evidence or NONE))
        for claim in claims
        for each in claim.judged
    )
    return Section(
        TITLE,
        [
            *draw_claims(claims, runs=RUNS),
            Table(SENTENCES, ("claim", "answer", "what our runs say"), sentences),
            Table("Verdicts", ("claim", *RUNS), verdicts, folded="Every verdict, by kind of runs"),
            *NOTES,
            Table("The numbers behind the verdicts", NUMBER_COLUMNS, numbers, folded="Every claim in numbers"),
        ],
    )


def list_claims(evidence: Evidence) -> list[Claim]:
    """Judge all claims, grouped by experiment."""
    results = evidence.results.finished
    main = results.where(spec="main")  # other specs of this kind are other tracks
    tuned = results.where(kind="blocks")
    geometry, sensitivity, scarcity, scale = (
        results.where(kind=kind) for kind in ("geometry", "sensitivity", "scarcity", "scale")
    )
    ours = sensitivity.where(branch="")
    return [
        _claim(
            "It is better than the methods it is compared with",
            published=judge_rivals(main, AS_PUBLISHED),
            own=judge_rivals(main),
            tuned=judge_rivals(tuned),
        ),
        *_list_components(results),
        *_list_geometry(geometry, tuned),
        _peak(sensitivity, "lambda_", text="λ peaks near 0.5", best=(0.5,)),
        _peak(sensitivity, "kappa", text="κ is best from 3 to 5", best=(3.0, 5.0)),
        _peak(sensitivity, "margin", text="A fixed margin is best near 0.5", best=(0.5,)),
        _claim(
            "Decisions lean to recall",
            Words("recall", "exceed", "fall short of", "precision at the {}"),
            published=judge_leaning(main, AS_PUBLISHED),
            own=judge_leaning(main),
        ),
        _claim(
            "Its recall is above that of contrastive rivals",
            Words("AngularPU", "find more positives than", "find fewer positives than"),
            published=_judge_recall(main, AS_PUBLISHED),
            own=_judge_recall(main, OURS),
        ),
        _claim("Training scales linearly in the unlabelled rows", own=judge_linear(scale)),
        _claim(
            "It helps in high dimension (of the sphere)",
            Words("a sphere of 256 dimensions in place of 16", "raise", "lower"),
            own=_judge_dimension(ours),
        ),
        _claim(
            "It helps most with few labelled positives",
            Words("AngularPU", "gain on", "lose on", "{} when labels are few"),
            own=judge_scarcity(scarcity),
        ),
        _claim(f"It is stable across class priors (AUC within {STABLE:g})", own=judge_priors(ours)),
        _claim(
            "Seeds vary less than for contrastive rivals",
            Words("AngularPU's AUC", "vary less than that of", "vary more than that of"),
            published=judge_seeds(main, AS_PUBLISHED),
            own=judge_seeds(main),
        ),
    ]


def _claim(
    text: str,
    words: Words | None = None,
    /,
    *,
    published: Finding | None = None,
    own: Finding | None = None,
    tuned: Finding | None = None,
) -> Claim:
    found = zip(RUNS, (published, own, tuned), strict=True)
    return Claim(text, tuple(Judged(runs, runs, finding) for runs, finding in found if finding is not None), words)


def _show_verdict(claim: Claim, runs: str) -> Field:
    """Show what one kind of runs says, in bold if enough data sets are behind all of it."""
    judged = [each for each in claim.judged if each.runs == runs]
    if len(judged) == 1:
        return Field(str(judged[0].finding), bold=judged[0].finding.firm)
    told = "; ".join(f"{each.name.removeprefix(f'{runs}, ')}: {each.finding}" for each in judged)
    return Field(told or NONE, bold=bool(judged) and all(each.finding.firm for each in judged))


def _list_components(results: Results) -> list[Claim]:
    """Judge the claims about the parts of the method: by either schedule of the ablation, and fine-tuned."""
    ablation, blocks = results.where(kind="ablation"), results.where(kind="blocks")
    schedules = {
        "published": (ablation.where(branch="published"), FULL),
        "own": (Results(tuple(row for row in ablation if row.branch != "published")), FULL),
        "tuned": (blocks, OURS),
    }

    def judge(without: str, *, only_frozen: bool = False, **metrics: str) -> dict[str, Finding]:
        return {
            name: judge_gains(
                {
                    told.replace("_", "-"): measure_gain(
                        rows.where(label=full), rows.where(label=without), metric=metric
                    )
                    for told, metric in metrics.items()
                }
            )
            for name, (rows, full) in schedules.items()
            if not (only_frozen and name == "tuned")
        }

    return [
        _claim(
            "The regulariser helps AUC and AP",
            Words("the regulariser", "raise", "lower"),
            **judge("no-regulariser", AUC="auc", AP="ap"),
        ),
        _claim(
            "The weights help F1",
            Words("weighting", "raise", "lower", "F1 at the {} threshold"),
            **judge("no-weights", oracle="f1_oracle", PU_valid="f1_pu"),
        ),
        _claim(
            "Dispersion on U alone beats dispersion on all rows",
            Words("dispersion on U alone", "raise", "lower"),
            **judge("regulariser-on-all", only_frozen=True, AUC="auc", AP="ap"),
        ),
        _claim(
            f"A fixed margin changes little (AUC by less than {LITTLE:g})",
            Words("training the margin", "raise", "lower"),
            **{name: judge_margin(*both) for name, both in schedules.items()},
        ),
        _claim(
            "The full model beats each of its ablations everywhere",
            **{name: judge_components(*both) for name, both in schedules.items()},
        ),
    ]


def _list_geometry(geometry: Results, tuned: Results) -> list[Claim]:
    """Judge the claims about cosine and distance."""
    gains = {
        name: measure_gain(*(geometry.where(label=label) for label in both), metric="ap")
        for name, both in PAIRS.items()
    }
    others = [f"{name} {gain}" for name, gain in gains.items() if gain and name not in (AS_PRINTED, CHOSEN)]
    last = measure_gain(tuned.where(label=COSINE), tuned.where(label=DISTANCE), metric="ap")
    return [
        _claim(
            "Cosine beats L2",
            Words("the cosine in place of the distance", "raise", "lower"),
            published=_judge_pair(gains[AS_PRINTED], others),
            own=_judge_pair(gains[CHOSEN]),
            tuned=_judge_pair(last),
        ),
        _claim(
            "L2 with rows normalised at evaluation narrows the gap to cosine", published=judge_normalisation(geometry)
        ),
        _claim(
            "The weights gain more with cosine than with L2",
            Words("the cosine", "gain more than L2 by", "gain less than L2 by"),
            published=judge_weights_by_geometry(geometry),
        ),
    ]


def _judge_pair(gain: Gain | None, details: Sequence[str] = ()) -> Finding:
    by_dataset = gain.by_dataset if gain else {}
    apart = [f"{name_dataset(dataset)} {value:+.4f}" for dataset, value in by_dataset.items()]
    return judge_gains({"AP": gain}, details=[*apart, *details])


def _peak(sensitivity: Results, parameter: str, *, text: str, best: tuple[float, ...]) -> Claim:
    """Judge the best value of a setting by every schedule of its grid."""
    judged = []
    for branch, name in SCHEDULES[parameter].items():
        finding = judge_peak(sensitivity.where(branch=branch), parameter, best=best)
        judged.append(Judged(PUBLISHED if branch else OWN, name, finding))
    return Claim(text, tuple(sorted(judged, key=lambda each: RUNS.index(each.runs))))


def _judge_recall(main: Results, ours: str) -> Finding:
    own = main.where(label=ours)
    return judge_gains(
        {
            name_method(rival): measure_gain(own, main.where(label=rival), metric="recall_oracle")
            for rival in CONTRASTIVE
        },
        details=["all of them at the oracle threshold"],
    )


def _judge_dimension(sensitivity: Results) -> Finding:
    high, low = (sensitivity.where(variant=f"d={d}") for d in (256, 16))
    return judge_gains({"AUC": measure_gain(high, low, metric="auc")}, details=["at d = 256 minus d = 16"])
