"""Reads answers with the models of the generated package `storefront`, and prints them as these models write them.

Arguments: a JSON file with a list of `model` and `value`. Ends with an error when a model rejects its value.
"""

import json
import sys

from storefront import models


def read(answer):
    model = getattr(models, answer["model"])
    value = model.from_dict(answer["value"])
    if type(value) is not model:
        raise TypeError(f"{answer['model']} was expected and {value!r} was read")
    return value.to_dict()


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([read(answer) for answer in json.load(file)], default=str))
