import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { FieldError } from '../../contracts/problem.ts';
import { ANNOTATIONS } from '../../contracts/schemas.ts';
import { fieldErrors } from './field-errors.ts';

/** As PostgreSQL reads it: the format of the library also takes `urn:uuid:` before it, which no column does. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isDateTime = formats.default.get('date-time') as { validate: (text: string) => boolean };
/** The zones of the Earth; PostgreSQL refuses some of those beyond. */
const ZONE = /(?:z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/i;

/** A moment that the language and the database read alike: the library also takes a leap second, the year 0 and any zone. */
function isMoment(text: string): boolean {
  return isDateTime.validate(text) && ZONE.test(text) && !text.startsWith('0000') && !Number.isNaN(Date.parse(text));
}

const options = { strict: true, allErrors: true, useDefaults: true, allowUnionTypes: true } as const;

/** Query strings and path parameters arrive as text, so types are coerced; a single value may stand for a list. */
const queryAjv = prepare(new Ajv({ ...options, coerceTypes: 'array' }));
/** Bodies are JSON: a number in quotes is an error. All errors are reported; the body limit bounds the work. */
const bodyAjv = prepare(new Ajv(options));
/** Answers are checked in tests only; money is still whole kopecks at that point. */
const answerAjv = prepare(new Ajv({ ...options, useDefaults: false }));

function prepare(ajv: Ajv): Ajv {
  formats.default(ajv);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('date-time', isMoment);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  return ajv;
}

/** Checks a value in place (defaults and coercion apply) and returns its field errors; none means valid. */
export type Validator = (value: unknown) => FieldError[];

/** `root` is the field name of an error of the whole value: `body`, `query` or `params`. */
export function queryValidator(schema: TSchema, root: string): Validator {
  const check = validator(queryAjv.compile(schema), root);
  return (value) => {
    const odd = oddNumbers(schema, value);
    // Ajv would turn the same texts into numbers and find nothing wrong with them.
    return [...odd, ...check(value).filter((error) => !odd.some(({ field }) => field === error.field))];
  };
}

/** How a number is written in an address: coercion alone would also take `0x1`, `1e3`, `+1` and blanks. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  integer: /^-?(?:0|[1-9]\d*)$/,
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/,
};

type Member = { type?: string; items?: Member };

function oddNumbers(schema: TSchema, value: unknown): FieldError[] {
  const { properties = {} } = schema as { properties?: Record<string, Member> };
  return Object.entries(properties).flatMap(([field, { type, items }]) => {
    const written = WRITTEN[(type === 'array' ? items?.type : type) ?? ''];
    const texts = [(value as Record<string, unknown>)[field]].flat().filter((each) => typeof each === 'string');
    if (written === undefined || texts.every((text) => written.test(text))) return [];
    return [{ field, code: 'type', message: `must be ${(type === 'array' ? items?.type : type) ?? ''}` }];
  });
}

export function bodyValidator(schema: TSchema): Validator {
  return validator(bodyAjv.compile(schema), 'body');
}

/** For bodies whose sender does not correct them: texts that cannot be stored are left to the use case, depth is not. */
export function foreignBodyValidator(schema: TSchema): Validator {
  return validator(bodyAjv.compile(schema), 'body', { checksTexts: false });
}

export function answerValidator(schema: TSchema): Validator {
  return validator(answerAjv.compile(schema), 'answer');
}

function validator(validate: ValidateFunction, root: string, { checksTexts } = { checksTexts: true }): Validator {
  return (value) => {
    const errors = validate(value) ? [] : fieldErrors(validate.errors ?? [], root);
    return errors.length > 0 ? errors : unstorable(value, root, checksTexts);
  };
}

/** No real request is nested deeper; walking such JSON would only exhaust the stack. */
const DEEPEST = 64;

/**
 * What no schema says and every value must obey: PostgreSQL text cannot hold U+0000, its JSON no half of a surrogate
 * pair, and nesting has an end. Found here, it is the caller's error and not a failed statement. Walks with a list,
 * because the value may be deeper than the stack.
 */
function unstorable(value: unknown, root: string, checksTexts: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const left: { value: unknown; path: readonly string[] }[] = [{ value, path: [] }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const field = next.path.join('.') || root;
    if (checksTexts && typeof next.value === 'string') {
      if (next.value.includes('\0'))
        errors.push({ field, code: 'format', message: 'must not contain the character U+0000' });
      if (!next.value.isWellFormed())
        errors.push({ field, code: 'format', message: 'must not contain half of a surrogate pair' });
    }
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.path.length >= DEEPEST) return [{ field, code: 'too_deep', message: 'is nested too deeply' }];
    for (const [name, each] of Object.entries(next.value)) left.push({ value: each, path: [...next.path, name] });
  }
  return errors;
}
