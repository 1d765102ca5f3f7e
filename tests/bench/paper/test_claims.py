import pytest
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu_bench.paper.claim import OWN, PUBLISHED, TUNED
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.finding import (
    CLAIMS,
    EQUAL,
    FAILS,
    HOLDS,
    NO_BETTER,
    NO_WORSE,
    NOT_RUN,
    OPEN,
    OPPOSITE,
    PARTLY,
    SURE,
    judge_gains,
    make_gain,
    measure_gain,
)
from angularpu_bench.paper.sections.claims import list_claims, make_section
from angularpu_bench.report.results import Results

SETS = ("a", "b", "c")


@pytest.fixture
def judge(published, join):
    """A function that judges results and returns each finding by claim and by the full name of its runs."""

    def judge(*parts):
        claims = list_claims(Evidence(join(*parts), published))
        return {(claim.text, each.name): each.finding for claim in claims for each in claim.judged}

    return judge


@pytest.fixture
def ablation(make_rows, join):
    def ablation(full, without, *, variant, spec="ablation", name="full"):
        return join(
            *(
                make_rows({"angular": [auc]}, spec=spec, dataset=dataset, variant=label)
                for dataset, both in zip(SETS, zip(full, without, strict=True), strict=False)
                for label, auc in zip((name, variant), both, strict=True)
            )
        )

    return ablation


@pytest.fixture
def geometry(make_rows):
    def geometry(aucs, spec="geometry"):
        return [
            make_rows({"angular": [auc]}, spec=spec, variant=name, dataset=dataset)
            for name, auc in aucs.items()
            for dataset in SETS
        ]

    return geometry


def test_a_claim_without_runs_is_not_judged(judge):
    assert {finding.verdict for finding in judge().values()} == {NOT_RUN}


@pytest.mark.parametrize(
    ("without", "verdict"),
    [
        ([0.8, 0.79, 0.81], HOLDS),
        ([0.96, 0.961, 0.96], OPPOSITE),
        ([0.8, 0.7, 0.98], f"{OPEN}: higher on 2 of 3 data sets"),
    ],
)
def test_the_regulariser_is_judged_by_its_gain_over_data_sets(judge, ablation, without, verdict):
    found = judge(ablation([0.9, 0.9, 0.9], without, variant="no-regulariser"))
    finding = found["The regulariser helps AUC and AP", OWN]
    assert finding.verdict == verdict
    assert finding.evidence.startswith("AUC ")


@pytest.mark.parametrize(
    ("claim", "variant", "ahead", "behind"),
    [
        ("The regulariser helps AUC and AP", "no-regulariser", HOLDS, OPPOSITE),
        ("The weights help F1", "no-weights", HOLDS, OPPOSITE),
        ("A fixed margin changes little (AUC by less than 0.005)", "fixed-margin", FAILS, FAILS),
        ("The full model beats each of its ablations everywhere", "no-weights", HOLDS, FAILS),
    ],
)
def test_components_are_judged_by_each_kind_of_runs_apart(judge, ablation, claim, variant, ahead, behind):
    without = [0.8, 0.79, 0.81]
    chosen = ablation([0.9, 0.9, 0.9], without, variant=variant)
    last = ablation([0.7, 0.7, 0.7], without, variant=variant, spec="ablation-published")
    tuned = ablation([0.9, 0.9], without[:2], variant=variant, spec="blocks", name="")
    found = judge(chosen, last, tuned)
    assert [found[claim, runs].verdict for runs in (OWN, PUBLISHED)] == [ahead, behind]
    assert str(found[claim, TUNED]).endswith(" (2 data sets)")
    for part, runs in ((chosen, OWN), (last, PUBLISHED), (tuned, TUNED)):
        alone = judge(part)
        assert alone[claim, runs] == found[claim, runs]
        assert {alone[claim, other].verdict for other in (OWN, PUBLISHED, TUNED) if other != runs} == {NOT_RUN}


def test_fewer_than_three_data_sets_give_no_verdict_in_bold(ablation, published, tables, fields):
    for n in (2, 3):
        rows = ablation([0.9] * n, [0.8] * n, variant="no-regulariser", spec="ablation-published")
        _, verdicts, _ = tables(make_section(Evidence(rows, published)))
        field = fields(verdicts)["The regulariser helps AUC and AP"][PUBLISHED]
        assert (field.text, field.bold) == (("holds", True) if n == 3 else ("holds (2 data sets)", False))
        assert fields(verdicts)["The regulariser helps AUC and AP"][OWN].text == "not run"
        assert not fields(verdicts)["The regulariser helps AUC and AP"][OWN].bold
        assert fields(verdicts)["Dispersion on U alone beats dispersion on all rows"][TUNED].text == "-"


