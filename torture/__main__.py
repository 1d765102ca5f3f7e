import sys, tempfile, time, random
from pathlib import Path
from torture.injector import restart_with_faults
scratch = Path(tempfile.mkdtemp(prefix="angularpu-torture-", dir="/dev/shm"))
restart_with_faults(scratch)
tempfile.tempdir = str(scratch)
import torch
torch.set_num_threads(1)
from torture.flows import list_flows, make_models
from torture.kinds import write_data, KINDS
from torture.fuzz.targets import list_targets
from torture.fuzz.run import fuzz, list_counts
import contextlib,io
shared = scratch / "shared"; shared.mkdir()
write_data(shared)
for kind in KINDS.values():
    w=shared/"w"/kind.name
    w.parent.mkdir(exist_ok=True)
    with contextlib.redirect_stderr(io.StringIO()): c=kind.fit(shared, w)
make_models(shared)
canary=scratch/"canary"
targets=list_targets(shared, canary)
if len(sys.argv)>2: targets=[t for t in targets if sys.argv[2] in t.name]
t=time.time()
o=fuzz(targets, int(sys.argv[1]), seed=int(sys.argv[3]) if len(sys.argv)>3 else 0, canary=canary, keep=Path("/tmp/torture-t/failed"))
print(dict(list_counts(o)), o.peak, time.time()-t)
print({k:v for k,v in o.counts.items()})
seen=set()
for f in o.findings.sentences:
    k=f[-50:]
    if k not in seen:
        seen.add(k); print("-", f[:700])
import shutil; shutil.rmtree(scratch)
