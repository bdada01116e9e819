"""Writes table.jsonl: (schema, instance, valid) as Python's jsonschema judges it, for the subset that `schema.rs` checks.

Run once, by hand: pip install jsonschema; python table.py > table.jsonl
"""

import itertools
import json
import random

from jsonschema import Draft202012Validator

VALUES = [None, True, False, 0, 1, 1.0, -1, 2.5, 3, 9007199254740993, "", "a", "ab", "안녕", "👋🏽", "a1", [], [1], [1, "a"],
          [True], [1, 2, 3], {}, {"a": 1}, {"a": 1.0, "b": "x"}, {"b": None}, {"a": {"a": [1]}}, {"a/b": 1, "~": 2}]

SCHEMAS = [
    True, False, {}, {"title": "t", "description": "d", "default": 1, "examples": [1]},
    *({"type": t} for t in ["null", "boolean", "object", "array", "number", "string", "integer"]),
    {"type": ["integer", "null"]}, {"enum": [1, "a", None]}, {"enum": [True, [1], {"a": 1}]}, {"const": 1}, {"const": False},
    {"const": [1.0, "a"]}, {"const": {"b": "x", "a": 1}}, {"const": 9007199254740992},
    {"properties": {"a": {"type": "integer"}, "b": {"minLength": 1}}},
    {"properties": {"a": True}, "additionalProperties": False}, {"additionalProperties": False}, {"additionalProperties": True},
    {"properties": {"a/b": {"const": 2}}}, {"required": ["a"]}, {"required": ["a", "b"]}, {"required": []},
    {"items": {"type": "integer"}}, {"items": False}, {"items": {"exclusiveMinimum": 1}},
    {"minItems": 1}, {"minItems": 2.0}, {"maxItems": 1}, {"maxItems": 0},
    {"minimum": 1}, {"minimum": 2.5}, {"maximum": 1}, {"maximum": 0.5}, {"exclusiveMinimum": 1}, {"exclusiveMaximum": 1},
    {"minimum": 9007199254740993}, {"exclusiveMinimum": 9007199254740992}, {"maximum": 9007199254740992},
    {"minLength": 1}, {"minLength": 2}, {"maxLength": 1}, {"maxLength": 2}, {"pattern": "^a"}, {"pattern": "[0-9]$"}, {"pattern": "b|1"},
    {"anyOf": [{"type": "string"}, {"minimum": 2}]}, {"allOf": [{"type": "number"}, {"maximum": 2}]},
    {"oneOf": [{"type": "integer"}, {"minimum": 2}]}, {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"anyOf": [False, {"const": True}]},
]


def made(random, depth=0):
    """A schema at random: nested applicators around the plain ones above."""
    plain = [schema for schema in SCHEMAS if isinstance(schema, dict)]
    if depth == 2 or random.random() < 0.3:
        return random.choice(plain)
    kind = random.choice(["anyOf", "allOf", "oneOf", "items", "properties", "merged"])
    if kind == "items":
        return {"type": "array", "items": made(random, depth + 1)}
    if kind == "properties":
        return {"properties": {name: made(random, depth + 1) for name in random.sample(["a", "b", "a/b"], 2)},
                "additionalProperties": random.choice([True, False])}
    if kind == "merged":
        return {**random.choice(plain), **random.choice(plain)}
    return {kind: [made(random, depth + 1) for _ in range(random.randint(1, 3))]}


def main():
    chosen = random.Random(2026)
    rows = list(itertools.product(SCHEMAS, VALUES))
    rows += [(made(chosen), chosen.choice(VALUES)) for _ in range(600)]
    seen = set()
    for schema, instance in rows:
        Draft202012Validator.check_schema(schema)
        valid = Draft202012Validator(schema).is_valid(instance)
        line = json.dumps([schema, instance, valid], ensure_ascii=False, separators=(",", ":"))
        if line not in seen:
            seen.add(line)
            print(line)


main()
