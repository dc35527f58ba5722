import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { edited } from './edited.ts';

export const AccessRole = defineEntity({
  name: 'AccessRole',
  tableName: 'access_role',
  properties: {
    id: p.bigint('number').primary(),
    code: p.text(),
    name: p.text(),
    permissions: p.array().columnType('text[]'),
    ...edited,
  },
});
export type AccessRole = InferEntity<typeof AccessRole>;

/** A member of staff. Sessions, keys and user-role links are plain SQL: they are never edited as objects. */
export const AccessUser = defineEntity({
  name: 'AccessUser',
  tableName: 'access_user',
  properties: {
    id: p.bigint('number').primary(),
    email: p.text(),
    fullName: p.text(),
    passwordHash: p.text().nullable(),
    isActive: p.boolean().default(true),
    deletedAt: p.datetime().nullable(),
    ...edited,
  },
});
export type AccessUser = InferEntity<typeof AccessUser>;
