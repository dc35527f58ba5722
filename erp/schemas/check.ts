import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Type, type Static, type TSchema } from 'typebox';

/**
 * Something in an answer that was left out because it is unreadable: its place, such as
 * `terminalGroups.1.items.0`, the fault, and the organization that the row or the one around it
 * names. Never a value.
 */
export type OddRow = { place: string; fault: string; organizationId: string | null };

/**
 * Validates a parsed answer: returns its data and the omitted parts, or the place and kind of a
 * violation (never with a value of it).
 */
export type Check<T> = (answer: unknown) => { data: T; odd?: readonly OddRow[] } | { fault: string };

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
    return 'data' in result ? { ...result, data: turn(result.data) } : result;
  };
}

function describe(error: ErrorObject | undefined): string {
  const path = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const missing: unknown = error?.params['missingProperty'];
  if (typeof missing === 'string') return `${path === '' ? missing : `${path}.${missing}`} is missing`;
  return `${path === '' ? 'the answer' : path} ${error?.message ?? 'is not valid'}`;
}

/**
 * The description of the ERP's answers: only fields that are used are declared, unknown fields and
 * enum values pass, and every optional field may be absent or null (the vendor adds both without a
 * version change).
 */
export function maybe<T extends TSchema & { type: string }>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] }));
}

/** A field that must be there and may be null. */
export function orNull<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

/**
 * An optional string that distinguishes the rows of a list. A row without it is readable; one with
 * an unreadable key is not, because it would be another row.
 */
export const Key = Type.String({ title: 'Key' });

/** A string that identifies something: empty or blank means that the answer cannot be used. */
export const Id = Type.String({ title: 'Id', pattern: '\\S' });

/**
 * An id that is stored in a uuid column; checked here so that a bad one fails the answer and not
 * the database.
 */
const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const Uuid = Type.String({ pattern: UUID_PATTERN });
/** A {@link Key} that is stored in a uuid column. */
export const UuidKey = Type.String({ title: 'Key', pattern: UUID_PATTERN });
