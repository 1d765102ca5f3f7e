"""Use a network of your own: any nn.Module that maps n rows to an n x d tensor, here one for short time series."""

import numpy as np
from torch import nn

import angularpu
from angularpu import AngularPUClassifier, Truth

rng = np.random.default_rng(0)
is_burst = rng.random(800) < 0.4
series = rng.normal(size=(800, 64)).astype(np.float32)
start = rng.integers(0, 48, 800)
for row in np.flatnonzero(is_burst):  # the positives have a burst of twelve high values somewhere
    series[row, start[row] : start[row] + 12] += 2.5
known = (is_burst & (rng.random(800) < 0.4)).astype(int)

encoder = nn.Sequential(
    nn.Unflatten(1, (1, 64)),
    nn.Conv1d(1, 16, kernel_size=9, padding=4),
    nn.ReLU(),
    nn.AdaptiveMaxPool1d(1),  # wherever the burst is
    nn.Flatten(),
    nn.Linear(16, 16),  # d = 16 is found by a dry run; do not normalise, the method does
)

# The module is copied: every fit starts from the weights that it came with.
model = AngularPUClassifier(encoder=encoder, learning_rate=3e-3, epochs=15).fit(series, known)
measured = angularpu.evaluate(Truth(is_burst.astype(np.int8)), model.score_samples(series), threshold=model.threshold_)
print(f"your own network: AUC {measured['auc']:.3f}")

model.save("bursts.model", overwrite=True)  # its weights, not its code
again = angularpu.load("bursts.model", encoder=encoder)  # so loading needs the network again
print(f"the same scores after loading: {np.array_equal(again.score_samples(series), model.score_samples(series))}")
