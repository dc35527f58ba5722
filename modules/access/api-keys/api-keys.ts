import { selectAuthor } from '../authors.ts';
import { sql } from 'kysely';
import type {
  ApiKey,
  ApiKeyEdit,
  ApiKeyRotation,
  ApiKeyWithToken,
  NewApiKey,
} from '../schemas/api-keys.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { jsonMoment } from '../../../platform/db/nested-rows.ts';
import { holdForEdit, saveEdit, touchEdited, type Stored } from '../../../kernel/edits.ts';
import { onceSealed, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { withIncluded, type Permission } from '../../../kernel/pure/permissions.ts';
import { requireOrganizations } from '../../../kernel/require-organizations.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { EFFECTIVE_PERMISSIONS, requireRights, selectKnown, withUnknown } from '../held-rights.ts';
import { AccessApiKey } from '../tables/access.ts';
import { sortLimits } from '../user-fields.ts';
import { newKeyToken } from './key-token.ts';

type Deps = { db: Database; secrets: SecretBox };

const OVERLAP_HOURS = 24;

function readKeys({ db }: Sql) {
  return db
    .selectFrom('access_api_key as key')
    .select(['key.id', 'key.name', 'key.use', 'key.organizationIds'])
    .select(['key.rateClass', 'key.expiresAt'])
    .select([
      'key.revokedAt',
      'key.lastUsedAt',
      selectAuthor('key.createdBy').as('createdBy'),
      'key.ownerId',
      'key.createdAt',
      'key.updatedAt',
    ])
    .select([
      'key.version',
      selectKnown(sql.ref('key.permissions')).as('permissions'),
      EFFECTIVE_PERMISSIONS.as('effectivePermissions'),
    ])
    .select(
      sql<ApiKey['secrets']>`(
        select coalesce(jsonb_agg(jsonb_build_object('prefix', secret.prefix, 'createdAt', ${jsonMoment(sql.ref('secret.created_at'))},
                 'validUntil', ${jsonMoment(sql.ref('secret.valid_until'))}) order by secret.created_at desc, secret.prefix), '[]')
          from access_api_key_secret secret where secret.key_id = key.id)`.as('secrets'),
    );
}

export type ApiKeyFilter = Paging & {
  createdBy?: number | undefined;
  ownerId?: number | undefined;
  /** True for revoked keys only, false for the others. */
  isRevoked?: boolean | undefined;
};

/** Lists keys, newest first, including revoked ones. */
export function listApiKeys(
  from: Sql,
  { createdBy, ownerId, isRevoked, ...paging }: ApiKeyFilter,
): Promise<Page<ApiKey>> {
  let keys = readKeys(from).orderBy('key.createdAt', 'desc').orderBy('key.id', 'desc');
  if (createdBy !== undefined) keys = keys.where('key.createdBy', '=', createdBy);
  if (ownerId !== undefined) keys = keys.where('key.ownerId', '=', ownerId);
  if (isRevoked !== undefined)
    keys = keys.where('key.revokedAt', isRevoked ? 'is not' : 'is', null);

  return readPage(keys, paging);
}

/** Problem `not-found`. */
export function getApiKey(from: Sql, id: number): Promise<ApiKey> {
  return readKeys(from)
    .where('key.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such key' }));
}

/**
 * Creates a key. Its token is shown only once (rules ACC-30, ACC-31). Problems: validation,
 * forbidden (permissions), invalid-transition (a repeated request whose key was revoked).
 */
export function createApiKey(
  { db, secrets }: Deps,
  actor: Actor,
  input: NewApiKey,
  idempotency: Idempotency | null = null,
): Promise<ApiKeyWithToken> {
  const { name } = requiredTexts({ name: input.name }, { name: 200 });
  const permissions = withIncluded(input.permissions ?? []);
  const organizationIds = sortLimits(input.organizationIds) ?? null;
  requireFitting(input.use, { permissions, organizationIds });
  const expiresAt = parseExpiry(input.expiresAt) ?? null;

  return db.transaction((tx) =>
    onceForKey(tx, secrets, idempotency, async () => {
      await lockOwner(tx, actor);
      await requireRights(tx, actor, permissions);
      await requireOrganizations(tx, organizationIds);
      const made = newKeyToken();
      const { id } = await tx.db
        .insertInto('access_user')
        .values({ email: `${made.prefix}@api-key.invalid`, fullName: name })
        .returning('id')
        .executeTakeFirstOrThrow();

      const createdBy = actor.type === 'USER' ? actor.userId : null;
      const rateClass = input.rateClass ?? 'STANDARD';
      await tx.db
        .insertInto('access_api_key')
        .values({
          id,
          name,
          use: input.use,
          permissions,
          organizationIds,
          rateClass,
          expiresAt,
          createdBy,
          ownerId: createdBy,
        })
        .execute();

      await addSecret(tx, id, made);
      const key = await getApiKey(tx, id);
      await audit(tx, actor, 'create', null, key);

      return { ...key, token: made.token };
    }),
  );
}

