import { sql } from 'kysely';
import type { Identity } from '../../../platform/identity-provider.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { giveRole, insertUser } from '../user-fields.ts';
import { refusedSignOn } from './refused-sign-on.ts';

type Found = { id: number; isActive: boolean };
/** New users must have an e-mail of these domains, if any. */
type Provision = { requestId: string; defaultRole: string | null; domains: readonly string[] };

/**
 * Returns the linked user. Otherwise links the user with the verified e-mail, or a new user with
 * `defaultRole`. An existing link is never moved by e-mail, because e-mails get new owners. The
 * account of a deleted user is rejected until another user has its e-mail. Problem sign-on-refused.
 */
export async function userOfIdentity(
  tx: Sql,
  identity: Identity,
  provision: Provision,
): Promise<number> {
  const linked = await linkedUser(tx, identity);
  if (linked !== undefined && !linked.isDeleted) return active(linked);
  if (identity.verifiedEmail === null) throw refusedSignOn('EMAIL_UNVERIFIED');

  const existing = await userByEmail(tx, identity.verifiedEmail);
  if (existing === undefined && linked !== undefined) throw refusedSignOn('USER_DISABLED');
  const userId =
    existing === undefined
      ? await newUser(tx, identity, identity.verifiedEmail, provision)
      : active(existing);

  if (linked !== undefined) await unlink(tx, identity);
  await link(tx, identity, userId);

  return userId;
}

function active({ id, isActive }: Found): number {
  if (!isActive) throw refusedSignOn('USER_DISABLED');
  return id;
}

async function linkedUser(
  { db }: Sql,
  { issuer, subject }: Identity,
): Promise<(Found & { isDeleted: boolean }) | undefined> {
  return db
    .selectFrom('access_identity as identity')
    .innerJoin('access_user as user', 'user.id', 'identity.userId')
    .select((eb) => [
      'user.id',
      'user.isActive',
      sql<boolean>`${eb.ref('user.deletedAt')} is not null`.as('isDeleted'),
    ])
    .where('identity.issuer', '=', issuer)
    .where('identity.subject', '=', subject)
    .executeTakeFirst();
}

async function userByEmail({ db }: Sql, email: string): Promise<Found | undefined> {
  return db
    .selectFrom('access_user')
    .select(['id', 'isActive'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`not exists (select from access_api_key key where key.id = access_user.id)`)
    .executeTakeFirst();
}

/** Creates a user, unless a concurrent sign-on has done so. */
async function newUser(
  tx: Sql,
  { fullName }: Identity,
  email: string,
  provision: Provision,
): Promise<number> {
  const { defaultRole, domains } = provision;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (defaultRole === null || (domains.length > 0 && !domains.includes(domain)))
    throw refusedSignOn('USER_UNKNOWN');
  const created = await insertUser(tx, { email, fullName: fullName ?? email });
  if (created === undefined) return active((await userByEmail(tx, email))!);
  if (!(await giveRole(tx, created.id, defaultRole)))
    throw new Error('OIDC_DEFAULT_ROLE names no role');
  await recordAudit(tx, systemActor('single-sign-on'), {
    entityType: 'user',
    entityId: created.id,
    action: 'create',
    after: { email, fullName: fullName ?? email, roles: [defaultRole], hasPassword: false },
  });

  return created.id;
}

async function unlink({ db }: Sql, { issuer, subject }: Identity): Promise<void> {
  await db
    .deleteFrom('access_identity')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

async function link(tx: Sql, identity: Identity, userId: number): Promise<void> {
  const { issuer, subject } = identity;
  const made = await tx.db
    .insertInto('access_identity')
    .values({ issuer, subject, userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst();

  if (made === undefined) {
    const linked = await linkedUser(tx, identity);
    if (linked?.id !== userId) throw refusedSignOn('ACCOUNT_TAKEN');
    return;
  }

  await recordAudit(tx, systemActor('single-sign-on'), {
    entityType: 'user',
    entityId: userId,
    action: 'link-identity',
    after: { issuer },
  });
}
