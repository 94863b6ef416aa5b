"""Runs each converted query of a file, and writes what it prints as JSON."""

import dataclasses
import datetime
import enum
import json
import math
import sys
import uuid


def plain(value):
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, datetime.datetime):
        return round(value.timestamp() * 1000)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if dataclasses.is_dataclass(value):
        return {key: plain(one) for key, one in vars(value).items()}
    if hasattr(value, "model_dump"):
        return plain(value.model_dump())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "objects"):
        return {"objects": plain(value.objects)}
    if hasattr(value, "__dict__"):
        return {key: plain(one) for key, one in vars(value).items()}
    return str(value)


def run(code):
    printed = []
    try:
        exec(code, {"print": lambda *given: printed.append(plain(given))})
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"printed": printed}


with open(sys.argv[1]) as file:
    codes = json.load(file)
with open(sys.argv[2], "w") as file:
    json.dump([run(code) for code in codes], file)
