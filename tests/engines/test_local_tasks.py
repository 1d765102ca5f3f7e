import os
import signal

import pytest

from angularpu.engines.local_tasks import run_here
from angularpu.errors import EngineError


@pytest.mark.filterwarnings("ignore")  # joblib's, about the process that is gone
def test_a_killed_process_ends_the_run_in_one_sentence():
    with pytest.raises(EngineError, match="was killed, perhaps for lack of memory; what is done is kept"):
        list(run_here(lambda _: os.kill(os.getpid(), signal.SIGKILL), [1, 2], jobs=2))
