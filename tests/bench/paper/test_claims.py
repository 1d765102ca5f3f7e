import pytest

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.finding import FAILS, HOLDS, NOT_RUN, OPEN, OPPOSITE, PARTLY, judge_claim, measure_gain
from angularpu_bench.paper.sections.claims import list_findings
from angularpu_bench.report.results import Results


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


@pytest.fixture
def geometry(make_rows):
    def geometry(aucs):
        return [
            make_rows({"angular": [auc]}, spec="geometry", variant=name, dataset=dataset)
            for name, auc in aucs.items()
            for dataset in ("a", "b")
        ]

    return geometry


def test_a_claim_without_runs_is_not_judged(judge):
    assert {finding.verdict for finding in judge().values()} == {NOT_RUN}


@pytest.mark.parametrize(
    ("without", "verdict"), [([0.8, 0.79, 0.81], HOLDS), ([0.95, 0.97, 0.96], OPPOSITE), ([0.8, 0.7, 0.98], OPEN)]
)
def test_the_regulariser_is_judged_by_its_interval_over_data_sets(judge, ablation, without, verdict):
    finding = judge(ablation([0.9, 0.9, 0.9], without, variant="no-regulariser"))["The regulariser helps AUC and AP"]
    assert finding.verdict == verdict
    assert finding.evidence.startswith("AUC ")


def test_a_data_set_with_many_seeds_counts_once(make_rows):
    first = [*make_rows({"angular": [0.9] * 9}, dataset="a"), *make_rows({"angular": [0.5]}, dataset="b")]
    second = [*make_rows({"naive": [0.8] * 9}, dataset="a"), *make_rows({"naive": [0.6]}, dataset="b")]
    gain = measure_gain(Results(tuple(first)), Results(tuple(second)), metric="auc")
    assert gain.mean == pytest.approx(0)
    assert str(gain).endswith("higher on 1 of 2 data sets")


def test_metrics_that_disagree_are_named_one_by_one(make_rows):
    rows = [make_rows({"angular": [a], "naive": [0.8]}, dataset=d, ap=0.5) for d, a in (("a", 0.9), ("b", 0.901))]
    both = Results(tuple(row for part in rows for row in part))
    ours, naive = both.where(method="angular"), both.where(method="naive")
    gains = {metric: measure_gain(ours, naive, metric=metric) for metric in ("auc", "ap")}
    assert judge_claim("", gains).verdict == f"auc: {HOLDS}, ap: {OPEN}"


@pytest.mark.parametrize(
    ("aucs", "verdict"),
    [
        ({"0.1": (0.8, 0.8), "0.5": (0.9, 0.9)}, HOLDS),
        ({"0.1": (0.95, 0.95), "0.5": (0.9, 0.9)}, OPPOSITE),
        ({"0.1": (0.7, 0.7), "0.3": (0.8, 0.8), "1": (0.7, 0.7)}, HOLDS),
        ({"0.1": (0.8, 0.9), "0.5": (0.9, 0.8)}, OPEN),
    ],
)
def test_a_peak_is_where_the_best_claimed_value_is_above_the_best_other_one(judge, make_rows, aucs, verdict):
    parts = [
        make_rows({"angular": [auc]}, spec="sensitivity", variant=f"lambda_={value}", dataset=dataset)
        for value, both in aucs.items()
        for dataset, auc in zip(("a", "b"), both, strict=True)
    ]
    assert judge(*parts)["λ peaks near 0.5"].verdict == verdict


def test_a_peak_tells_how_far_seeds_deviate(judge, make_rows):
    aucs = {"0.1": [0.8, 0.8], "0.5": [0.88, 0.92]}
    parts = [make_rows({"angular": a}, spec="sensitivity", variant=f"lambda_={v}") for v, a in aucs.items()]
    assert "worst 0.8000 (seeds deviate by 0.0141)" in judge(*parts)["λ peaks near 0.5"].evidence


