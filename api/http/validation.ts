import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { FieldError } from '../../contracts/problem.ts';
import { fieldErrors } from './field-errors.ts';

const options = { strict: true, allErrors: true, useDefaults: true, allowUnionTypes: true } as const;

/** Query strings and path parameters arrive as text, so types are coerced; a single value may stand for a list. */
const queryAjv = prepare(new Ajv({ ...options, coerceTypes: 'array' }));
/** Bodies are JSON: a number in quotes is an error. All errors are reported; the body limit bounds the work. */
const bodyAjv = prepare(new Ajv(options));
/** Answers are checked in tests only; money is still whole kopecks at that point. */
const answerAjv = prepare(new Ajv({ ...options, useDefaults: false }));

function prepare(ajv: Ajv): Ajv {
  formats.default(ajv);
  ajv.addKeyword({ keyword: 'x-money', schemaType: 'boolean' });
  return ajv;
}

/** Checks a value in place (defaults and coercion apply) and returns its field errors; none means valid. */
export type Validator = (value: unknown) => FieldError[];

/** `root` is the field name of an error of the whole value: `body`, `query` or `params`. */
export function queryValidator(schema: TSchema, root: string): Validator {
  return validator(queryAjv.compile(schema), root);
}

export function bodyValidator(schema: TSchema): Validator {
  return validator(bodyAjv.compile(schema), 'body');
}

export function answerValidator(schema: TSchema): Validator {
  return validator(answerAjv.compile(schema), 'answer');
}

function validator(validate: ValidateFunction, root: string): Validator {
  return (value) => {
    const errors = validate(value) ? [] : fieldErrors(validate.errors ?? [], root);
    return errors.length > 0 ? errors : unstorable(value, '', root);
  };
}

/** PostgreSQL text cannot hold U+0000; found here, it is the caller's error and not a failed statement. */
function unstorable(value: unknown, path: string, root: string): FieldError[] {
  if (typeof value === 'string' && value.includes('\0'))
    return [{ field: path || root, code: 'format', message: 'must not contain the character U+0000' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    unstorable(each, path === '' ? name : `${path}.${name}`, root),
  );
}
