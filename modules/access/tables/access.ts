import { defineEntity, p } from '@mikro-orm/core';
import type { ApiKeyUse, RateClass } from '../schemas/api-keys.ts';
import type { SecurityEventKind } from '../schemas/security-events.ts';
import type { Permission } from '../../../kernel/pure/permissions.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

/** The id is that of the key's machine account in `access_user`. */
export const AccessApiKey = defineEntity({
  name: 'AccessApiKey',
  tableName: 'access_api_key',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    name: p.text(),
    use: p.text().$type<ApiKeyUse>(),
    permissions: p.array().$type<Permission[]>().columnType('text[]').defaultRaw(`'{}'::text[]`),
    rateClass: p.text().$type<RateClass>().default('STANDARD'),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    createdBy: p.bigint('number').nullable(),
    /** Limits the permissions. Null if no user created the key. */
    ownerId: p.bigint('number').nullable(),
    /** Null for all. */
    organizationIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    ...edited,
  },
});

/** Stores only digests of secrets. `valid_until` of the current secret is null. */
export const AccessApiKeySecret = defineEntity({
  name: 'AccessApiKeySecret',
  tableName: 'access_api_key_secret',
  properties: {
    prefix: p.text().primary(),
    keyId: p.bigint('number'),
    digest: p.blob().$type<Buffer>(),
    createdAt: p.datetime().defaultRaw('now()'),
    validUntil: p.datetime().nullable(),
  },
});

export const AccessIdentity = defineEntity({
  name: 'AccessIdentity',
  tableName: 'access_identity',
  properties: {
    issuer: p.text().primary(),
    subject: p.text().primary(),
    userId: p.bigint('number'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

export const AccessRole = defineEntity({
  name: 'AccessRole',
  tableName: 'access_role',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    name: p.text(),
    permissions: p.array().$type<Permission[]>().columnType('text[]').defaultRaw(`'{}'::text[]`),
    ...edited,
  },
});

export const AccessSecondFactor = defineEntity({
  name: 'AccessSecondFactor',
  tableName: 'access_second_factor',
  properties: {
    userId: p.bigint('number').primary().autoincrement(false),
    secretEncrypted: p.text(),
    /** The last used step, in 30 s since 1970. Codes up to this step are rejected. */
    lastStep: p.bigint('number').default(0),
    recoveryDigests: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'::text[]`),
    confirmedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

export const AccessSession = defineEntity({
  name: 'AccessSession',
  tableName: 'access_session',
  properties: {
    id: p.uuid().primary(),
    userId: p.bigint('number'),
    counter: p.integer().default(0),
    rotatedAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    method: p.text().$type<'PASSWORD' | 'SSO'>().default('PASSWORD'),
    userAgent: p.text().nullable(),
    endedAt: p.datetime().nullable(),
    endReason: p.text().nullable(),
  },
});

export const AccessSignOn = defineEntity({
  name: 'AccessSignOn',
  tableName: 'access_sign_on',
  properties: {
    stateDigest: p.text().primary(),
    browserDigest: p.text(),
    returnTo: p.text(),
    expiresAt: p.datetime(),
  },
});

export const AccessSigningKey = defineEntity({
  name: 'AccessSigningKey',
  tableName: 'access_signing_key',
  properties: {
    kid: p.text().primary(),
    publicJwk: p.json<unknown>(),
    privateJwkEncrypted: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    retiredAt: p.datetime().nullable(),
    purpose: p.text().$type<'ACCESS_TOKEN' | 'REFRESH_TOKEN'>().default('ACCESS_TOKEN'),
  },
});

export const SecurityEvent = defineEntity({
  name: 'SecurityEvent',
  tableName: 'security_event',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text().$type<SecurityEventKind>(),
    userId: p.bigint('number').nullable(),
    networkDigest: p.text().nullable(),
    requestId: p.text().nullable(),
    occurredAt: p.datetime().defaultRaw('now()'),
  },
});

export const AccessUser = defineEntity({
  name: 'AccessUser',
  tableName: 'access_user',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    email: p.text(),
    fullName: p.text(),
    /** Prevents users from granting gifts to themselves. */
    phone: p.text().nullable(),
    passwordHash: p.text().nullable(),
    /** True if another user set the password. */
    mustChangePassword: p.boolean().default(false),
    isActive: p.boolean().default(true),
    /** Null for all. */
    organizationIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    deletedAt: p.datetime().nullable(),
    ...edited,
  },
});

export const AccessUserRole = defineEntity({
  name: 'AccessUserRole',
  tableName: 'access_user_role',
  properties: {
    userId: p.bigint('number').primary().autoincrement(false),
    roleId: p.bigint('number').primary().autoincrement(false),
  },
});

export const PersonalData = defineEntity({
  name: 'PersonalData',
  tableName: 'personal_data',
  properties: {
    id: p.uuid().primary(),
    purpose: p.text().$type<'ADDRESS' | 'ORDER' | 'CLIENT' | 'COMMENT' | 'REASON'>(),
    dataEncrypted: p.text(),
    /** Staff find orders by it (rule ORD-133). */
    phoneDigest: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