/**
 * Changes a key. The change applies within a second. Problems: not-found, version-conflict,
 * validation, invalid-transition (revoked), forbidden (permissions).
 */
export function updateApiKey(
  { db }: Deps,
  actor: Actor,
  id: number,
  change: ApiKeyEdit,
): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const row = await holdUsable(tx, id, change.version);
    const before = await getApiKey(tx, id);
    const permissions =
      change.permissions === undefined ? before.permissions : withIncluded(change.permissions);
    const limits = sortLimits(change.organizationIds);
    const organizationIds = limits === undefined ? before.organizationIds : limits;
    requireFitting(before.use, { permissions, organizationIds });
    await requireOrganizations(tx, change.organizationIds);
    const isSameEnd = Date.parse(change.expiresAt ?? '') === row.expiresAt?.getTime();
    const expiresAt = isSameEnd ? undefined : parseExpiry(change.expiresAt);
    await requireRights(tx, actor, [...before.permissions, ...permissions]);
    const saved = await saveEdit(tx, row, {
      ...(change.name === undefined ? {} : requiredTexts({ name: change.name }, { name: 200 })),
      ...(permissions.join() === before.permissions.join()
        ? {}
        : { permissions: withUnknown(row.permissions, permissions) }),
      ...(organizationIds?.join() === before.organizationIds?.join() ? {} : { organizationIds }),
      ...(change.rateClass === undefined ? {} : { rateClass: change.rateClass }),
      ...(expiresAt === undefined || expiresAt === row.expiresAt ? {} : { expiresAt }),
    });
    if (saved === null) return before;

    await tx.db
      .updateTable('access_user')
      .set({ fullName: row.name })
      .where('id', '=', id)
      .execute();

    const after = await getApiKey(tx, id);
    await audit(tx, actor, 'update', before, after);

    return after;
  });
}

/**
 * Issues a new token. Earlier tokens expire when the overlap ends, or sooner (rule ACC-35).
 * Problems: not-found, invalid-transition (revoked), forbidden (permissions).
 */
export function rotateApiKey(
  { db, secrets }: Deps,
  actor: Actor,
  { id, overlapHours = OVERLAP_HOURS }: { id: number } & ApiKeyRotation,
  idempotency: Idempotency | null = null,
): Promise<ApiKeyWithToken> {
  return db.transaction((tx) =>
    onceForKey(tx, secrets, idempotency, async () => {
      const row = await holdUsable(tx, id);
      const before = await getApiKey(tx, id);
      await requireRights(tx, actor, before.permissions);
      await tx.db
        .updateTable('access_api_key_secret')
        .set({
          validUntil: sql<Date>`least(coalesce(valid_until, 'infinity'), now() + ${overlapHours}::int * interval '1 hour')`,
        })
        .where('keyId', '=', id)
        .execute();

      const made = newKeyToken();
      await addSecret(tx, id, made);
      await touchEdited(tx, row);
      const after = await getApiKey(tx, id);
      await recordAudit(tx, actor, {
        entityType: 'api-key',
        entityId: id,
        action: 'rotate',
        after: { prefix: made.prefix, overlapHours },
      });

      return { ...after, token: made.token };
    }),
  );
}

/** Revokes a key permanently. Idempotent. Problem `not-found`. */
export async function revokeApiKey({ db }: Deps, actor: Actor, id: number): Promise<void> {
  await db.transaction((tx) => revokeKey(tx, actor, id));
}

export async function revokeKey(tx: Tx, actor: Actor, id: number): Promise<void> {
  const row = await holdKey(tx, id);
  if (row.revokedAt !== null) return;
  await saveEdit(tx, row, { revokedAt: new Date() });
  await tx.db
    .updateTable('access_api_key_secret')
    .set({ validUntil: sql<Date>`least(valid_until, now())` })
    .where('keyId', '=', id)
    .execute();

  const { name, use, permissions } = row;
  const fields = { name, use, permissions };
  await recordAudit(tx, actor, {
    entityType: 'api-key',
    entityId: id,
    action: 'revoke',
    before: fields,
  });
}

