"""Find fraud in a table of payments when only half of it is known, and check the result by hand.

The payments are invented, so that the truth can be looked up. docs/tutorial.md explains every step.
"""

import numpy as np
import pandas as pd

import angularpu
from angularpu import PUClassifier, draw_audit
from angularpu.audit import answer

rng = np.random.default_rng(1)
n = 2000
fraud = rng.random(n) < 0.1
payments = pd.DataFrame(
    {
        "amount": np.exp(rng.normal(3.5 + 1.2 * fraud, 1.0)).round(2),
        "hour": np.where(fraud & (rng.random(n) < 0.7), rng.integers(0, 6, n), rng.integers(0, 24, n)),
        "account_days": np.where(rng.random(n) < 0.1, np.nan, rng.exponential(np.where(fraud, 90, 900))),
        "country": rng.choice(["GR", "DE", "FR", "other"], n),
        "channel": np.where(rng.random(n) < 0.3 + 0.5 * fraud, "online", "shop"),
    }
)
known = (fraud & (rng.random(n) < 0.5)).astype(int)  # 1: reported as fraud, 0: nobody knows
print(f"{len(payments)} payments, {known.sum()} of them known to be fraud")

model = PUClassifier(method="ensemble", random_state=0).fit(payments, known)
decision = model.decision_
print(f"recall {decision.recall:.2f} ({decision.recall_low:.2f} to {decision.recall_high:.2f})")
print(f"precision at most {decision.precision:.2f}, at least {decision.precision_low:.2f}")
print(f"flagged: {(model.predict(payments) == 1).sum()} of {len(payments)}")

score = model.score_samples(payments)
score[known == 1] = -np.inf  # these are known already
review = payments.assign(score=score).nlargest(50, "score")
print(review.head())
print(f"the top 50 hold {fraud[review.index].sum()} frauds that nobody had reported")

audit = draw_audit(model, payments, known, n=50)
said = fraud[audit.number - 1].astype(int)  # in real life: somebody looks at these fifty rows
checked = model.decide("pu-f1", audit=answer(audit, said.tolist())).decision_
print(f"audited precision {checked.precision:.2f} ({checked.precision_low:.2f} to {checked.precision_high:.2f})")
print(f"audited share of fraud {checked.prior:.3f}; in truth {fraud.mean():.3f}")

careful = model.decide("recall=0.95")  # another threshold; nothing is trained again
careful.save("fraud.model", overwrite=True)
again = angularpu.load("fraud.model")
print(f"flagged now: {(again.predict(payments) == 1).sum()}")
