"""Find the eights among handwritten digits when 80 of them are known: a small convolutional network on images.

The digits come with scikit-learn: 1,797 grey images of 8 x 8 pixels.
"""

import numpy as np
from sklearn.datasets import load_digits

import angularpu
from angularpu import AngularPUClassifier, Truth

digits = load_digits()
images = (digits.images * 15).astype(np.uint8)[:, None]  # n x channels x height x width; a grey image has one channel
is_eight = digits.target == 8

rng = np.random.default_rng(0)
known = np.zeros(len(images), int)
known[rng.choice(np.flatnonzero(is_eight), 80, replace=False)] = 1

# cnn13 is the network of the nnPU papers. Images that look like ImageNet's gain from encoder="vgg16" and weights=FILE.
model = AngularPUClassifier(encoder="cnn13", epochs=3, validation="hold-out", learning_rate=3e-4).fit(images, known)

unknown = known == 0
measured = angularpu.evaluate(
    Truth(is_eight[unknown].astype(np.int8)), model.score_samples(images[unknown]), threshold=model.threshold_
)
print(f"unlabelled images: AUC {measured['auc']:.3f}, F1 {measured['f1']:.3f}")
print(f"embedding: {model.transform(images[:5]).shape}")
