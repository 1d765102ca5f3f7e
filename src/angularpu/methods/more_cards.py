"""The cards of every other method; a new one goes here."""

from angularpu.methods.cards import Card
from angularpu.methods.paper_cards import TMLR

ELKAN_NOTO = "Elkan and Noto, Learning Classifiers from Only Positive and Unlabeled Data, KDD 2008"

MORE_CARDS: tuple[Card, ...] = (
    Card(
        "euclidean",
        "EuclideanPU",
        class_name="EuclideanPUClassifier",
        colour="#e39b7b",
        summary="AngularPU's counterpart with distances in place of angles, for the geometry ablation.",
        reference=TMLR,
        target="angularpu.algorithms.euclidean:Euclidean",
        traits=frozenset({"end-to-end"}),
    ),
    Card(
        "naive",
        "Naive",
        class_name="NaiveClassifier",
        colour="#9aa5b1",
        summary="Takes every unlabelled row as a negative.",
        reference="folklore",
        target="angularpu.algorithms.naive:Naive",
        traits=frozenset({"pseudo-negatives", "end-to-end"}),
    ),
    Card(
        "oracle_pn",
        "Oracle PN",
        class_name="OraclePNClassifier",
        colour="#111111",
        summary="Supervised: fitted on true classes, it shows what all labels would be worth.",
        reference="folklore",
        target="angularpu.algorithms.naive:Naive",
        traits=frozenset({"negatives", "end-to-end"}),
        oracle=True,
    ),
    Card(
        "elkan_noto",
        "Elkan-Noto",
        class_name="ElkanNotoClassifier",
        colour="#f0cf65",
        summary="Divides the probability of a label by the label frequency.",
        reference=ELKAN_NOTO,
        target="angularpu.classical.elkan_noto:ElkanNoto",
    ),
    Card(
        "weighted_elkan_noto",
        "Weighted Elkan-Noto",
        class_name="WeightedElkanNotoClassifier",
        colour="#b58900",
        summary="Takes every unlabelled row as a positive and as a negative, each with its probability as weight.",
        reference=ELKAN_NOTO,
        target="angularpu.classical.weighted_elkan_noto:WeightedElkanNoto",
    ),
    Card(
        "bagging",
        "PU bagging",
        class_name="BaggingPUClassifier",
        colour="#d45087",
        summary="Averages classifiers of the positives against small random draws of unlabelled rows.",
        reference=(
            "Mordelet and Vert, A Bagging SVM to Learn from Positive and Unlabeled Examples, "
            "Pattern Recognition Letters 2014"
        ),
        target="angularpu.classical.bagging:Bagging",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "spy",
        "Spy",
        class_name="SpyClassifier",
        colour="#f095b8",
        summary="Hides some positives among the unlabelled rows to learn which of those are negative beyond doubt.",
        reference="Liu, Lee, Yu and Li, Partially Supervised Classification of Text Documents, ICML 2002",
        target="angularpu.classical.spy:Spy",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "pu_boosting",
        "PU boosting",
        class_name="PUBoostingClassifier",
        colour="#8b1e5a",
        summary="Boosted trees on unlabelled rows that count as both classes, by a posterior that fits the prior.",
        reference="soft labels in the manner of Elkan and Noto 2008, around scikit-learn's histogram gradient boosting",
        target="angularpu.classical.boosting:PUBoosting",
        traits=frozenset({"prior"}),
    ),
    Card(
        "extra_trees",
        "Extra trees",
        class_name="ExtraTreesPUClassifier",
        colour="#1d5c3a",
        summary="Averages trees of the positives against the unlabelled rows, their splits drawn at random.",
        reference="Geurts, Ernst and Wehenkel, Extremely Randomized Trees, Machine Learning 2006",
        target="angularpu.classical.extra_trees:ExtraTrees",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "random_forest",
        "Random forest",
        class_name="RandomForestPUClassifier",
        colour="#7fc8a0",
        summary="Averages trees of the positives against the unlabelled rows, each grown on a draw of the rows.",
        reference="Breiman, Random Forests, Machine Learning 2001",
        target="angularpu.classical.random_forest:RandomForest",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "gradient_boosting",
        "Gradient boosting",
        class_name="GradientBoostingPUClassifier",
        colour="#5e4fa2",
        summary="Adds up small trees of the positives against the unlabelled rows, each mending those before it.",
        reference="Friedman, Greedy Function Approximation: A Gradient Boosting Machine, Annals of Statistics 2001",
        target="angularpu.classical.gradient_boosting:GradientBoosting",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "logistic_regression",
        "Logistic regression",
        class_name="LogisticRegressionPUClassifier",
        colour="#a8572b",
        summary="A weighted sum of the columns, fitted on the positives against the unlabelled rows.",
        reference="Cox, The Regression Analysis of Binary Sequences, Journal of the Royal Statistical Society B 1958",
        target="angularpu.classical.logistic_regression:LogisticRegression",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "complement_nb",
        "Complement naive Bayes",
        class_name="ComplementNBPUClassifier",
        colour="#c9b1d9",
        summary="Weighs each word by how much more often the positives have it than the unlabelled rows; for text.",
        reference=(
            "Rennie, Shih, Teevan and Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers, ICML 2003"
        ),
        target="angularpu.classical.complement_nb:ComplementNB",
        traits=frozenset({"pseudo-negatives"}),
    ),
    Card(
        "tedn",
        "TED^n",
        class_name="TEDnClassifier",
        colour="#556b2f",
        summary="Estimates the share of positives in U, discards that share from the top, trains on the rest, in turn.",
        reference=(
            "Garg, Wu, Smola, Balakrishnan and Lipton, "
            "Mixture Proportion Estimation and PU Learning: A Modern Approach, NeurIPS 2021"
        ),
        target="angularpu.algorithms.tedn:TEDn",
        traits=frozenset({"pseudo-negatives"}),
    ),
)
