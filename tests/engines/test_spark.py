"""Spark's predict_batch_udf, as docs/scale.md shows it."""

import shutil

import numpy as np
import pytest

from angularpu import BatchScorer

pytestmark = pytest.mark.filterwarnings("ignore")  # of Spark's own code
COLUMNS = ["a", "b", "c", "city"]


@pytest.fixture
def spark(monkeypatch):
    sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed: pip install pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    yield session
    session.stop()


def test_batches_are_predicted_by_the_scorer(spark, model, folder, rows):
    from pyspark.ml.functions import predict_batch_udf
    from pyspark.sql.types import StructType

    path = str(model)

    def make_predict():
        scorer = BatchScorer(path)
        return lambda a, b, c, city: scorer({"a": a, "b": b, "c": c, "city": city})

    scored = StructType().add("score", "float").add("probability", "double").add("prediction", "long")
    predict = predict_batch_udf(make_predict, return_type=scored, batch_size=1000)
    data = spark.read.parquet(str(folder)).select("key", predict(*COLUMNS).alias("s"))
    found = {row["key"]: row["s"] for row in data.collect()}
    expected = BatchScorer(model)(rows)
    assert len(found) == len(rows)
    for name in ("score", "probability", "prediction"):
        np.testing.assert_array_equal([found[key][name] for key in rows["key"]], expected[name])
