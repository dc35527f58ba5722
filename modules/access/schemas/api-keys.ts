import { Author } from './author.ts';
import { Type, type Static } from 'typebox';
import {
  Id,
  Named,
  Nullable,
  OrganizationId,
  Strict,
  Timestamp,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';
import { KEY_PERMISSIONS, type Permission } from '../../../kernel/pure/permissions.ts';

const API_KEY_USES = ['ADMIN', 'STOREFRONT'] as const;
export type ApiKeyUse = (typeof API_KEY_USES)[number];

/** Their limits are `RATE_LIMIT_KEY` and `RATE_LIMIT_KEY_HIGH`. */
const RATE_CLASSES = ['STANDARD', 'HIGH'] as const;
export type RateClass = (typeof RATE_CLASSES)[number];

/** A replaced secret stays valid for at most this time. */
const LONGEST_OVERLAP_HOURS = 168;

const KeyPermission = Type.Unsafe<Permission>(Words(KEY_PERMISSIONS));

const KeyPermissions = Type.Array(KeyPermission, {
  maxItems: KEY_PERMISSIONS.length,
  uniqueItems: true,
});

export const LimitedTo = Type.Array(OrganizationId, {
  minItems: 1,
  maxItems: 1_000,
  uniqueItems: true,
  description: 'Restaurants to which access is limited. Null: all.',
});

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Class = Words(RATE_CLASSES);
const Moment = Type.String({ format: 'date-time' });

const fields = {
  id: Id,
  name: Type.String(),
  use: Type.Unsafe<ApiKeyUse>({
    ...Words(API_KEY_USES),
    description:
      'ADMIN keys are sent to the admin API as `Authorization: Bearer`, STOREFRONT keys to the storefront API as `Carte-Key`.',
  }),
  permissions: Type.Array(KeyPermission, { description: 'Empty for STOREFRONT keys.' }),
  effectivePermissions: Type.Array(KeyPermission, {
    description: 'The permissions that apply now: those of `permissions` that the owner has.',
  }),
  organizationIds: Type.Unsafe<number[] | null>({
    ...Nullable(Type.Array(Id)),
    description:
      'Restaurants to which the key is limited, besides the limits of its owner. Null: all.',
  }),
  rateClass: Class,
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
  lastUsedAt: Type.Unsafe<Date | string | null>({
    ...Nullable(Timestamp),
    description: 'Updated at most once a minute.',
  }),
  secrets: Type.Array(
    Type.Object({
      prefix: Type.String({ description: 'Beginning of the token.' }),
      createdAt: Timestamp,
      validUntil: Type.Unsafe<Date | string | null>({
        ...Nullable(Timestamp),
        description: 'Null for the current secret.',
      }),
    }),
    { description: 'The newest secret comes first.' },
  ),
  createdBy: Type.Unsafe<Author | null>({
    ...Nullable(Author),
    description: 'The user who created the key.',
  }),
  ownerId: Type.Unsafe<number | null>({
    ...Nullable(Id),
    description:
      'The user whose permissions limit the key: its creator, unless another user has taken it over.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Type.Integer(),
};

export const ApiKey = Named('ApiKey', Type.Object(fields));
export type ApiKey = Static<typeof ApiKey>;

/** The token is shown only once. */
export const ApiKeyWithToken = Named(
  'ApiKeyWithToken',
  Type.Object({
    ...fields,
    token: Type.String({ description: 'The token. It is shown only in this response.' }),
  }),
);

export type ApiKeyWithToken = Static<typeof ApiKeyWithToken>;

const KEYS_OF_USER = ['REVOKE', 'TAKE_OVER'] as const;
export type KeysOfUser = (typeof KEYS_OF_USER)[number];

export const KeysOfUser = Type.Unsafe<KeysOfUser>({
  ...Words(KEYS_OF_USER),
  description:
    'The API keys of the user: `REVOKE` (default) or `TAKE_OVER`, which makes you their owner. `GET /api-keys?owner_id=` lists them.',
});

export const NewApiKey = Named(
  'NewApiKey',
  Strict({
    name: Name,
    use: Words(API_KEY_USES),
    permissions: Type.Optional(KeyPermissions),
    organizationIds: Type.Optional(Nullable(LimitedTo)),
    rateClass: Type.Optional(Class),
    expiresAt: Type.Optional(Nullable(Moment)),
  }),
);

export type NewApiKey = Static<typeof NewApiKey>;

export const ApiKeyEdit = Named(
  'ApiKeyEdit',
  Strict({
    version: Version,
    name: Type.Optional(Name),
    permissions: Type.Optional(KeyPermissions),
    organizationIds: Type.Optional(Nullable(LimitedTo)),
    rateClass: Type.Optional(Class),
    expiresAt: Type.Optional(Nullable(Moment)),
  }),
);

export type ApiKeyEdit = Static<typeof ApiKeyEdit>;

export const ApiKeyRotation = Named(
  'ApiKeyRotation',
  Strict({
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_OVERLAP_HOURS,
        description: 'Hours for which the replaced secret stays valid. 24 if absent.',
      }),
    ),
  }),
);

export type ApiKeyRotation = Static<typeof ApiKeyRotation>;
