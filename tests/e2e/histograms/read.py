"""Every histogram of a JSON list as PyPI's hdrhistogram reads it: total, largest, and the count of every recorded value."""

import json
import sys

from hdrh.histogram import HdrHistogram


def read(text):
    histogram = HdrHistogram.decode(text)
    recorded = [[item.value_iterated_to, item.count_added_in_this_iter_step] for item in histogram.get_recorded_iterator()]
    return {"total": histogram.get_total_count(), "max": histogram.get_max_value(), "recorded": recorded}


json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
