import type { Identity } from '../../../platform/identity-provider.ts';
import { systemActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Sql } from '../../database.ts';
import { refusedSignOn } from './refused-sign-on.ts';

type Found = { id: number; isActive: boolean };
type Provision = { requestId: string; defaultRole: string | null };

/**
 * The user an account of the provider belongs to: the linked one, else the one with its verified e-mail, who is linked from then on,
 * else, with `defaultRole`, a new one. A link is never moved to another account by an e-mail alone, because addresses are given to new
 * people. An account of a deleted user stays closed until somebody creates a user with its e-mail.
 * Problem sign-on-refused.
 */
export async function userOfIdentity(tx: Sql, identity: Identity, provision: Provision): Promise<number> {
  const linked = await linkedUser(tx, identity);
  if (linked !== undefined && !linked.isDeleted) return active(linked);
  if (identity.verifiedEmail === null) throw refusedSignOn('EMAIL_UNVERIFIED');

  const known = await userByEmail(tx, identity.verifiedEmail);
  if (known === undefined && linked !== undefined) throw refusedSignOn('USER_DISABLED');
  const userId = known === undefined ? await newUser(tx, identity, identity.verifiedEmail, provision) : active(known);
  if (linked !== undefined) await unlink(tx, identity);
  await link(tx, identity, userId);
  return userId;
}

function active({ id, isActive }: Found): number {
  if (!isActive) throw refusedSignOn('USER_DISABLED');
  return id;
}

async function linkedUser(
  sql: Sql,
  { issuer, subject }: Identity,
): Promise<(Found & { isDeleted: boolean }) | undefined> {
  const [row] = await sql.query<Found & { isDeleted: boolean }>(
    `select u.id, u.is_active as "isActive", u.deleted_at is not null as "isDeleted"
       from access_identity i join access_user u on u.id = i.user_id where i.issuer = $1 and i.subject = $2`,
    [issuer, subject],
  );
  return row;
}

async function userByEmail(sql: Sql, email: string): Promise<Found | undefined> {
  const [row] = await sql.query<Found>(
    `select id, is_active as "isActive" from access_user where lower(email) = lower($1) and deleted_at is null`,
    [email],
  );
  return row;
}

/** Creates the user of a first sign-on; of two at once the second finds the user of the first. */
async function newUser(tx: Sql, { fullName }: Identity, email: string, { defaultRole }: Provision): Promise<number> {
  if (defaultRole === null) throw refusedSignOn('USER_UNKNOWN');
  const [created] = await tx.query<{ id: number }>(
    `insert into access_user (email, full_name) values ($1, $2)
     on conflict (lower(email)) where deleted_at is null do nothing returning id`,
    [email, fullName ?? email],
  );
  if (created === undefined) return active((await userByEmail(tx, email))!);
  const roles = await tx.query(
    'insert into access_user_role (user_id, role_id) select $1, id from access_role where code = $2 returning role_id',
    [created.id, defaultRole],
  );
  if (roles.length === 0) throw new Error('OIDC_DEFAULT_ROLE names no role');
  await recordAudit(tx, systemActor('single-sign-on'), {
    entityType: 'user',
    entityId: created.id,
    action: 'create',
    after: { email, fullName: fullName ?? email, roles: [defaultRole], hasPassword: false },
  });
  return created.id;
}

async function unlink(tx: Sql, { issuer, subject }: Identity): Promise<void> {
  await tx.query('delete from access_identity where issuer = $1 and subject = $2', [issuer, subject]);
}

/** Links once; whoever finds the account or the user linked to another one is refused. */
async function link(tx: Sql, identity: Identity, userId: number): Promise<void> {
  const { issuer, subject } = identity;
  const made = await tx.query(
    'insert into access_identity (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing returning user_id',
    [issuer, subject, userId],
  );
  if (made.length === 0) {
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