def test_geometries_are_compared_with_the_last_epoch_and_with_the_chosen_one(judge, geometry):
    aucs = {"COS-WGH-Mlearn": 0.8, "L2-WGH-Rlearn": 0.9, "COS-WGH-Mlearn-chosen": 0.95, "L2-WGH-Rlearn-chosen": 0.9}
    parts = geometry(aucs)
    verdict = judge(*parts)["Cosine beats L2"].verdict
    assert verdict == f"AP, as published: {OPPOSITE}, AP, both with the chosen epoch: {HOLDS}"


def test_a_prior_that_moves_auc_on_some_data_sets_makes_a_claim_hold_in_part(judge, make_rows):
    parts = [
        make_rows({"angular": [auc]}, spec="sensitivity", variant=f"alpha={alpha}", dataset=dataset)
        for dataset, alpha, auc in (("spam", 0.1, 0.9), ("spam", 0.5, 0.91), ("letter", 0.1, 0.8), ("letter", 0.5, 0.9))
    ]
    finding = judge(*parts)["It is stable across class priors (AUC within 0.02)"]
    assert finding.verdict == PARTLY
    assert "AUC 0.8000 at 0.1, 0.9000 at 0.5" in finding.evidence


@pytest.mark.parametrize(("few", "many", "verdict"), [(0.9, 0.95, HOLDS), (0.8, 0.99, OPPOSITE)])
def test_few_positives_are_judged_by_how_the_lead_over_rivals_changes(judge, make_rows, few, many, verdict):
    parts = [
        make_rows({"angular": [auc], "naive": [rival]}, spec="scarcity", variant=f"labelled={n}", dataset=dataset)
        for dataset in ("a", "b")
        for n, auc, rival in ((50, few, 0.8), (5000, many, 0.94))
    ]
    finding = judge(*parts)["It helps most with few labelled positives"]
    assert finding.verdict == verdict
    assert f"AUC over Naive {few - 0.8:+.4f} with 50, {many - 0.94:+.4f} with 5000" in finding.evidence


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
    assert told.verdict == f"PiCO's deviation minus ours: {HOLDS}, WConPU's deviation minus ours: {OPPOSITE}"
    assert "+0.0636" in told.evidence
    assert judge(*parts[:2])["Seeds vary less than for contrastive rivals"].verdict == NOT_RUN


def test_rivals_are_named_that_are_better_or_worse(judge, make_rows):
    parts = [
        make_rows({"angular": [0.9 + off], "nnpu": [0.8], "pico": [0.95], "upu": [0.9 - 5 * off]}, dataset=name)
        for name, off in (("a", 0.01), ("b", -0.01), ("c", 0.0))
    ]
    told = judge(*parts)["It is better than the methods it is compared with"]
    assert told.verdict == FAILS
    assert "AUC: better than nnPU, worse than PiCO, the rest not settled" in told.evidence
    assert "ahead on most data sets of nnPU, behind on most of PiCO;" in told.evidence


@pytest.mark.parametrize(("fixed", "verdict"), [(0.899, HOLDS), (0.8, FAILS)])
def test_a_fixed_margin_changes_little_if_the_interval_stays_small(judge, ablation, fixed, verdict):
    rows = ablation([0.9, 0.9, 0.9], [fixed, fixed, fixed], variant="fixed-margin")
    assert judge(rows)["A fixed margin changes little (AUC by less than 0.005)"].verdict == verdict


def test_the_full_model_must_be_best_everywhere(judge, ablation):
    told = judge(ablation([0.9, 0.9], [0.8, 0.95], variant="no-weights"))
    finding = told["The full model beats each of its ablations everywhere"]
    assert finding.verdict == FAILS
    assert "AUC: the full model is best on 1 of 2" in finding.evidence


def test_what_weights_add_is_compared_between_geometries(judge, geometry):
    aucs = {"COS-WGH-Mlearn": 0.9, "COS-BCE-Mlearn": 0.88, "L2-WGH-Rlearn": 0.8, "L2-BCE-Rlearn": 0.7}
    parts = geometry(aucs)
    finding = judge(*parts)["The weights gain more with cosine than with L2"]
    assert finding.verdict == OPPOSITE
    assert "cosine +0.0200; L2 +0.1000" in finding.evidence


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
