"""What was not as promised."""

from dataclasses import dataclass, field

# Which promise a sentence is about; what fits none of them is told too.
PROMISES = {
    "lost": ("is gone", "other bytes", "neither", "not whole", "cannot be read", "but there is"),
    "executed": ("it did", "was run"),
    "hung": ("hung",),
    "tracebacks": ("exit code", "Traceback", "no sentence", "the process ended"),
}


@dataclass
class Findings:
    """Sentences about what was not as promised."""

    sentences: list[str] = field(default_factory=list)

    def add(self, sentence: str) -> None:
        """Keep one."""
        self.sentences.append(" ".join(sentence.split())[:600])

    def __add__(self, other: "Findings") -> "Findings":
        return Findings([*self.sentences, *other.sentences])

    def __len__(self) -> int:
        return len(self.sentences)

    def count(self, promise: str) -> int:
        """Count the sentences about one promise."""
        return sum(any(word in sentence for word in PROMISES[promise]) for sentence in self.sentences)
