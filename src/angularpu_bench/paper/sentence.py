"""What all kinds of runs say about a claim: one word, and one plain sentence."""

from collections.abc import Mapping
from dataclasses import replace

from angularpu_bench.paper.claim import OWN, PUBLISHED, RUNS, TUNED, Claim, Judged, Words
from angularpu_bench.paper.finding import (
    EQUAL,
    FAILS,
    HOLDS,
    NO_BETTER,
    NO_WORSE,
    NOT_RUN,
    OPEN,
    OPPOSITE,
    PARTLY,
    PROBABLY,
    Finding,
    Gain,
)

WHEN = {PUBLISHED: "by the published schedule", OWN: "with the chosen epoch", TUNED: "fine-tuned"}
ANSWERS = {
    HOLDS: "yes",
    f"{PROBABLY} {HOLDS}": "probably yes",
    FAILS: "no",
    f"{PROBABLY} {FAILS}": "probably not",
    PARTLY: "in part",
}
HERE = "{}"
FOR, AGAINST = {HOLDS}, {FAILS, OPPOSITE, NO_BETTER, EQUAL}


def answer(claim: Claim) -> str:
    """Answer for all kinds of runs in which enough data sets are behind the verdict.

    >>> from angularpu_bench.paper.finding import judge_parts
    >>> answer(Claim("It is stable", (Judged(OWN, OWN, judge_parts({"a": (True, "")}, n=3)),)))
    'yes'
    """
    verdicts = {verdict for each in claim.judged if each.finding.firm for verdict in _list_verdicts(each.finding)}
    plain = {verdict.removeprefix(f"{PROBABLY} ") for verdict in verdicts}
    probably = "" if plain <= verdicts else "probably "
    if not plain:
        return "open"
    if plain <= FOR:
        return f"{probably}yes"
    if plain <= AGAINST:
        return "probably not" if probably else "no"
    return "in part" if plain & (FOR | {PARTLY}) else "not shown"


def write_sentence(claim: Claim) -> str:
    """Write what each kind of runs says.

    >>> from angularpu_bench.paper.finding import judge_gains, make_gain
    >>> lower = judge_gains({"AP": make_gain({"a": [-0.2] * 3, "b": [-0.21] * 3, "c": [-0.2] * 3})})
    >>> words = Words("the cosine in place of the distance", "raise", "lower")
    >>> write_sentence(Claim("Cosine beats L2", (Judged(OWN, OWN, lower),), words))
    'With the chosen epoch the cosine in place of the distance lowers AP (-0.203).'
    """
    said = {runs: [each for each in claim.judged if each.runs == runs] for runs in RUNS}
    words, parts = claim.words, []
    for runs, judged in said.items():
        if judged:
            parts.append(f"{WHEN[runs]} {', '.join(_say(each, words) for each in judged)}")
            words = words and replace(words, subject="it")
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _say(judged: Judged, words: Words | None) -> str:
    """Say what one kind of runs found, and how large the effect is."""
    finding = judged.finding
    if finding.verdict == NOT_RUN:
        return NOT_RUN
    few = "" if finding.firm else f"{finding.n} data set{'s' if finding.n > 1 else ''} only"
    if words and finding.gains:
        return f"{words.subject} {_tell_gains(finding.gains, words)}{f', {few}' if few else ''}"
    which = judged.name.removeprefix(judged.runs).removeprefix(", ")
    notes = "; ".join(note for note in (which, finding.size, few) if note)
    told = ANSWERS.get(finding.verdict) or ("open" if finding.verdict.startswith(OPEN) else finding.verdict)
    return f"{told} ({notes})" if notes else told


def _tell_gains(gains: Mapping[str, Gain], words: Words) -> str:
    """Say of every difference what it does, those together of which the same is to be said."""
    together: dict[str, list[str]] = {}
    for name, gain in gains.items():
        together.setdefault(_tell(gain, words), []).append(name)
    told = []
    for text, names in together.items():
        means = ", ".join(f"{gains[name].mean:+.3f}" for name in names)
        about = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"
        told.append(f"{text.replace(HERE, about)} ({means})")
    return " and ".join(told)


def _tell(gain: Gain, words: Words) -> str:
    """Say what a difference does, with {} for what it is about."""
    good, bad = (f"{does} {words.about}" for does in (words.good, words.bad))
    verdict, is_likely = gain.grade
    does = {
        HOLDS: _inflect(good),
        OPPOSITE: _inflect(bad),
        EQUAL: f"makes no difference that matters for {words.about}",
        NO_WORSE: f"does not {bad}",
        NO_BETTER: f"does not {good}",
    }
    if verdict in does:
        return f"{PROBABLY} {does[verdict]}" if is_likely else does[verdict]
    counts = gain.counts
    known = {_inflect(good): counts["better"], _inflect(bad): counts["worse"]}
    if not any(known.values()):
        return f"may {good} or not"
    return " and ".join(f"{text} on {n} of {len(gain.draws)} data sets" for text, n in known.items() if n)


def _inflect(phrase: str) -> str:
    """Put the verb that a phrase begins with into the third person."""
    verb, _, rest = phrase.partition(" ")
    return f"{verb}s {rest}"


def _list_verdicts(finding: Finding) -> list[str]:
    several = len(finding.gains) > 1
    return [gain.told for gain in finding.gains.values()] if several else [finding.verdict]
