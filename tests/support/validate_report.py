#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates reports against the schema: validate_report.py SCHEMA REPORT...

Exit: 0 all are valid; 1 one is not, with the place and the reason; 77 the jsonschema package is missing."""
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("the Python package jsonschema is missing")
    sys.exit(77)


def deepest(error):
    """The innermost error of a `oneOf`, from the branch that matched furthest: the others only say that the kind differs."""
    while error.context:
        error = max(error.context, key=lambda inner: (len(inner.absolute_path), inner.validator != "const"))
    return error


def main(schema_path, report_paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    bad = 0
    for path in report_paths:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        for error in validator.iter_errors(report):
            inner = deepest(error)
            place = "/".join(str(part) for part in inner.absolute_path)
            print(f"{path}: at /{place}: {inner.message[:300]}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
