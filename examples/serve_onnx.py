"""Score the rows of a CSV file by an exported model, without this package: serve_onnx.py MODEL.onnx ROWS.csv."""

import csv
import sys
from pathlib import Path

import numpy as np
import onnxruntime

session = onnxruntime.InferenceSession(sys.argv[1])
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
inputs = {}
for column in session.get_inputs():  # numbers, of which a missing one is NaN, or text, of which a missing one is empty
    read = (lambda cell: float(cell or "nan")) if column.type == "tensor(double)" else str
    inputs[column.name] = np.array([[read(row[column.name])] for row in rows], float if read is not str else object)
for score, probability, prediction in zip(*session.run(None, inputs), strict=True):
    print(f"{score:.6f},{probability:.6f},{prediction}")
