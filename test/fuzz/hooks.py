"""Hooks of `npm run carte -- fuzz:api`: sign in, offer things that exist, count what every operation answers.

Schemathesis invents values; ids, versions and pictures that it invents exist by chance only, and an operation that answers
nothing but 404 is not tested. So most positive cases get values from `FUZZ_WORLD` (written by fuzz-api.ts). Negative cases stay
as they were generated.
"""

import atexit
import json
import os
import random
import re
import threading
import urllib.parse
import uuid
from collections import Counter, defaultdict

import requests
import schemathesis
from hypothesis import strategies
from schemathesis.core import NOT_SET
from schemathesis.generation.meta import TestPhase

with open(os.environ["FUZZ_WORLD"], encoding="utf-8") as file:
    WORLD = json.load(file)

ADMIN = WORLD["url"] + "/api/admin/v1"
API = WORLD["url"] + "/api/v1" if WORLD["api"] == "public" else ADMIN
DICE = random.Random(int(os.environ.get("FUZZ_SEED", "1")))
SHARE_OF_KNOWN = 0.75
SHARE_OF_CUSTOMERS = 0.3
# A walk is one person's: what a customer has made is nobody else's.
WALKER_IS_CUSTOMER = DICE.random() < SHARE_OF_CUSTOMERS
ADDRESSES = iter(range(1, 1_000_000))
# Ids and codes that answers of this walk have named: a step that goes on with one keeps it.
MADE = set()
NAME = re.compile("^(id|code|key|slug)$|(Id|Code)$")
COUNTS = defaultdict(Counter)
LOCK = threading.Lock()


