"""The columns of a table of results, as cells write them and reports read them."""

IDENTITY = ("spec", "track", "dataset", "method", "variant", "seed", "hash")
METRICS = (
    "n_pos",
    "n_unl",
    "prior",
    "epochs",
    "best_epoch",
    "auc",
    "ap",
    "f1_pu",
    "precision_pu",
    "recall_pu",
    "accuracy_pu",
    "f1_oracle",
    "precision_oracle",
    "recall_oracle",
    "accuracy_oracle",
    "best_f1",
    "recall_at_p90",
    "recall_at_p95",
    "brier",
    "ece",
    "alpha",
    "alpha_true",
    "auc_last",
    "auc_oracle_epoch",
    "pu_auc",
    "seconds",
    "memory_mb",
)
LATER = ("pu_auc",)  # tables that were written before it lack it
COLUMNS = (*IDENTITY, *METRICS, "warnings", "status")
