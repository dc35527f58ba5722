import { Type, type Static } from 'typebox';
import { Named } from './schemas.ts';

/**
 * One broken field: a body path in dots (`variants.0.erpItemSizeId`) or a parameter name, a code of
 * `FIELD_CODES` and a sentence.
 */
export const FieldError = Named(
  'FieldError',
  Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }),
);
export type FieldError = Static<typeof FieldError>;

/** One broken rule of the whole, for example of publication. */
export const Violation = Named('Violation', Type.Object({ code: Type.String(), message: Type.String() }));
export type Violation = Static<typeof Violation>;

/** A field error with these three parts. */
export function fieldError(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}

/**
 * Errors of a list of ids: those that are named twice, and those that `known` does not have. `what`
 * is used in the messages.
 */
export function listErrors(
  field: string,
  ids: readonly number[],
  known: ReadonlySet<number>,
  what: string,
): FieldError[] {
  const firstAt = new Map(ids.map((id, at): [number, number] => [id, at]).toReversed());
  return ids.flatMap((id, at): FieldError[] => {
    const path = `${field}.${at}`;
    if (firstAt.get(id) !== at) return [fieldError(path, 'duplicate', `The ${what} is named twice.`)];
    return known.has(id) ? [] : [fieldError(path, 'not_found', `No such ${what}.`)];
  });
}
