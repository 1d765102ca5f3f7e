"""Every method in one literal table, free of torch."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from angularpu.checks import suggest
from angularpu.errors import SettingError
from angularpu.methods.cards import Card

Entry = TypeVar("Entry")

_TMLR = (
    "Sevetlidis, Pavlidis and Gasteratos, "
    "Angular Regularization for Positive-Unlabeled Learning on the Hypersphere, TMLR 2025"
)

_ELKAN_NOTO = "Elkan and Noto, Learning Classifiers from Only Positive and Unlabeled Data, KDD 2008"

METHODS: Mapping[str, Card] = MappingProxyType(
    {
        "angular": Card(
            "angular",
            "AngularPU",
            "Positives gather around a prototype on the sphere, unlabelled rows are neutral and spread out.",
            _TMLR,
            "angularpu.algorithms.angular:Angular",
            frozenset({"vmf", "uniform", "end-to-end"}),
        ),
        "upu": Card(
            "upu",
            "uPU",
            "Brings down an unbiased estimate of the risk, made of positives and unlabelled rows.",
            "du Plessis, Niu and Sugiyama, Convex Formulation for Learning from Positive and Unlabeled Data, ICML 2015",
            "angularpu.algorithms.upu:UPU",
            frozenset({"prior", "end-to-end"}),
        ),
        "nnpu": Card(
            "nnpu",
            "nnPU",
            "uPU that steps back as soon as the negatives' part of the risk falls below zero.",
            "Kiryo, Niu, du Plessis and Sugiyama, "
            "Positive-Unlabeled Learning with Non-Negative Risk Estimator, NeurIPS 2017",
            "angularpu.algorithms.nnpu:NNPU",
            frozenset({"prior", "end-to-end"}),
        ),
        "rank_pruning": Card(
            "rank_pruning",
            "Rank Pruning",
            "Leaves out the unlabelled rows that rank among the positives, and weighs up the rest.",
            "Northcutt, Wu and Chuang, Learning with Confident Examples: "
            "Rank Pruning for Robust Classification with Noisy Labels, UAI 2017",
            "angularpu.classical.rank_pruning:RankPruning",
            frozenset({"pseudo-negatives"}),
        ),
        "pusb": Card(
            "pusb",
            "PUSB",
            "nnPU of which only the order of rows is used, for labels that favour clear positives.",
            "Kato, Teshima and Honda, Learning from Positive and Unlabeled Data with a Selection Bias, ICLR 2019",
            "angularpu.algorithms.pusb:PUSB",
            frozenset({"prior", "end-to-end"}),
        ),
        "pubn": Card(
            "pubn",
            "PUbN",
            "A first network says which unlabelled rows may stand for the negatives; a second one learns from these.",
            "Hsieh, Niu and Sugiyama, Classification from Positive, Unlabeled and Biased Negative Data, ICML 2019",
            "angularpu.algorithms.pubn:PUbN",
            frozenset({"prior", "pseudo-negatives"}),
        ),
        "self_pu": Card(
            "self_pu",
            "Self-PU",
            "Two students trust more and more rows, each other, and the averages of their own past.",
            "Chen, Chen, Chen, Yuan, Gong, Chen and Wang, "
            "Self-PU: Self Boosted and Calibrated Positive-Unlabeled Training, ICML 2020",
            "angularpu.algorithms.self_pu:SelfPU",
            frozenset({"prior", "pseudo-negatives"}),
        ),
        "apu": Card(
            "apu",
            "aPU",
            "Risks for positives that may have shifted, built on the negatives that two unlabelled sets share.",
            "Hammoudeh and Lowd, Learning from Positive and Unlabeled Data with Arbitrary Positive Shift, NeurIPS 2020",
            "angularpu.algorithms.apu:APU",
            frozenset({"prior", "end-to-end"}),
        ),
        "vpu": Card(
            "vpu",
            "VPU",
            "Finds the score that makes the labelled positives likeliest among all rows, by a variational principle.",
            "Chen, Liu, Wang, Zhao and Wu, "
            "A Variational Approach for Learning from Positive and Unlabeled Data, NeurIPS 2020",
            "angularpu.algorithms.vpu:VPU",
            frozenset({"end-to-end"}),
        ),
        "imbpu": Card(
            "imbpu",
            "ImbPU",
            "nnPU as if positives and negatives were equally many, for rare positives.",
            "Su, Chen and Xu, Positive-Unlabeled Learning from Imbalanced Data, IJCAI 2021",
            "angularpu.algorithms.imbpu:ImbPU",
            frozenset({"prior", "end-to-end"}),
        ),
        "dist_pu": Card(
            "dist_pu",
            "Dist-PU",
            "Makes the share of rows called positive right, and then each call sure, with mixed rows.",
            "Zhao, Xu, Jiang, Wen and Huang, "
            "Dist-PU: Positive-Unlabeled Learning from a Label Distribution Perspective, CVPR 2022",
            "angularpu.algorithms.dist_pu:DistPU",
            frozenset({"prior", "pseudo-negatives"}),
        ),
        "dense_pu": Card(
            "dense_pu",
            "Dense-PU",
            "Takes for negatives what the positives, and what lies between them, cannot account for (in its style).",
            "Sevetlidis, Pavlidis, Mouroutsos and Gasteratos, "
            "Dense-PU: Learning a Density-Based Boundary for Positive and Unlabeled Learning, IEEE Access 2024",
            "angularpu.algorithms.dense_pu:DensePU",
            frozenset({"pseudo-negatives"}),
        ),
        "punce": Card(
            "punce",
            "puNCE",
            "Learns features by contrast, unlabelled rows leaning to the positives by the prior, then a classifier.",
            "Acharya, Sanghavi, Jing, Bhushanam, Choudhary, Rabbat and Dhillon, "
            "Positive Unlabeled Contrastive Learning, 2022",
            "angularpu.algorithms.punce:PuNCE",
            frozenset({"prior", "contrastive"}),
        ),
        "pico": Card(
            "pico",
            "PiCO",
            "An unlabelled row may be of either class; the nearest of two prototypes settles which.",
            "Wang, Xiao, Li, Feng, Niu, Chen and Zhao, "
            "PiCO: Contrastive Label Disambiguation for Partial Label Learning, ICLR 2022",
            "angularpu.algorithms.pico:PiCO",
            frozenset({"pseudo-negatives", "contrastive"}),
        ),
        "wconpu": Card(
            "wconpu",
            "WConPU",
            "PiCO that starts from the prior, aligns to it, and dwells on hard negatives (in its style).",
            "Yuan, Gong, Tao and Yang, "
            "Weighted Contrastive Learning with Hard Negative Mining for Positive and Unlabeled Learning, TNNLS 2025",
            "angularpu.algorithms.wconpu:WConPU",
            frozenset({"prior", "pseudo-negatives", "contrastive"}),
        ),
        "euclidean": Card(
            "euclidean",
            "EuclideanPU",
            "AngularPU's counterpart with distances in place of angles, for the geometry ablation.",
            _TMLR,
            "angularpu.algorithms.euclidean:Euclidean",
            frozenset({"end-to-end"}),
        ),
        "naive": Card(
            "naive",
            "Naive",
            "Takes every unlabelled row as a negative.",
            "folklore",
            "angularpu.algorithms.naive:Naive",
            frozenset({"pseudo-negatives", "end-to-end"}),
        ),
        "oracle_pn": Card(
            "oracle_pn",
            "Oracle PN",
            "Supervised: fitted on true classes, it shows what all labels would be worth.",
            "folklore",
            "angularpu.algorithms.naive:Naive",
            frozenset({"negatives", "end-to-end"}),
            oracle=True,
        ),
        "elkan_noto": Card(
            "elkan_noto",
            "Elkan-Noto",
            "Divides the probability of a label by the label frequency.",
            _ELKAN_NOTO,
            "angularpu.classical.elkan_noto:ElkanNoto",
        ),
        "weighted_elkan_noto": Card(
            "weighted_elkan_noto",
            "Weighted Elkan-Noto",
            "Takes every unlabelled row as a positive and as a negative, each with its probability as weight.",
            _ELKAN_NOTO,
            "angularpu.classical.weighted_elkan_noto:WeightedElkanNoto",
        ),
        "bagging": Card(
            "bagging",
            "PU bagging",
            "Averages classifiers of the positives against small random draws of unlabelled rows.",
            "Mordelet and Vert, A Bagging SVM to Learn from Positive and Unlabeled Examples, "
            "Pattern Recognition Letters 2014",
            "angularpu.classical.bagging:Bagging",
            frozenset({"pseudo-negatives"}),
        ),
        "spy": Card(
            "spy",
            "Spy",
            "Hides some positives among the unlabelled rows to learn which of those are negative beyond doubt.",
            "Liu, Lee, Yu and Li, Partially Supervised Classification of Text Documents, ICML 2002",
            "angularpu.classical.spy:Spy",
            frozenset({"pseudo-negatives"}),
        ),
        "pu_boosting": Card(
            "pu_boosting",
            "PU boosting",
            "Boosted trees on unlabelled rows that count as both classes, by a posterior that fits the prior.",
            "soft labels in the manner of Elkan and Noto 2008, around scikit-learn's histogram gradient boosting",
            "angularpu.classical.boosting:PUBoosting",
            frozenset({"prior"}),
        ),
        "tedn": Card(
            "tedn",
            "TED^n",
            "Estimates the share of positives in U, discards that share from the top, trains on the rest, in turn.",
            "Garg, Wu, Smola, Balakrishnan and Lipton, "
            "Mixture Proportion Estimation and PU Learning: A Modern Approach, NeurIPS 2021",
            "angularpu.algorithms.tedn:TEDn",
            frozenset({"pseudo-negatives"}),
        ),
    }
)


def find_method(name: str) -> Card:
    """Return a method's card by its name.

    >>> find_method("angular").title
    'AngularPU'
    """
    return look_up("method", name, METHODS)


def look_up(what: str, name: str, table: Mapping[str, Entry]) -> Entry:
    """Return an entry of a table by its name, naming the nearest one when there is none."""
    if name not in table:
        raise SettingError(f"{what} {name!r} is unknown; {suggest(name, table)}")
    return table[name]