def test_the_numbers_stand_below_the_verdicts_run_by_run(ablation, published, tables):
    rows = ablation([0.9] * 3, [0.8] * 3, variant="no-regulariser", spec="ablation-published")
    _, _, numbers = tables(make_section(Evidence(rows, published)))
    shown = {(row[0].text, row[1].text): row[3].text for row in numbers.rows}
    assert shown["The regulariser helps AUC and AP", PUBLISHED].startswith(
        "AUC +0.1000 [+0.1000, +0.1000], better 1.00, equal 0.00, worse 0.00, higher on 3"
    )
    assert shown["The regulariser helps AUC and AP", OWN] == "-"


def test_a_data_set_with_many_seeds_counts_once(make_rows):
    first = [*make_rows({"angular": [0.9] * 9}, dataset="a"), *make_rows({"angular": [0.5]}, dataset="b")]
    second = [*make_rows({"naive": [0.8] * 9}, dataset="a"), *make_rows({"naive": [0.6]}, dataset="b")]
    gain = measure_gain(Results(tuple(first)), Results(tuple(second)), metric="auc")
    assert gain.mean == pytest.approx(0)
    assert str(gain).endswith("higher on 1 of 2 data sets")


def test_metrics_that_disagree_are_named_one_by_one(make_rows, join):
    both = join(
        *(make_rows({"angular": [a], "naive": [0.8]}, dataset=d, ap=0.5) for d, a in (("a", 0.9), ("b", 0.9001)))
    )
    ours, naive = both.where(method="angular"), both.where(method="naive")
    gains = {metric: measure_gain(ours, naive, metric=metric) for metric in ("auc", "ap")}
    assert judge_gains(gains).verdict == f"auc: {HOLDS}; ap: {EQUAL}"


@pytest.fixture
def sweep(make_rows):
    """A function that makes one value of a setting after the other, each with an AUC on every data set."""

    def sweep(parameter, aucs, *, spec="sensitivity"):
        return [
            make_rows({"angular": [auc]}, spec=spec, variant=f"{parameter}={value}", dataset=dataset)
            for value, by_dataset in aucs.items()
            for dataset, auc in zip(SETS, by_dataset, strict=True)
        ]

    return sweep


@pytest.mark.parametrize(
    ("aucs", "verdict"),
    [
        ({"0.1": (0.8, 0.8, 0.81), "0.5": (0.9, 0.9, 0.9)}, HOLDS),
        ({"0.1": (0.95, 0.95, 0.96), "0.5": (0.9, 0.9, 0.9)}, FAILS),
        ({"0": (0.7, 0.7, 0.7), "0.1": (0.95, 0.95, 0.96), "0.5": (0.9, 0.9, 0.9)}, FAILS),
        ({"0.1": (0.8, 0.9, 0.8), "0.5": (0.9, 0.8, 0.9)}, f"{OPEN}: ahead of 1 of 1 other values on most data sets"),
        ({"0.1": (0.8, 0.8, 0.8)}, NOT_RUN),
    ],
)
def test_a_peak_is_a_claimed_value_that_is_ahead_of_every_other(judge, sweep, aucs, verdict):
    name = "chosen epoch, margin trained"
    assert judge(*sweep("lambda_", aucs))["λ peaks near 0.5", name].verdict == verdict


def test_many_other_values_do_not_outdo_the_claimed_one_by_their_number(judge, sweep):
    aucs = {"0.5": (0.9, 0.9, 0.9)}
    for shift, value in enumerate((0.0, 0.1, 0.3, 0.75, 1.0)):  # each is best once by chance, and worse on average
        aucs[f"{value:g}"] = tuple(0.905 if shift % 3 == i else 0.85 for i in range(3))
    finding = judge(*sweep("lambda_", aucs))["λ peaks near 0.5", "chosen epoch, margin trained"]
    assert (
        finding.verdict == f"{OPEN}: ahead of 5 of 5 other values on most data sets"
    )  # the greatest of the others would be ahead on all three
    assert "AUC at λ = 0.5 minus at 0 +0.0317" in finding.evidence


