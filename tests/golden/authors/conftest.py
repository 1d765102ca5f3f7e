"""The scripts here import each other and run code that is not: only tests are to be collected."""

collect_ignore = ["estimates.py", "excerpt.py", "make_values.py", "objectives.py", "risks.py"]
