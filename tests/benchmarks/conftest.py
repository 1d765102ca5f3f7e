import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # a new process imports warm_process by its name
