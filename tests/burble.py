"""Checks that FILE is a trace of the given number of processes: valid JSON with the fields that chrome://tracing and Perfetto need. All processes must
have made the same calls, one after the other, with their steps inside."""
import json
import sys

path, processes = sys.argv[1], int(sys.argv[2])
with open(path, encoding="utf-8") as f:
    events = json.load(f)["traceEvents"]

names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
assert sorted(names) == list(range(processes)), names
assert all(names[p].startswith(f"process {p} (row ") for p in names), names

slices = [e for e in events if e["ph"] == "X"]
assert all(e["ph"] in "MX" for e in events)
for e in slices:
    assert e["cat"] in ("call", "span", "step") and e["dur"] >= 0 and e["ts"] >= 0 and e["tid"] == 0, e
    if e["cat"] == "call":
        assert e["name"].startswith(("GrB_", "Grid_")) and e["args"]["outcome"] == "GrB_SUCCESS", e
        assert e["args"]["bytes"] >= 0 and (processes > 1 or e["args"]["bytes"] == 0), e


def inside(a, b):
    """Is slice a inside b? Times are truncated to nanoseconds."""
    return b["ts"] - 0.01 <= a["ts"] and a["ts"] + a["dur"] <= b["ts"] + b["dur"] + 0.01


calls = []
for p in range(processes):
    local = [e for e in slices if e["pid"] == p]
    local_calls = [e for e in local if e["cat"] == "call"]
    for e in local:
        if e["cat"] == "step":
            assert any(inside(e, c) for c in local_calls), e
    outer = sorted((c for c in local_calls if not any(c is not d and inside(c, d) for d in local_calls)), key=lambda c: c["ts"])
    for a, b in zip(outer, outer[1:]):
        assert a["ts"] + a["dur"] <= b["ts"] + 0.01, (a, b)
    spans = [e for e in local if e["cat"] == "span"]
    assert [e["name"] for e in spans] == ["Grid_pagerank"], spans
    within = [c["name"] for c in outer if inside(c, spans[0])]
    assert "GrB_mxv" in within or "GrB_vxm" in within, within
    assert "Grid_Matrix_build" not in within and len(within) < len(outer)
    calls.append([c["name"] for c in outer])
assert all(c == calls[0] for c in calls), "the processes made different calls"
assert calls[0].count("GrB_vxm") + calls[0].count("GrB_mxv") > 3, calls[0]
assert {"local", "write"} <= {e["name"] for e in slices if e["cat"] == "step"}
if processes > 1:
    assert any(e["args"].get("bytes") for e in slices), "no process sent a byte"
    shares = [e["args"]["C"] for e in slices if e["name"] == "Grid_Matrix_build"]
    assert len(shares) == processes
print(f"{len(slices)} slices")
