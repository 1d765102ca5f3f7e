"""The cards of the paper's comparison, in its order: AngularPU and fourteen rivals."""

from angularpu.methods.cards import Card

TMLR = (
    "Sevetlidis, Pavlidis and Gasteratos, "
    "Angular Regularization for Positive-Unlabeled Learning on the Hypersphere, TMLR 2025"
)

# Ours stands out, families of methods share a hue.
PAPER_CARDS: tuple[Card, ...] = (
    Card(
        "angular",
        "AngularPU",
        class_name="AngularPUClassifier",
        colour="#c1440e",
        summary="Positives gather around a prototype on the sphere, unlabelled rows are neutral and spread out.",
        reference=TMLR,
        target="angularpu.algorithms.angular:Angular",
        traits=frozenset({"vmf", "uniform", "end-to-end"}),
    ),
    Card(
        "upu",
        "uPU",
        class_name="UPUClassifier",
        colour="#1b4f8a",
        summary="Brings down an unbiased estimate of the risk, made of positives and unlabelled rows.",
        reference=(
            "du Plessis, Niu and Sugiyama, Convex Formulation for Learning from Positive and Unlabeled Data, ICML 2015"
        ),
        target="angularpu.algorithms.upu:UPU",
        traits=frozenset({"prior", "end-to-end"}),
    ),
    Card(
        "nnpu",
        "nnPU",
        class_name="NNPUClassifier",
        colour="#2f7ed8",
        summary="uPU that steps back as soon as the negatives' part of the risk falls below zero.",
        reference=(
            "Kiryo, Niu, du Plessis and Sugiyama, "
            "Positive-Unlabeled Learning with Non-Negative Risk Estimator, NeurIPS 2017"
        ),
        target="angularpu.algorithms.nnpu:NNPU",
        traits=frozenset({"prior", "end-to-end"}),
    ),
    Card(
        "rank_pruning",
        "Rank Pruning",
        class_name="RankPruningClassifier",
        colour="#d4a72c",
        summary="Leaves out the unlabelled rows that rank among the positives, and weighs up the rest.",
        reference=(
            "Northcutt, Wu and Chuang, Learning with Confident Examples: "
            "Rank Pruning for Robust Classification with Noisy Labels, UAI 2017"
        ),
        target="angularpu.classical.rank_pruning:RankPruning",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "pusb",
        "PUSB",
        class_name="PUSBClassifier",
        colour="#6aa7e8",
        summary="nnPU of which only the order of rows is used, for labels that favour clear positives.",
        reference="Kato, Teshima and Honda, Learning from Positive and Unlabeled Data with a Selection Bias, ICLR 2019",
        target="angularpu.algorithms.pusb:PUSB",
        traits=frozenset({"prior", "end-to-end"}),
    ),
    Card(
        "pubn",
        "PUbN",
        class_name="PUbNClassifier",
        colour="#7fbf7b",
        summary=(
            "A first network says which unlabelled rows may stand for the negatives; a second one learns from these."
        ),
        reference=(
            "Hsieh, Niu and Sugiyama, Classification from Positive, Unlabeled and Biased Negative Data, ICML 2019"
        ),
        target="angularpu.algorithms.pubn:PUbN",
        traits=frozenset({"prior", "pseudo-negatives"}),
    ),
    Card(
        "self_pu",
        "Self-PU",
        class_name="SelfPUClassifier",
        colour="#b8de9c",
        summary="Two students trust more and more rows, each other, and the averages of their own past.",
        reference=(
            "Chen, Chen, Chen, Yuan, Gong, Chen and Wang, "
            "Self-PU: Self Boosted and Calibrated Positive-Unlabeled Training, ICML 2020"
        ),
        target="angularpu.algorithms.self_pu:SelfPU",
        traits=frozenset({"prior", "pseudo-negatives"}),
    ),
    Card(
        "apu",
        "aPU",
        class_name="APUClassifier",
        colour="#0b7a75",
        summary="Risks for positives that may have shifted, built on the negatives that two unlabelled sets share.",
        reference=(
            "Hammoudeh and Lowd, Learning from Positive and Unlabeled Data with Arbitrary Positive Shift, NeurIPS 2020"
        ),
        target="angularpu.algorithms.apu:APU",
        traits=frozenset({"prior", "end-to-end"}),
    ),
    Card(
        "vpu",
        "VPU",
        class_name="VPUClassifier",
        colour="#19b5a5",
        summary=(
            "Finds the score that makes the labelled positives likeliest among all rows, by a variational principle."
        ),
        reference=(
            "Chen, Liu, Wang, Zhao and Wu, "
            "A Variational Approach for Learning from Positive and Unlabeled Data, NeurIPS 2020"
        ),
        target="angularpu.algorithms.vpu:VPU",
        traits=frozenset({"end-to-end"}),
    ),
    Card(
        "imbpu",
        "ImbPU",
        class_name="ImbPUClassifier",
        colour="#a3c9f2",
        summary="nnPU as if positives and negatives were equally many, for rare positives.",
        reference="Su, Chen and Xu, Positive-Unlabeled Learning from Imbalanced Data, IJCAI 2021",
        target="angularpu.algorithms.imbpu:ImbPU",
        traits=frozenset({"prior", "end-to-end"}),
    ),
    Card(
        "dist_pu",
        "Dist-PU",
        class_name="DistPUClassifier",
        colour="#2e8b57",
        summary="Makes the share of rows called positive right, and then each call sure, with mixed rows.",
        reference=(
            "Zhao, Xu, Jiang, Wen and Huang, "
            "Dist-PU: Positive-Unlabeled Learning from a Label Distribution Perspective, CVPR 2022"
        ),
        target="angularpu.algorithms.dist_pu:DistPU",
        traits=frozenset({"prior", "pseudo-negatives"}),
    ),
    Card(
        "dense_pu",
        "Dense-PU",
        class_name="DensePUClassifier",
        colour="#8c6d31",
        summary=(
            "Takes for negatives what the positives, and what lies between them, cannot account for (in its style)."
        ),
        reference=(
            "Sevetlidis, Pavlidis, Mouroutsos and Gasteratos, "
            "Dense-PU: Learning a Density-Based Boundary for Positive and Unlabeled Learning, IEEE Access 2024"
        ),
        target="angularpu.algorithms.dense_pu:DensePU",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "punce",
        "puNCE",
        class_name="PuNCEClassifier",
        colour="#6a3d9a",
        summary=(
            "Learns features by contrast, unlabelled rows leaning to the positives by the prior, then a classifier."
        ),
        reference=(
            "Acharya, Sanghavi, Jing, Bhushanam, Choudhary, Rabbat and Dhillon, "
            "Positive Unlabeled Contrastive Learning, 2022"
        ),
        target="angularpu.algorithms.punce:PuNCE",
        traits=frozenset({"prior", "contrastive"}),
    ),
    Card(
        "pico",
        "PiCO",
        class_name="PiCOClassifier",
        colour="#9e6bc9",
        summary="An unlabelled row may be of either class; the nearest of two prototypes settles which.",
        reference=(
            "Wang, Xiao, Li, Feng, Niu, Chen and Zhao, "
            "PiCO: Contrastive Label Disambiguation for Partial Label Learning, ICLR 2022"
        ),
        target="angularpu.algorithms.pico:PiCO",
        traits=frozenset({"pseudo-negatives", "contrastive"}),
    ),
    Card(
        "wconpu",
        "WConPU",
        class_name="WConPUClassifier",
        colour="#cbb0e3",
        summary="PiCO that starts from the prior, aligns to it, and dwells on hard negatives (in its style).",
        reference=(
            "Yuan, Gong, Tao and Yang, "
            "Weighted Contrastive Learning with Hard Negative Mining for Positive and Unlabeled Learning, TNNLS 2025"
        ),
        target="angularpu.algorithms.wconpu:WConPU",
        traits=frozenset({"prior", "pseudo-negatives", "contrastive"}),
    ),
)
