"""What the package raises when the fault lies in what it was given.

Every message names what came, what is allowed and what to do next, in one sentence: the command line prints it as it
stands.
"""


class AngularPUError(Exception):
    """Something the caller can mend; the command line ends with exit code 2."""


class DataError(AngularPUError, ValueError):
    """Rows, labels or columns that cannot be used."""


class SettingError(AngularPUError, ValueError):
    """An option, a rule or a preset that makes no sense."""


class ModelError(AngularPUError, RuntimeError):
    """A model or checkpoint directory that is missing, damaged or of another run."""


class BusyError(AngularPUError, RuntimeError):
    """Another process is at work in the same place."""


class LabellingWarning(UserWarning):
    """The labels seem to be reversed, or no random draw of the positives, on which the estimates rest."""
