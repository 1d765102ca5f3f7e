"""Score the rows of a CSV file by an exported model, with onnxruntime and nothing else: serve_onnx.py MODEL.onnx ROWS.csv."""

import csv
import sys

import numpy as np
import onnxruntime

session = onnxruntime.InferenceSession(sys.argv[1])
with open(sys.argv[2], newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
inputs = {}
for column in session.get_inputs():
    cells = [[row[column.name]] for row in rows]  # an empty text is a missing value
    numbers = column.type == "tensor(double)"
    inputs[column.name] = (
        np.array([[float(cell or "nan")] for (cell,) in cells]) if numbers else np.array(cells, object)
    )
for score, probability, prediction in zip(*session.run(None, inputs), strict=True):
    print(f"{score:.6f},{probability:.6f},{prediction}")
