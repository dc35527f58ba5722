import { Type, type Static } from 'typebox';
import { Id, Named, NullableText, Timestamp } from './schemas.ts';

const edited = { createdAt: Timestamp, updatedAt: Timestamp, version: Type.Integer() };

export const Franchisee = Named(
  'Franchisee',
  Type.Object({ id: Id, name: Type.String(), isActive: Type.Boolean(), ...edited }),
);
export type Franchisee = Static<typeof Franchisee>;

export const LegalEntity = Named(
  'LegalEntity',
  Type.Object({
    id: Id,
    franchiseeId: Id,
    name: Type.String(),
    taxId: NullableText,
    isActive: Type.Boolean(),
    ...edited,
  }),
);
export type LegalEntity = Static<typeof LegalEntity>;
