import { Type, type Static } from 'typebox';
import { Named } from './schemas.ts';

/** `field`: a body path with dots (`variants.0.erpItemSizeId`) or a parameter name. */
export const FieldError = Named(
  'FieldError',
  Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }),
);

export type FieldError = Static<typeof FieldError>;

/** A violated rule of the whole object, such as a publication rule. */
export const Violation = Named(
  'Violation',
  Type.Object({ code: Type.String(), message: Type.String() }),
);

export type Violation = Static<typeof Violation>;

export function fieldError(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}

/** Returns errors for duplicate ids and ids not in `known`. `what` is for the messages. */
export function listErrors(
  field: string,
  ids: readonly number[],
  known: ReadonlySet<number>,
  what: string,
): FieldError[] {
  const firstAt = new Map(ids.map((id, at): [number, number] => [id, at]).toReversed());
  return ids.flatMap((id, at): FieldError[] => {
    const path = `${field}.${at}`;
    if (firstAt.get(id) !== at)
      return [fieldError(path, 'duplicate', `The ${what} is named twice.`)];
    return known.has(id) ? [] : [fieldError(path, 'not_found', `No such ${what}.`)];
  });
}
