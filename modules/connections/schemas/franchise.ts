import { Type, type Static } from 'typebox';
import {
  Id,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Version,
} from '../../../kernel/pure/schemas.ts';

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

const Name = Type.String({ minLength: 1, maxLength: 200 });
const TaxId = Nullable(Type.String({ minLength: 1, maxLength: 20 }));

export const NewFranchisee = Named('NewFranchisee', Strict({ name: Name }));
export type NewFranchisee = Static<typeof NewFranchisee>;

export const FranchiseeEdit = Named(
  'FranchiseeEdit',
  Strict({ version: Version, name: Type.Optional(Name) }),
);

export type FranchiseeEdit = Static<typeof FranchiseeEdit>;

export const NewLegalEntity = Named(
  'NewLegalEntity',
  Strict({ franchiseeId: Id, name: Name, taxId: Type.Optional(TaxId) }),
);

export type NewLegalEntity = Static<typeof NewLegalEntity>;

/** Does not contain the franchisee, which never changes. */
export const LegalEntityEdit = Named(
  'LegalEntityEdit',
  Strict({ version: Version, name: Type.Optional(Name), taxId: Type.Optional(TaxId) }),
);

export type LegalEntityEdit = Static<typeof LegalEntityEdit>;
