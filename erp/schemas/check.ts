import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';

/** Looks at a parsed answer: its data, or where and how it breaks what we rely on (never with a value of it). */
export type Check<T> = (answer: unknown) => { data: T } | { fault: string };

const ajv = new Ajv({ strict: true, allowUnionTypes: true });

/** A check of one schema, compiled at its first use and then kept. */
export function checkOf<S extends TSchema>(schema: S): Check<Static<S>> {
  let validate: ValidateFunction<Static<S>> | undefined;
  return (answer) => {
    validate ??= ajv.compile<Static<S>>(schema);
    return validate(answer) ? { data: answer } : { fault: describe(validate.errors?.[0]) };
  };
}

/** The same check with its data turned into another shape. */
export function checkThen<T, R>(check: Check<T>, turn: (data: T) => R): Check<R> {
  return (answer) => {
    const result = check(answer);
    return 'data' in result ? { data: turn(result.data) } : result;
  };
}

function describe(error: ErrorObject | undefined): string {
  const path = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const missing: unknown = error?.params['missingProperty'];
  if (typeof missing === 'string') return `${path === '' ? missing : `${path}.${missing}`} is missing`;
  return `${path === '' ? 'the answer' : path} ${error?.message ?? 'is not valid'}`;
}
