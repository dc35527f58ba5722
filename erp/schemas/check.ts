import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Type, type Static, type TSchema } from 'typebox';

/**
 * An omitted part: its path, such as `terminalGroups.1.items.0`, the fault, and the organization
 * of the nearest row. Never a value.
 */
export type OddRow = { place: string; fault: string; organizationId: string | null };

/** Returns data and omitted parts, or path and kind of a violation without values. */
export type Check<T> = (
  answer: unknown,
) => { data: T; odd?: readonly OddRow[] } | { fault: string };

const ajv = new Ajv({ strict: true, allowUnionTypes: true });

/** Compiled at first use. */
export function checkOf<S extends TSchema>(schema: S): Check<Static<S>> {
  let validate: ValidateFunction<Static<S>> | undefined;
  return (answer) => {
    validate ??= ajv.compile<Static<S>>(schema);
    return validate(answer) ? { data: answer } : { fault: describe(validate.errors?.[0]) };
  };
}

/** Creates a check that also converts the data. */
export function checkThen<T, R>(check: Check<T>, turn: (data: T) => R): Check<R> {
  return (answer) => {
    const result = check(answer);
    return 'data' in result ? { ...result, data: turn(result.data) } : result;
  };
}

function describe(error: ErrorObject | undefined): string {
  const path = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const missing: unknown = error?.params['missingProperty'];
  if (typeof missing === 'string')
    return `${path === '' ? missing : `${path}.${missing}`} is missing`;
  return `${path === '' ? 'the answer' : path} ${error?.message ?? 'is not valid'}`;
}

/**
 * Makes a field optional and nullable. Unknown fields and enum values are accepted, because the
 * vendor adds them without a version change.
 */
export function maybe<T extends TSchema & { type: string }>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] }));
}

/** Makes a required field nullable. */
export function orNull<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** Distinguishes rows: a row with an unreadable key would be another row, so it is unreadable. */
export const Key = Type.String({ title: 'Key' });

/** Required and not blank. */
export const Id = Type.String({ title: 'Id', pattern: '\\S' });

/** An invalid id must fail the answer, not the database. */
const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const Uuid = Type.String({ pattern: UUID_PATTERN });
export const UuidKey = Type.String({ title: 'Key', pattern: UUID_PATTERN });
