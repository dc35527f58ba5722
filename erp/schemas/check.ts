import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Type, type Static, type TSchema } from 'typebox';

/**
 * An omitted part: its path, such as `terminalGroups.1.items.0`, its fault, and the organization of
 * the nearest row. Contains no values.
 */
export type OddRow = { place: string; fault: string; organizationId: string | null };

/** Returns data and omitted parts, or path and kind of a violation without values. */
export type Check<T> = (
  answer: unknown,
) => { data: T; odd?: readonly OddRow[] } | { fault: string };

const ajv = new Ajv({ strict: true, allowUnionTypes: true });

export function createCheck<S extends TSchema>(schema: S): Check<Static<S>> {
  let validate: ValidateFunction<Static<S>> | undefined;
  return (answer) => {
    validate ??= ajv.compile<Static<S>>(schema);
    return validate(answer) ? { data: answer } : { fault: describe(validate.errors?.[0]) };
  };
}

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

export function orNull<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** A field that identifies its row. If it is unreadable, so is the row. */
export const Key = Type.String({ title: 'Key' });

/** Required and not blank. */
export const Id = Type.String({ title: 'Id', pattern: '\\S' });

/** An invalid id must fail the answer, not the database. */
const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const Uuid = Type.String({ pattern: UUID_PATTERN });
export const UuidKey = Type.String({ title: 'Key', pattern: UUID_PATTERN });
