import pytest

from angularpu.report.finding import FAILS, HOLDS, NOT_RUN, OPEN, OPPOSITE, PARTLY, measure_gain, settle
from angularpu.report.results import Results
from angularpu.report.section import Evidence
from angularpu.report.sections.claims import list_findings


@pytest.fixture
def judge(published):
    def judge(*parts):
        evidence = Evidence(Results(tuple(row for part in parts for row in part)), published)
        return {finding.claim: finding for finding in list_findings(evidence)}

    return judge


@pytest.fixture
def ablation(make_rows):
    def ablation(full, without, *, variant):
        parts = []
        for number, (high, low) in enumerate(zip(full, without, strict=True)):
            for name, auc in (("full", high), (variant, low)):
                parts.append(make_rows({"angular": [auc]}, spec="ablation", dataset=f"set{number}", variant=name))
        return Results(tuple(row for part in parts for row in part))

    return ablation


def test_a_claim_without_runs_is_not_judged(judge):
    assert {finding.verdict for finding in judge().values()} == {NOT_RUN}


@pytest.mark.parametrize(
    ("without", "verdict"), [([0.8, 0.7, 0.85], HOLDS), ([0.95, 0.97, 0.96], OPPOSITE), ([0.8, 0.98, 0.9], OPEN)]
)
def test_the_regulariser_is_judged_by_its_interval_over_data_sets(judge, ablation, without, verdict):
    finding = judge(ablation([0.9, 0.9, 0.9], without, variant="no-regulariser"))["The regulariser helps AUC and AP"]
    assert finding.verdict == verdict
    assert finding.evidence.startswith("AUC ")


def test_a_data_set_with_many_seeds_counts_once(make_rows):
    first = [*make_rows({"angular": [0.9] * 9}, dataset="a"), *make_rows({"angular": [0.5]}, dataset="b")]
    second = [*make_rows({"naive": [0.8] * 9}, dataset="a"), *make_rows({"naive": [0.6]}, dataset="b")]
    gain = measure_gain(Results(tuple(first)), Results(tuple(second)), figure="auc")
    assert gain.mean == pytest.approx(0)
    assert str(gain).endswith("higher on 1 of 2 data sets")


def test_figures_that_disagree_are_named_apart(make_rows):
    rows = [make_rows({"angular": [a], "naive": [0.8]}, dataset=d, ap=0.5) for d, a in (("a", 0.9), ("b", 0.95))]
    both = Results(tuple(row for part in rows for row in part))
    ours, naive = both.where(method="angular"), both.where(method="naive")
    gains = {figure: measure_gain(ours, naive, figure=figure) for figure in ("auc", "ap")}
    assert settle("", gains).verdict == f"auc: {HOLDS}, ap: {OPEN}"


@pytest.mark.parametrize(
    ("aucs", "verdict"),
    [
        ({"0.1": 0.8, "0.5": 0.9}, HOLDS),
        ({"0.1": 0.95, "0.5": 0.9}, FAILS),
        ({"0.1": 0.7, "0.25": 0.8, "1": 0.7}, HOLDS),
    ],
)
def test_a_peak_is_where_the_mean_auc_is_highest(judge, make_rows, aucs, verdict):
    parts = [make_rows({"angular": [a]}, spec="sensitivity", variant=f"lambda_={v}") for v, a in aucs.items()]
    assert judge(*parts)["λ peaks near 0.5"].verdict == verdict


def test_a_peak_tells_how_far_seeds_deviate(judge, make_rows):
    aucs = {"0.1": [0.8, 0.8], "0.5": [0.88, 0.92]}
    parts = [make_rows({"angular": a}, spec="sensitivity", variant=f"lambda_={v}") for v, a in aucs.items()]
    assert "worst 0.8000 (seeds deviate by 0.0141)" in judge(*parts)["λ peaks near 0.5"].evidence