def test_a_range_is_judged_by_the_mean_of_its_values(judge, sweep):
    aucs = {"1": (0.7, 0.71, 0.7), "3": (0.9, 0.9, 0.9), "5": (0.8, 0.8, 0.8), "10": (0.84, 0.84, 0.8399)}
    found = judge(*sweep("kappa", aucs, spec="sensitivity-published"))
    finding = found["κ is best from 3 to 5", "published schedule, m = 0.5"]
    assert finding.verdict == HOLDS
    assert "mean AUC at κ = 3 and 5 minus at 1 +0.1467" in finding.evidence
    assert "minus at 10 +0.0100" in finding.evidence
    for name in ("published schedule, margin trained", "chosen epoch, margin trained"):
        assert found["κ is best from 3 to 5", name].verdict == NOT_RUN


def test_both_grids_of_the_published_schedule_share_a_field(sweep, published, join, tables, fields):
    aucs = {"0.1": (0.8, 0.8, 0.81), "0.5": (0.9, 0.9, 0.9)}
    parts = sweep("lambda_", aucs, spec="sensitivity-published_learnt") + sweep("margin", aucs)
    _, verdicts, _ = tables(make_section(Evidence(join(*parts), published)))
    shown = fields(verdicts)
    assert shown["λ peaks near 0.5"][PUBLISHED].text == "m = 0.5: not run; margin trained: holds"
    assert not shown["λ peaks near 0.5"][PUBLISHED].bold
    assert (shown["A fixed margin is best near 0.5"][OWN].text, shown["A fixed margin is best near 0.5"][OWN].bold) == (
        "holds",
        True,
    )


def test_a_peak_tells_how_far_seeds_deviate(judge, make_rows):
    aucs = {"0.1": [0.8, 0.8], "0.5": [0.88, 0.92]}
    parts = [make_rows({"angular": a}, spec="sensitivity", variant=f"lambda_={v}") for v, a in aucs.items()]
    evidence = judge(*parts)["λ peaks near 0.5", "chosen epoch, margin trained"].evidence
    assert "worst 0.8000 (seeds deviate by 0.0141)" in evidence


def test_geometries_are_compared_with_the_last_epoch_the_chosen_one_and_fine_tuned(judge, geometry):
    aucs = {"COS-WGH-Mlearn": 0.8, "L2-WGH-Rlearn": 0.9, "COS-WGH-Mlearn-chosen": 0.95, "L2-WGH-Rlearn-chosen": 0.9}
    aucs |= {"COS-WGH-Mlearn-boundary": 0.85, "L2-WGH-Rlearn-boundary": 0.8}
    tuned = geometry({"COS-WGH-Mlearn": 0.9, "L2-WGH-Rlearn": 0.85}, spec="blocks")
    found = judge(*geometry(aucs), *tuned)
    assert [found["Cosine beats L2", runs].verdict for runs in (PUBLISHED, OWN, TUNED)] == [OPPOSITE, HOLDS, HOLDS]
    assert "weights greatest at the boundary +0.0500" in found["Cosine beats L2", PUBLISHED].evidence


def test_a_prior_that_moves_auc_on_some_data_sets_makes_a_claim_hold_in_part(judge, make_rows):
    parts = [
        make_rows({"angular": [auc]}, spec="sensitivity", variant=f"alpha={alpha}", dataset=dataset)
        for dataset, alpha, auc in (("spam", 0.1, 0.9), ("spam", 0.5, 0.91), ("letter", 0.1, 0.8), ("letter", 0.5, 0.9))
    ]
    finding = judge(*parts)["It is stable across class priors (AUC within 0.02)", OWN]
    assert str(finding) == f"{PARTLY} (2 data sets)"
    assert "AUC 0.8000 at 0.1, 0.9000 at 0.5" in finding.evidence


@pytest.mark.parametrize(("few", "many", "verdict"), [(0.9, 0.95, HOLDS), (0.8, 0.99, OPPOSITE)])
def test_few_positives_are_judged_by_how_the_lead_over_rivals_changes(judge, make_rows, few, many, verdict):
    parts = [
        make_rows({"angular": [auc], "naive": [rival]}, spec="scarcity", variant=f"labelled={n}", dataset=dataset)
        for dataset in ("a", "b")
        for n, auc, rival in ((50, few, 0.8), (5000, many, 0.94))
    ]
    finding = judge(*parts)["It helps most with few labelled positives", OWN]
    assert (finding.verdict, finding.n) == (verdict, 2)
    assert f"AUC over Naive {few - 0.8:+.4f} with 50, {many - 0.94:+.4f} with 5000" in finding.evidence


