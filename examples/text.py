"""Find the complaints among messages when some are known: words counted by scikit-learn, sparse rows, an ensemble.

The messages are put together from templates, so that the example needs no download.
"""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline

from angularpu import PUClassifier

COMPLAINTS = ["the {} arrived broken", "I want my money back for the {}", "the {} stopped working after a day"]
OTHERS = ["when will the {} arrive", "thank you for the {}", "do you have the {} in blue", "how does the {} work"]
THINGS = ["lamp", "chair", "kettle", "phone", "bicycle", "radio", "table", "camera", "clock", "printer"]
EXTRAS = ["please", "I wrote last week", "it was a gift", "see the photo", "best wishes", "order attached", "at once"]

rng = np.random.default_rng(0)
complaint = rng.random(1200) < 0.3
messages = [
    f"{rng.choice(COMPLAINTS if bad else OTHERS)}, {rng.choice(EXTRAS)}".format(rng.choice(THINGS)) for bad in complaint
]
known = (complaint & (rng.random(1200) < 0.3)).astype(int)

# tf-idf gives a sparse matrix; for such rows the ensemble is AngularPU, extra trees, logistic regression, naive Bayes.
model = make_pipeline(TfidfVectorizer(), PUClassifier(epochs=5, random_state=0))
model.fit(messages, known)

unknown = np.flatnonzero(known == 0)
score = model.decision_function([messages[row] for row in unknown])
print(f"AUC on the unlabelled messages: {roc_auc_score(complaint[unknown], score):.3f}")
for row in unknown[np.argsort(-score)[:3]]:
    print(messages[row])
