import sys, tempfile, time
from pathlib import Path
from torture.injector import restart_with_faults
scratch = Path(tempfile.mkdtemp(prefix="angularpu-torture-", dir="/dev/shm"))
restart_with_faults(scratch)
tempfile.tempdir = str(scratch)
import torch
torch.set_num_threads(1)
from torture.flows import list_flows, make_models
from torture.kinds import write_data, KINDS
from torture.kill_points import strike_everywhere
from torture.children import run
import angularpu.figures.priors, angularpu.figures.sensitivity, matplotlib.figure
import angularpu_bench.cli.bench, angularpu_bench.run.experiment
shared = scratch / "shared"; shared.mkdir()
write_data(shared)
t=time.time()
for kind in KINDS.values():
    a=time.time(); w=shared/"w"/kind.name
    w.parent.mkdir(exist_ok=True)
    import contextlib,io
    with contextlib.redirect_stderr(io.StringIO()): c=kind.fit(shared, w)
    print(kind.name, c, round(time.time()-a,2), end="; ")
make_models(shared)
print("models", time.time()-t)
flows=list_flows(shared)
if len(sys.argv)>1: flows=[f for f in flows if sys.argv[1] in f.name or sys.argv[1] in f.kind]
t=time.time()
rows, findings = strike_everywhere(flows, every=int(sys.argv[2]) if len(sys.argv)>2 else 1)
for r in rows: print(r)
print(len(findings), time.time()-t)
seen=set()
for f in findings.sentences:
    if f[-60:] not in seen:
        seen.add(f[-60:]); print("-", f[:400])
import shutil; shutil.rmtree(scratch)
