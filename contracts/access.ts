import { Type, type Static } from 'typebox';
import { PERMISSIONS } from './permissions.ts';
import { Id, Named, Timestamp, Words } from './schemas.ts';

/** Answers about users, roles and sessions. */

export const AccessToken = Named(
  'AccessToken',
  Type.Object({
    accessToken: Type.String({ description: 'Send the token as `Authorization: Bearer …`.' }),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires.' }),
  }),
);

/** The user who is signed in. */
export const Profile = Named(
  'Profile',
  Type.Object({
    id: Id,
    email: Type.String(),
    fullName: Type.String(),
    roles: Type.Array(Type.String(), { description: 'Codes of the roles.' }),
    permissions: Type.Array(Words(PERMISSIONS)),
  }),
);

export const User = Named(
  'User',
  Type.Object({
    id: Id,
    email: Type.String(),
    fullName: Type.String(),
    isActive: Type.Boolean(),
    roles: Type.Array(Type.String(), { description: 'Codes of the roles.' }),
    hasPassword: Type.Boolean({
      description: 'False when the user signs in through the identity provider only.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);
export type User = Static<typeof User>;

/** A named list of permissions. */
export const Role = Named(
  'Role',
  Type.Object({
    id: Id,
    code: Type.String(),
    name: Type.String(),
    permissions: Type.Array(Words(PERMISSIONS)),
    users: Type.Integer({ description: 'Number of users who have the role.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);
export type Role = Static<typeof Role>;
