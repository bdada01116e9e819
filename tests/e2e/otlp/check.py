"""What a collector was sent, parsed with the official protobuf definitions: a JSON object of lists of documents, by path.

OTLP's JSON form is protobuf's own, but for ids, which are hexadecimal. No field that the definitions do not have is passed over.
"""

import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

# Marks of what happens before a request is sent.
BEFORE = {"intended", "input", "dispatched"}
IDS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def in_protobufs_form(node):
    """Ids as base64, after a look at their length."""
    if isinstance(node, list):
        return [in_protobufs_form(item) for item in node]
    if not isinstance(node, dict):
        return node
    members = {}
    for key, value in node.items():
        if key in IDS:
            raw = bytes.fromhex(value)
            assert len(raw) == IDS[key] and any(raw), (key, value)
            value = base64.b64encode(raw).decode()
        members[key] = in_protobufs_form(value)
    return members


def parsed(documents, message):
    return [json_format.ParseDict(in_protobufs_form(document), message(), ignore_unknown_fields=False) for document in documents]


def attributes(of):
    keys = [pair.key for pair in of]
    assert len(keys) == len(set(keys)), keys
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in of}


def points(document):
    for resource in document.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                data = getattr(metric, metric.WhichOneof("data"))
                assert data.aggregation_temporality == 1 and metric.unit, metric.name
                for point in data.data_points:
                    assert 0 < point.start_time_unix_nano <= point.time_unix_nano, metric.name
                    yield metric, point


def count(metric, point):
    if metric.WhichOneof("data") == "sum":
        return point.as_int
    held = sum(point.positive.bucket_counts) + sum(point.negative.bucket_counts) + point.zero_count
    assert held == point.count and point.min <= point.max, metric.name
    return held


sent = json.load(sys.stdin)
metrics = parsed(sent["/v1/metrics"], ExportMetricsServiceRequest)
traces = parsed(sent["/v1/traces"], ExportTraceServiceRequest)
held = {}
for document in metrics:
    for metric, point in points(document):
        key = attributes(point.attributes).get("firstlight.mode"), metric.name
        held["/".join(key)] = held.get("/".join(key), 0) + count(metric, point)
spans = [span for document in traces for resource in document.resource_spans for scope in resource.scope_spans for span in scope.spans]
own = [span for span in spans if not span.parent_span_id]
assert len({span.span_id for span in spans}) == len(spans)
for span in spans:
    assert span.name and 0 < span.start_time_unix_nano <= span.end_time_unix_nano
    for event in span.events:
        # A worker's stamps and the browser's own are joined to less than a millisecond.
        early = event.time_unix_nano < span.start_time_unix_nano - 1_000_000
        assert event.name and event.time_unix_nano <= span.end_time_unix_nano and (not early or event.name in BEFORE), event
for span in (span for span in spans if span.parent_span_id):
    assert attributes(span.attributes)["firstlight.position_known"] is False
    assert any(span.parent_span_id == parent.span_id and span.trace_id == parent.trace_id for parent in own)
json.dump({"held": held, "own": len(own), "reported": len(spans) - len(own)}, sys.stdout)
