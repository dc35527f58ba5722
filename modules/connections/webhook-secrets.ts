import { authorOf } from '../access/authors.ts';
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { NewWebhookSecret, WebhookSecret } from './schemas/connections.ts';
import { Problem } from '../../kernel/problem.ts';
import { anyOf, type Database, type Sql } from '../../platform/db/database.ts';
import { onceSealed, type Idempotency } from '../../kernel/idempotency.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';

/** One that is used, and the next one while it replaces it. */
const MOST_VALID = 2;

/**
 * The connection of a webhook: of one connection by a secret of its own, else of all that have none
 * (rule WHK-9).
 */
export type WebhookSource = { connectionId: number | null };

/** A secret has 256 random bits, so a plain digest of it reveals nothing and needs no key. */
const digestOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

const valid = ({ db }: Sql, connectionId: number) =>
  db
    .selectFrom('webhook_secret')
    .select(['id', 'createdAt', authorOf('webhook_secret.createdByUserId').as('createdBy')])
    .where('connectionId', '=', connectionId)
    .where('retiredAt', 'is', null)
    .orderBy('id');

/**
 * The secrets of a connection that are valid, the oldest first; none of them can be read again.
 * Problem not-found.
 */
export async function listWebhookSecrets(
  from: Sql,
  connectionId: number,
  paging: Paging,
): Promise<Page<WebhookSecret>> {
  await from.db
    .selectFrom('connection')
    .select('id')
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
  return readPage(valid(from, connectionId), paging);
}

/**
 * Makes a secret for the webhook of a connection and returns it: it is shown this once, and to a
 * repetition with the same key. From the first one on only its own secrets are believed about the
 * restaurants of the connection. Problems: not-found; invalid-transition when two are valid.
 */
export function createWebhookSecret(
  { db, secrets }: { db: Database; secrets: SecretBox },
  actor: Actor,
  connectionId: number,
  idempotency: Idempotency | null = null,
): Promise<NewWebhookSecret> {
  const secret = randomBytes(32).toString('base64url');
  return db.transaction((tx) =>
    onceSealed(tx, secrets, idempotency, async () => {
      await holdConnection(tx, connectionId);
      const existing = await valid(tx, connectionId).execute();
      if (existing.length >= MOST_VALID)
        throw new Problem('invalid-transition', {
          detail: 'Two secrets are valid. Delete the one that is no longer used.',
        });
      const createdByUserId = actor.type === 'USER' ? actor.userId : null;
      const { createdBy, ...made } = await tx.db
        .insertInto('webhook_secret')
        .values({ connectionId, digest: digestOf(secret), createdByUserId })
        .returning(['id', 'createdAt', authorOf('webhook_secret.createdByUserId').as('createdBy')])
        .executeTakeFirstOrThrow();
      await recordAudit(tx, actor, {
        entityType: 'connection',
        entityId: connectionId,
        action: 'create-webhook-secret',
        after: { id: made.id },
      });
      return { ...made, createdBy, secret };
    }),
  );
}

/**
 * Ends a secret: requests with it are rejected. Problem not-found for one that the connection
 * does not have, or that has ended.
 */
export async function deleteWebhookSecret(
  { db }: { db: Database },
  actor: Actor,
  { connectionId, id }: { connectionId: number; id: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.db
      .updateTable('webhook_secret')
      .set({ retiredAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where('connectionId', '=', connectionId)
      .where('retiredAt', 'is', null)
      .returning('id')
      .executeTakeFirstOrThrow(() => new Problem('not-found'));
    await recordAudit(tx, actor, {
      entityType: 'connection',
      entityId: connectionId,
      action: 'delete-webhook-secret',
      before: { id },
    });
  });
}

/**
 * The connection that one of these texts is a valid secret of; null for none. The database compares
 * digests, never texts.
 */
export async function connectionOfSecret(
  { db }: Sql,
  texts: readonly string[],
): Promise<number | null> {
  const found = await db
    .selectFrom('webhook_secret')
    .select('connectionId')
    .where('digest', '=', anyOf(texts.map(digestOf), 'text'))
    .where('retiredAt', 'is', null)
    .executeTakeFirst();
  return found?.connectionId ?? null;
}

/** Competing makers of secrets come one after the other. */
async function holdConnection({ db }: Sql, id: number): Promise<void> {
  await db
    .selectFrom('connection')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}
