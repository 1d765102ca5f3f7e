import pytest

from angularpu_bench.paper.claim import OWN, PUBLISHED, TUNED, Claim, Judged, Words
from angularpu_bench.paper.finding import judge_all, judge_gains, judge_parts, make_gain
from angularpu_bench.paper.sentence import answer, write_sentence

SETS = ("a", "b", "c", "d")
RAISE = Words("the regulariser", "raise", "lower")
UP, DOWN = (0.05, 0.05, 0.0501, 0.05), (-0.05, -0.0501, -0.05, -0.05)
SAME, ANY = (0.0, 0.0001, 0, 0), (0.1, -0.1, 0.1, 0)


def gain(values):
    return make_gain({name: [value] for name, value in zip(SETS, values, strict=False)}, margin=0.003)


def claim(words=RAISE, **found):
    runs = {"published": PUBLISHED, "own": OWN, "tuned": TUNED}
    return Claim("It helps", tuple(Judged(runs[name], runs[name], finding) for name, finding in found.items()), words)


@pytest.mark.parametrize(
    ("values", "told", "word"),
    [
        (UP, "raises AUC (+0.050)", "yes"),
        (DOWN, "lowers AUC (-0.050)", "no"),
        (SAME, "makes no difference that matters for AUC (+0.000)", "no"),
        (ANY, "may raise AUC or not (+0.025)", "not shown"),
        ((0.05, 0.05, 0.051), "raises AUC (+0.050)", "yes"),
        ((0.05, 0.06, 0.03), "probably raises AUC (+0.047)", "probably yes"),
        ((0.0, 0.01, 0.02, 0.003), "probably does not lower AUC (+0.008)", "not shown"),
        ((0.0, -0.01, -0.02, -0.003), "probably does not raise AUC (-0.008)", "probably not"),
    ],
)
def test_a_difference_is_told_with_its_verb_and_its_size(values, told, word):
    one = claim(own=judge_gains({"AUC": gain(values)}))
    assert write_sentence(one) == f"With the chosen epoch the regulariser {told}."
    assert answer(one) == word


def test_data_sets_that_disagree_are_counted():
    many = make_gain({"a": [0.1, 0.1, 0.1001], "b": [-0.1, -0.1, -0.1001], "c": [0.0, 0.1, -0.1]}, margin=0.003)
    told = "raises AUC on 1 of 3 data sets and lowers AUC on 1 of 3 data sets"
    assert told in write_sentence(claim(own=judge_gains({"AUC": many})))


def test_metrics_are_told_together_where_the_same_is_true_of_them():
    both = judge_gains({"AUC": gain(UP), "AP": gain(UP)})
    apart = judge_gains({"AUC": gain(UP), "AP": gain(DOWN)})
    together = "the regulariser raises AUC and AP (+0.050, +0.050)"
    assert write_sentence(claim(own=both)) == f"With the chosen epoch {together}."
    assert write_sentence(claim(published=both, own=apart)) == (
        f"By the published schedule {together}; with the chosen epoch it raises AUC (+0.050) and lowers AP (-0.050)."
    )
    assert (answer(claim(own=both)), answer(claim(own=apart))) == ("yes", "in part")


def test_names_stand_where_the_words_put_them():
    words = Words("weighting", "raise", "lower", "F1 at the {} threshold")
    sentence = write_sentence(claim(words, own=judge_gains({"oracle": gain(UP)})))
    assert sentence == "With the chosen epoch weighting raises F1 at the oracle threshold (+0.050)."


def test_few_data_sets_answer_nothing_and_are_said_to_be_few():
    few = claim(tuned=judge_gains({"AUC": gain(UP[:2])}))
    assert write_sentence(few) == "Fine-tuned the regulariser raises AUC (+0.050), 2 data sets only."
    assert answer(few) == "open"


def test_other_claims_say_how_many_agree():
    rivals = judge_all({"naive": gain(UP), "nnpu": gain(DOWN)}, "", others="rivals")
    parts = judge_parts({name: (name == "a", "") for name in SETS}, n=4)
    told = claim(None, published=rivals, own=parts, tuned=judge_parts({}, n=0))
    assert write_sentence(told) == (
        "By the published schedule no (ahead of 1 of 2 rivals on most data sets); with the chosen epoch in part "
        "(1 of 4 data sets); fine-tuned not run."
    )
    assert answer(told) == "in part"
