import { Type, type Static, type TSchema } from 'typebox';

/**
 * How the ERP's answers are described: only fields that are used are declared, unknown fields and enum values pass,
 * and every optional field may be absent or null (the vendor adds both without a version change).
 */
export function maybe<T extends TSchema & { type: string }>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] }));
}

/** A string that identifies something: empty or blank means that the answer cannot be used. */
export const Id = Type.String({ pattern: '\\S' });

/** An id that is stored in a uuid column; checked here so that a bad one fails the answer and not the database. */
export const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });
