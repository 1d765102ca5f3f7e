"""What was not as promised."""

from dataclasses import dataclass, field


@dataclass
class Findings:
    """Sentences about what was not as promised, the first ones of many."""

    sentences: list[str] = field(default_factory=list)

    def add(self, sentence: str) -> None:
        """Keep one."""
        self.sentences.append(" ".join(sentence.split())[:600])

    def __add__(self, other: "Findings") -> "Findings":
        return Findings([*self.sentences, *other.sentences])

    def __len__(self) -> int:
        return len(self.sentences)