def test_geometries_are_compared_with_the_last_epoch_and_with_the_chosen_one(judge, make_rows):
    aucs = {"COS-WGH-Mlearn": 0.8, "L2-WGH-Rlearn": 0.9, "COS-WGH-Mlearn-chosen": 0.95, "L2-WGH-Rlearn-chosen": 0.9}
    parts = [
        make_rows({"angular": [auc]}, spec="geometry", variant=name, dataset=dataset)
        for name, auc in aucs.items()
        for dataset in ("a", "b")
    ]
    verdict = judge(*parts)["Cosine beats L2"].verdict
    assert verdict == f"AP, as published: {OPPOSITE}, AP, both with the chosen epoch: {HOLDS}"


def test_data_sets_that_disagree_make_a_claim_hold_in_part(judge, make_rows):
    parts = [
        make_rows({"angular": [auc]}, spec="sensitivity", variant=f"kappa={kappa}", dataset=dataset)
        for dataset, kappa, auc in (("spam", 3, 0.9), ("spam", 10, 0.8), ("letter", 3, 0.8), ("letter", 10, 0.9))
    ]
    finding = judge(*parts)["κ is best from 3 to 5"]
    assert finding.verdict == PARTLY
    assert "best AUC 0.9000 at κ = 10, worst 0.8000, 0.8000 at 3" in finding.evidence


@pytest.mark.parametrize(("few", "many", "verdict"), [(0.9, 0.95, HOLDS), (0.8, 0.99, FAILS)])
def test_few_positives_are_judged_by_the_gain_over_naive(judge, make_rows, few, many, verdict):
    parts = [
        make_rows({"angular": [auc], "naive": [naive]}, spec="scarcity", variant=f"labelled={n}")
        for n, auc, naive in ((50, few, 0.8), (5000, many, 0.94))
    ]
    assert judge(*parts)["It helps most with few labelled positives"].verdict == verdict


@pytest.mark.parametrize(("power", "verdict"), [(1.0, HOLDS), (1.5, FAILS)])
def test_linear_means_a_power_near_one(judge, make_rows, power, verdict):
    parts = [
        make_rows({"angular": [0.9]}, spec="scale", variant=f"unlabelled={n}", seconds=float(n) ** power)
        for n in (1000, 2000, 8000)
    ]
    assert judge(*parts)["Training scales linearly in the unlabelled rows"].verdict == verdict


def test_seeds_are_compared_by_their_deviation_over_several_data_sets(judge, make_rows):
    aucs = {"angular": [0.9, 0.91], "pico": [0.8, 0.9], "wconpu": [0.9, 0.9]}
    parts = [make_rows(aucs, dataset=name) for name in ("a", "b", "c")]
    told = judge(*parts)["Seeds vary less than for contrastive rivals"]
    assert told.verdict == PARTLY
    assert "against PiCO: mean deviation 0.0071 against 0.0707 over 3 data sets" in told.evidence
    assert judge(*parts[:2])["Seeds vary less than for contrastive rivals"].verdict == NOT_RUN


@pytest.mark.parametrize(
    ("cosine", "plain", "normal", "verdict"), [(0.9, 0.7, 0.85, HOLDS), (0.9, 0.7, 0.6, FAILS), (0.7, 0.8, 0.9, FAILS)]
)
def test_a_gap_narrows_only_where_there_is_one(judge, make_rows, cosine, plain, normal, verdict):
    aucs = {"COS-BCE-Mlearn": cosine, "L2-BCE-Rlearn": plain, "L2-BCE-Rlearn-N": normal}
    parts = [make_rows({"angular": [auc]}, spec="geometry", variant=name) for name, auc in aucs.items()]
    finding = judge(*parts)["L2 with rows normalised at evaluation narrows the gap to cosine"]
    assert finding.verdict == verdict
    told = f"cosine minus L2 in AP {cosine - plain:+.4f} as trained, {cosine - normal:+.4f} normalised"
    assert told in finding.evidence


def test_leaning_is_recall_minus_precision(judge, make_rows):
    parts = [make_rows({"angular": [0.9]}, dataset=name) for name in ("a", "b")]
    assert "recall minus precision, oracle cut +0.1000" in judge(*parts)["Decisions lean to recall"].evidence