/**
 * Makes the actor the owner, whose permissions then limit the key (rule ACC-54). Idempotent.
 * Problems: not-found, invalid-transition (revoked), forbidden (permissions).
 */
export function takeOverApiKey({ db }: Deps, actor: Actor, id: number): Promise<ApiKey> {
  return db.transaction((tx) => takeOverKey(tx, actor, id));
}

export async function takeOverKey(tx: Tx, actor: Actor, id: number): Promise<ApiKey> {
  const row = await holdUsable(tx, id);
  const before = row.ownerId ?? null;
  const ownerId = actor.type === 'USER' ? actor.userId : null;
  await lockOwner(tx, actor);
  await requireRights(tx, actor, row.permissions);
  const saved = ownerId === before ? null : await saveEdit(tx, row, { ownerId });
  if (saved !== null)
    await recordAudit(tx, actor, {
      entityType: 'api-key',
      entityId: id,
      action: 'take-over',
      before: { ownerId: before },
      after: { ownerId },
    });

  return getApiKey(tx, id);
}

/** Locks the owner, so that a concurrently disabled user does not get a key. */
async function lockOwner({ db }: Tx, actor: Actor): Promise<void> {
  if (actor.type !== 'USER') return;
  await db
    .selectFrom('access_user')
    .select('id')
    .where('id', '=', actor.userId)
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirstOrThrow(
      () => new Problem('unauthorized', { detail: 'The user was disabled.' }),
    );
}

/** A repeated request must not show the token of a revoked key. */
async function onceForKey(
  tx: Tx,
  secrets: SecretBox,
  idempotency: Idempotency | null,
  work: () => Promise<ApiKeyWithToken>,
): Promise<ApiKeyWithToken> {
  const answer = await onceSealed(tx, secrets, idempotency, work);
  if (idempotency?.isReplayed === true) requireUsable(await getApiKey(tx, answer.id));
  return answer;
}

function requireUsable({ revokedAt }: Pick<ApiKey, 'revokedAt'>): void {
  if (revokedAt !== null) throw new Problem('invalid-transition', { detail: 'The key is revoked' });
}

const holdKey = (tx: Tx, id: number, seen?: number) =>
  holdForEdit(tx, AccessApiKey, id, { seen, detail: 'No such key' });

async function holdUsable(tx: Tx, id: number, seen?: number): Promise<Stored<KeyRow>> {
  const row = await holdKey(tx, id, seen);
  requireUsable(row);
  return row;
}

type KeyRow = Awaited<ReturnType<typeof holdKey>>;

async function addSecret(
  { db }: Sql,
  keyId: number,
  { prefix, digest }: { prefix: string; digest: Buffer },
): Promise<void> {
  await db.insertInto('access_api_key_secret').values({ keyId, prefix, digest }).execute();
}

function requireFitting(
  use: ApiKey['use'],
  {
    permissions,
    organizationIds,
  }: { permissions: readonly Permission[]; organizationIds: readonly number[] | null },
): void {
  if (use === 'ADMIN' && permissions.length === 0)
    throw invalidField('permissions', 'required', 'A key of the admin API needs a permission');
  if (use === 'STOREFRONT' && permissions.length > 0)
    throw invalidField(
      'permissions',
      'not_supported',
      'A key of the storefront API has no permissions',
    );

  if (use === 'STOREFRONT' && organizationIds !== null)
    throw invalidField(
      'organizationIds',
      'not_supported',
      'A key of the storefront API is for all restaurants',
    );
}

function parseExpiry(text: string | null | undefined): Date | null | undefined {
  if (text === null || text === undefined) return text;
  const end = new Date(text);
  if (end.getTime() <= Date.now()) throw invalidField('expiresAt', 'min', 'must be in the future');
  return end;
}

async function audit(
  tx: Tx,
  actor: Actor,
  action: string,
  before: ApiKey | null,
  after: ApiKey,
): Promise<void> {
  const pickFields = ({
    name,
    use,
    permissions,
    organizationIds,
    rateClass,
    expiresAt,
  }: ApiKey) => ({
    name,
    use,
    permissions,
    organizationIds,
    rateClass,
    expiresAt,
  });

  await recordAudit(tx, actor, {
    entityType: 'api-key',
    entityId: after.id,
    action,
    before: before === null ? null : pickFields(before),
    after: pickFields(after),
  });
}
