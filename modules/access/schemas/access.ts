import { Type, type Static } from 'typebox';
import { PERMISSIONS } from '../../../kernel/pure/permissions.ts';
import {
  Id,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';
import { KeysOfUser, LimitedTo } from './api-keys.ts';

export const AccessToken = Named(
  'AccessToken',
  Type.Object({
    accessToken: Type.String({ description: 'Send the token as `Authorization: Bearer …`.' }),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires.' }),
  }),
);

const Permission = Named('Permission', Words(PERMISSIONS));

const OrganizationsOfStaff = Type.Unsafe<number[] | null>({
  ...Nullable(Type.Array(Id)),
  description: 'Restaurants to which the user is limited. Null: all.',
});

export const Profile = Named(
  'Profile',
  Type.Object({
    id: Id,
    email: Type.String(),
    fullName: Type.String(),
    roles: Type.Array(Type.String(), { description: 'Codes of the roles.' }),
    permissions: Type.Array(Permission, {
      description: 'Empty while `secondFactor.isDemanded` or `mustChangePassword`.',
    }),
    organizationIds: OrganizationsOfStaff,
    mustChangePassword: Type.Boolean({
      description:
        'True if another user has set the password. The user must change it before anything else.',
    }),
    secondFactor: Type.Object({
      isOn: Type.Boolean({ description: 'True if signing in with the password requires a code.' }),
      isDemanded: Type.Boolean({
        description: 'True if the user must set up a second factor before anything else.',
      }),
      recoveryCodesLeft: Type.Integer(),
    }),
  }),
);

export const NewSecondFactor = Named(
  'NewSecondFactor',
  Type.Object({
    secret: Type.String({ description: 'The secret in base32, to be typed into an app.' }),
    uri: Type.String({ description: 'The `otpauth://` URI to be shown as a QR code.' }),
  }),
);

export type NewSecondFactor = Static<typeof NewSecondFactor>;

export const RecoveryCodes = Named(
  'RecoveryCodes',
  Type.Object({
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Each signs the user in once without the app. They are shown this one time.',
    }),
  }),
);

export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const Session = Named(
  'Session',
  Type.Object({
    id: Uuid,
    method: Words(['PASSWORD', 'SSO']),
    userAgent: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'The browser, as it named itself.',
    }),
    createdAt: Timestamp,
    lastUsedAt: Type.Unsafe<Date | string>({
      ...Timestamp,
      description: 'Moment of the last replacement of its token.',
    }),
    endsAt: Type.Unsafe<Date | string>({
      ...Timestamp,
      description: 'Moment at which it expires.',
    }),
    isCurrent: Type.Boolean({ description: 'True for the session of this request.' }),
  }),
);

export type Session = Static<typeof Session>;

export const User = Named(
  'User',
  Type.Object({
    id: Id,
    email: Type.String(),
    fullName: Type.String(),
    phone: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Phone of the user, to whom the user cannot grant gifts.',
    }),
    isActive: Type.Boolean(),
    roles: Type.Array(Type.String(), { description: 'Codes of the roles.' }),
    organizationIds: OrganizationsOfStaff,
    hasPassword: Type.Boolean({
      description: 'False when the user signs in through the identity provider only.',
    }),
    hasSecondFactor: Type.Boolean({
      description: 'True if signing in with the password requires a code.',
    }),
    apiKeys: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
      description:
        'API keys of the user that are not revoked. Disabling or deleting the user revokes them by default.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type User = Static<typeof User>;

export const Role = Named(
  'Role',
  Type.Object({
    id: Id,
    code: Type.String(),
    name: Type.String(),
    permissions: Type.Array(Permission),
    users: Type.Integer({ description: 'Number of users who have the role.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type Role = Static<typeof Role>;

/** Resists guessing at the sign-in limits, but is short enough to hash. */
const NewPassword = Type.String({ minLength: 12, maxLength: 200 });
const GivenPassword = Type.String({ minLength: 1, maxLength: 500 });
/** Six digits from an app, or a recovery code with hyphens. */
const Code = Type.String({ minLength: 6, maxLength: 40 });
const Email = Type.String({ minLength: 3, maxLength: 254 });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Phone = Type.String({ minLength: 10, maxLength: 30 });

const RoleCodes = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 50,
  uniqueItems: true,
});

const Permissions = Type.Array(Permission, { maxItems: PERMISSIONS.length, uniqueItems: true });

export const Credentials = Named(
  'Credentials',
  Strict({
    email: Type.String({ minLength: 1, maxLength: 320 }),
    password: GivenPassword,
    code: Type.Optional({
      ...Code,
      description:
        'Code of the authenticator app, or a recovery code. It is needed when the user has a second factor.',
    }),
  }),
);

export type Credentials = Static<typeof Credentials>;

export const PasswordChange = Named(
  'PasswordChange',
  Strict({ currentPassword: GivenPassword, newPassword: NewPassword }),
);

export type PasswordChange = Static<typeof PasswordChange>;

/** Required for actions that a stolen session must not permit. */
export const PresentPassword = Named('PresentPassword', Strict({ currentPassword: GivenPassword }));
export const FactorConfirmation = Named('FactorConfirmation', Strict({ code: Code }));

export const FactorRemoval = Named(
  'FactorRemoval',
  Strict({ currentPassword: GivenPassword, code: Code }),
);

/** Without a password, the user signs in through the identity provider. */
export const NewUser = Named(
  'NewUser',
  Strict({
    email: Email,
    fullName: Name,
    phone: Type.Optional(Nullable(Phone)),
    roles: RoleCodes,
    organizationIds: Type.Optional(Nullable(LimitedTo)),
    password: Type.Optional(Nullable(NewPassword)),
  }),
);

export type NewUser = Static<typeof NewUser>;

/** `password: null` leaves only the identity provider. */
export const UserEdit = Named(
  'UserEdit',
  Strict({
    version: Version,
    email: Type.Optional(Email),
    fullName: Type.Optional(Name),
    phone: Type.Optional(Nullable(Phone)),
    isActive: Type.Optional(Type.Boolean()),
    roles: Type.Optional(RoleCodes),
    organizationIds: Type.Optional(Nullable(LimitedTo)),
    password: Type.Optional(Nullable(NewPassword)),
    apiKeys: Type.Optional(KeysOfUser),
  }),
);

export type UserEdit = Static<typeof UserEdit>;

export const NewRole = Named(
  'NewRole',
  Strict({
    code: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,49}$' }),
    name: Name,
    permissions: Permissions,
  }),
);

export type NewRole = Static<typeof NewRole>;

export const RoleEdit = Named(
  'RoleEdit',
  Strict({ version: Version, name: Type.Optional(Name), permissions: Type.Optional(Permissions) }),
);

export type RoleEdit = Static<typeof RoleEdit>;