@pytest.mark.parametrize(("power", "verdict"), [(1.0, HOLDS), (1.5, FAILS)])
def test_linear_means_a_power_near_one(judge, make_rows, power, verdict):
    parts = [
        make_rows({"angular": [0.9]}, spec="scale", variant=f"unlabelled={n}", seconds=float(n) ** power)
        for n in (1000, 2000, 8000)
    ]
    assert str(judge(*parts)["Training scales linearly in the unlabelled rows", OWN]) == f"{verdict} (1 data set)"


def test_seeds_are_compared_by_their_deviation_over_several_data_sets(judge, make_rows):
    aucs = {"angular": [0.9, 0.91], "pico": [0.8, 0.9], "wconpu": [0.9, 0.9]}
    parts = [make_rows(aucs, dataset=name) for name in SETS]
    told = judge(*parts)["Seeds vary less than for contrastive rivals", OWN]
    assert told.verdict == f"PiCO: {HOLDS}; WConPU: {OPPOSITE}"
    assert "+0.0636" in told.evidence
    assert judge(*parts[:2])["Seeds vary less than for contrastive rivals", OWN].verdict == NOT_RUN


def test_rivals_are_named_that_are_better_or_worse_of_either_schedule(judge, make_rows):
    parts = []
    for name, off in (("a", 0.001), ("b", -0.001), ("c", 0.0)):
        rivals = {"nnpu": [0.8], "pico": [0.95], "upu": [0.9 - 50 * off], "vpu": [0.9 + off]}
        parts.append(make_rows({"angular": [0.9 + off], **rivals}, dataset=name))
        parts.append(make_rows({"angular": [0.99 + off / 10]}, dataset=name, variant="paper"))
    found = judge(*parts)
    told = found["It is better than the methods it is compared with", OWN]
    assert told.verdict == FAILS
    words = "AUC: better than nnPU; no difference that matters from VPU; worse than PiCO; unclear against uPU; "
    assert f"{words}ahead on most data sets of nnPU; behind on most data sets of PiCO." in told.evidence
    paper = found["It is better than the methods it is compared with", PUBLISHED]
    assert paper.verdict == f"probably {HOLDS}"
    assert "AUC: better than nnPU, VPU, PiCO; probably better than uPU; ahead" in paper.evidence


def test_a_difference_is_as_sure_as_the_number_of_claims_asks(judge, published):
    assert len(list_claims(Evidence(Results(()), published))) == CLAIMS
    values = {"a": [0.006], "b": [0.009], "c": [0.012], "d": [0.006]}
    gain = make_gain(values, margin=0.003)
    assert 0.95 < gain.belief.better < SURE
    assert gain.verdict == NO_WORSE
    assert make_gain({name: [each[0] + 0.02] for name, each in values.items()}, margin=0.003).verdict == HOLDS


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ((0.001, 0.0011, 0.0009, 0.001), EQUAL),
        ((0.02, 0.021, 0.019, 0.02), HOLDS),
        ((-0.02, -0.021, -0.019, -0.02), OPPOSITE),
        ((0.003, 0.0031, 0.0029, 0.003), NO_WORSE),
        ((-0.003, -0.0031, -0.0029, -0.003), NO_BETTER),
        ((0.1, -0.1, 0.05, 0.02), OPEN),
    ],
)
def test_a_difference_is_better_equal_worse_or_only_not_the_contrary(values, verdict):
    assert make_gain({str(place): [value] for place, value in enumerate(values)}, margin=0.003).verdict == verdict


def test_what_is_not_sure_for_data_sets_at_large_is_counted_over_these():
    better, equal, worse = [0.1, 0.101, 0.099], [0.0, 0.0001, -0.0001], [-0.2, -0.201, -0.202]
    assert (
        make_gain({"a": better, "b": worse, "c": equal}).told
        == "mixed: better on 1, equal on 1, worse on 1 of 3 data sets"
    )
    assert make_gain({"a": [0.001, 0.3, 0.2], "b": worse}).told == "worse on 1 of 2 data sets"
    assert make_gain({"a": [0.1], "b": [-0.1]}).told == f"{OPEN}: higher on 1 of 2 data sets"


