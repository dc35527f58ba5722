import { Type, type Static } from 'typebox';
import { Named } from './schemas.ts';

/** One broken field: a body path in dots (`variants.0.erpItemSizeId`) or a parameter name, a code of `FIELD_CODES` and a sentence. */
export const FieldError = Named(
  'FieldError',
  Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }),
);
export type FieldError = Static<typeof FieldError>;

/** One broken rule of the whole, for example of publication. */
export const Violation = Named('Violation', Type.Object({ code: Type.String(), message: Type.String() }));
export type Violation = Static<typeof Violation>;
