"""Exports of a run, as pandas, jsonschema and PyPI's hdrhistogram read them. Arguments: their folder, the schema of run files."""

import json
import sys
from pathlib import Path

import pandas
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
from jsonschema import Draft202012Validator

folder = Path(sys.argv[1])
schema = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(run)]
# A schema that lets everything pass would say the same.
run["requests"][0]["outcome"] = "perfect"
run["requests"][1]["reads"] = "many"
run["config"]["unknown"] = 1

samples = pandas.read_csv(folder / "run.csv")
objects = pandas.read_json(folder / "run.jsonl", lines=True, precise_float=True)
times = [name for name in samples.columns if name.endswith("_ms")]
measured = samples[~samples["warm_up"]]
figures = {
    name: {
        mode: {"n": int(of[name].count()), "max": None if of[name].count() == 0 else float(of[name].max())}
        for mode, of in measured.groupby("mode")
    }
    for name in times
}

histograms = {}
reader = HistogramLogReader(str(folder / "run.hlog"), HdrHistogram(1, 3_600_000_000, 3))
while (histogram := reader.get_next_interval_histogram()) is not None:
    recorded = [[at.value_iterated_to, at.count_added_in_this_iter_step] for at in histogram.get_recorded_iterator()]
    total, largest = histogram.get_total_count(), histogram.get_max_value()
    histograms[histogram.get_tag()] = {"total": total, "max": largest, "recorded": recorded}

json.dump(
    {
        "errors": errors,
        "spoilt": sorted(error.json_path for error in validator.iter_errors(run)),
        "rows": len(samples),
        "objects": len(objects),
        "same": bool((samples["e2e_ms"].fillna(-1) == objects["e2e_ms"].fillna(-1)).all()),
        "types": {name: str(kind) for name, kind in samples.dtypes.items()},
        "figures": figures,
        "begin": reader.get_start_time_sec(),
        "histograms": histograms,
    },
    sys.stdout,
)