def test_what_would_be_sure_of_one_claim_alone_is_called_probable():
    values = (0.006, 0.009, 0.012, 0.016)
    for sign, verdict in ((1, HOLDS), (-1, OPPOSITE)):
        gain = make_gain({str(place): [sign * value] for place, value in enumerate(values)}, margin=0.003)
        assert (gain.verdict, gain.likely) == (OPEN, verdict)
        assert gain.told == f"probably {verdict}"


def test_a_claim_to_be_ahead_of_all_is_probably_refuted_by_one(judge, sweep):
    aucs = {"0.5": (0.9, 0.9, 0.9), "0.1": (0.8, 0.8, 0.8), "0": (0.91, 0.93, 0.92)}
    name = ("λ peaks near 0.5", "chosen epoch, margin trained")
    assert judge(*sweep("lambda_", aucs))[name].verdict == f"probably {FAILS}"
    aucs["0"] = (0.87, 0.89, 0.88)
    assert judge(*sweep("lambda_", aucs))[name].verdict == f"probably {HOLDS}"


def test_a_value_that_others_equal_is_no_peak(judge, sweep):
    flat = {"0.1": (0.9, 0.9001, 0.9), "0.5": (0.9, 0.9, 0.9)}
    name = ("λ peaks near 0.5", "chosen epoch, margin trained")
    assert judge(*sweep("lambda_", flat))[name].verdict == EQUAL
    assert judge(*sweep("lambda_", flat | {"1": (0.8, 0.8, 0.8)}))[name].verdict == FAILS


def test_the_picture_of_claims_has_a_point_for_every_data_set(ablation, published, make_rows, join):
    rows = join(
        ablation([0.9] * 3, [0.8] * 3, variant="no-regulariser"),
        *(
            make_rows({"angular": [0.9, 0.92], "pico": [0.95, 0.95], "upu": [0.8, 0.8]}, dataset=dataset)
            for dataset in SETS
        ),
    )
    (picture,) = [part for part in make_section(Evidence(rows, published)).parts if isinstance(part, Picture)]
    shown = {(row[0], row[3]): row for row in picture.numbers}
    assert shown["The regulariser helps AUC and AP", "a"][1:3] == (OWN, HOLDS)
    rival = shown["It is better than the methods it is compared with", "b"]  # PiCO, the least favourable
    assert rival[4] == pytest.approx(-0.04)
    assert rival[5] < -0.04 < rival[6]
    picture.draw(Figure())


def test_without_a_difference_there_is_no_picture_of_claims(published):
    parts = make_section(Evidence(Results(()), published)).parts
    assert not [part for part in parts if isinstance(part, Picture)]


def test_what_weights_add_is_compared_between_geometries(judge, geometry):
    aucs = {"COS-WGH-Mlearn": 0.9, "COS-BCE-Mlearn": 0.88, "L2-WGH-Rlearn": 0.8, "L2-BCE-Rlearn": 0.7}
    finding = judge(*geometry(aucs))["The weights gain more with cosine than with L2", PUBLISHED]
    assert finding.verdict == OPPOSITE
    assert "cosine +0.0200, L2 +0.1000" in finding.evidence


@pytest.mark.parametrize(
    ("cosine", "plain", "normal", "verdict"), [(0.9, 0.7, 0.85, HOLDS), (0.9, 0.7, 0.6, FAILS), (0.7, 0.8, 0.9, FAILS)]
)
def test_a_gap_narrows_only_where_there_is_one(judge, make_rows, cosine, plain, normal, verdict):
    aucs = {"COS-BCE-Mlearn": cosine, "L2-BCE-Rlearn": plain, "L2-BCE-Rlearn-N": normal}
    parts = [make_rows({"angular": [auc]}, spec="geometry", variant=name) for name, auc in aucs.items()]
    finding = judge(*parts)["L2 with rows normalised at evaluation narrows the gap to cosine", PUBLISHED]
    assert finding.verdict == verdict
    told = f"cosine minus L2 in AP {cosine - plain:+.4f} as trained, {cosine - normal:+.4f} normalised"
    assert told in finding.evidence


def test_leaning_is_recall_minus_precision(judge, make_rows):
    parts = [make_rows({"angular": [0.9]}, dataset=name) for name in ("a", "b")]
    found = judge(*parts)
    assert "oracle threshold +0.1000" in found["Decisions lean to recall", OWN].evidence
    assert found["Decisions lean to recall", PUBLISHED].verdict == NOT_RUN