def sign_in(account):
    """A session; every sign-in comes from an address of its own, because guessed passwords use up the others."""
    number = next(ADDRESSES)
    answer = requests.post(
        ADMIN + "/auth/login",
        json=account,
        headers={"X-Forwarded-For": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"},
        timeout=30,
    )
    answer.raise_for_status()
    return answer


@schemathesis.auth(refresh_interval=300).skip_for(path_regex="^/auth/")
class Token:
    """Who asks: the fuzzing administrator, the ERP, or at the storefront now a customer and now a guest. A 401 signs staff in again."""

    def get(self, case, context):
        return sign_in(WORLD["administrator"]).json()["accessToken"]

    def set(self, case, data, context):
        case.headers = case.headers or {}
        secret = {"webhooks": WORLD["webhookSecret"], "public": WORLD["customerToken"]}.get(WORLD["api"], data)
        is_customer = WALKER_IS_CUSTOMER if is_of_walk(case) else DICE.random() < SHARE_OF_CUSTOMERS
        if WORLD["api"] != "public" or is_customer:
            case.headers["Authorization"] = f"Bearer {secret}"


schemathesis.openapi.media_type("image/png", strategies.sampled_from([bytes.fromhex(each) for each in WORLD["pictures"]]))


def is_of_walk(case):
    return case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL


def is_made(value):
    return isinstance(value, (str, int)) and str(value) in MADE


def names_in(value):
    if isinstance(value, list):
        return [name for each in value for name in names_in(each)]
    if not isinstance(value, dict):
        return []
    own = [str(each) for key, each in value.items() if NAME.search(key) and isinstance(each, (str, int))]
    return own + [name for each in value.values() for name in names_in(each)]


def pool_of(rules, *names):
    for rule in rules:
        if all(re.search(pattern, name) for pattern, name in zip(rule[:-1], names)):
            return WORLD["pools"].get(rule[-1]) or None
    return None


def known(values):
    return DICE.choice(values) if values and DICE.random() < SHARE_OF_KNOWN else NOT_SET


def fill(value, operation):
    """Replaces what names something else (`categoryId`, `productIds`, …) by things that exist."""
    if isinstance(value, list):
        return [fill(each, operation) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: fill_member(name, each, operation) for name, each in value.items()}


def fill_member(name, value, operation):
    pool = pool_of(WORLD["bodies"], operation, name)
    if pool is None or value is None:
        return fill(value, operation)
    if is_made(value):
        return value
    if isinstance(value, list):
        size = min(max(len(value), 1), len(pool), 5)
        return DICE.sample(pool, size) if DICE.random() < SHARE_OF_KNOWN else value
    found = known(pool)
    return value if found is NOT_SET else found


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId", "")
    spare_what_the_run_needs(case)
    if case.meta is None or case.meta.generation.mode.is_negative:
        return
    path = case.operation.path
    # A key that was used gives the first answer again, also when what it has made is deleted since.
    if is_of_walk(case) and "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    goes_on = any(is_made(each) for each in [*(case.path_parameters or {}).values(), *names_in(case.body)])
    # A step of a walk is judged by whether what it names was made before: the path stays as the walk has it.
    for name in [] if is_of_walk(case) else list(case.path_parameters or {}):
        found = known(pool_of(WORLD["parameters"], path, name))
        if found is not NOT_SET:
            case.path_parameters[name] = urllib.parse.quote(str(found), safe="")
    for name in list(case.query or {}):
        found = NOT_SET if is_made(case.query[name]) else known(pool_of(WORLD["parameters"], path, name))
        if found is not NOT_SET:
            case.query[name] = found
    if isinstance(case.body, dict):
        case.body = fill(case.body, operation)
        preset = WORLD["presets"].get(operation)
        if preset and DICE.random() < SHARE_OF_KNOWN:
            case.body = {**case.body, **DICE.choice(preset)}
        if "version" in case.body and DICE.random() < SHARE_OF_KNOWN:
            case.body["version"] = current_version(case)
    exact = None if goes_on else WORLD["exact"].get(operation)
    if exact and DICE.random() < SHARE_OF_KNOWN:
        choice = DICE.choice(exact)
        named = {name: urllib.parse.quote(str(each), safe="") for name, each in choice["path"].items()}
        case.path_parameters = {**case.path_parameters, **named}
        case.body = {**case.body, **choice["body"]} if isinstance(case.body, dict) else case.body
        if isinstance(case.body, dict) and "version" in case.body:
            case.body["version"] = current_version(case)
    if operation == "refresh":
        cookie = sign_in(WORLD["guest"]).cookies.get("carte_refresh")
        case.headers = {**(case.headers or {}), "Cookie": f"carte_refresh={cookie}"}


def spare_what_the_run_needs(case):
    """Keeps the hands off the account and the role of the run itself."""
    for pattern, needed in WORLD["untouchable"]:
        if case.method != "GET" and re.search(pattern, case.operation.path):
            if str((case.path_parameters or {}).get("id")).strip() == str(needed):
                case.path_parameters["id"] = 2**40


def signature(case):
    return {name: value for name, value in (case.headers or {}).items() if name == "Authorization"}


def current_version(case):
    """The version that an update has to name, read where the entity is read; a first one where it cannot be read."""
    if WORLD["api"] == "public":
        addresses = ["/cart?cart_id=" + urllib.parse.quote(str(case.body.get("cartId")), safe="")]
    else:
        path = case.formatted_path
        addresses = [path, re.sub(r"/[a-z-]+$", "", path), re.sub(r"/[a-z-]+/[a-z-]+$", "", path)]
    for address in addresses:
        answer = requests.get(API + address, headers=signature(case), timeout=30)
        body = answer.json() if answer.status_code == 200 else None
        if isinstance(body, dict) and "version" in body:
            return body["version"]
    return DICE.choice([0, 1])


@schemathesis.hook
def after_call(context, case, response):
    if response.request.method != case.operation.method.upper():
        return
    if is_of_walk(case) and response.status_code in (200, 201) and "json" in str(response.headers.get("content-type")):
        MADE.update(names_in(response.json()))
    with LOCK:
        COUNTS[case.operation.label][response.status_code] += 1


@atexit.register
def report():
    with open(os.environ["FUZZ_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(COUNTS, file)
