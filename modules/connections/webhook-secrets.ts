import { selectAuthor } from '../access/authors.ts';
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

/** The current and the next secret. */
const MOST_VALID = 2;

/**
 * The connection whose secret was used. Null for webhooks that connections without secrets share
 * (rule WHK-9).
 */
export type WebhookSource = { connectionId: number | null };

/** Secrets of 256 random bits need no key. */
const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

const valid = ({ db }: Sql, connectionId: number) =>
  db
    .selectFrom('webhook_secret')
    .select(['id', 'createdAt', selectAuthor('webhook_secret.createdByUserId').as('createdBy')])
    .where('connectionId', '=', connectionId)
    .where('retiredAt', 'is', null)
    .orderBy('id');

/** Lists valid secrets, oldest first, without their texts. Problem `not-found`. */
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
 * Creates a secret, which only this response and repeated requests with the same key contain. The
 * connection's restaurants then accept only webhooks with one of its secrets. Problems: not-found,
 * invalid-transition if two secrets are valid.
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
        .values({ connectionId, digest: hashSecret(secret), createdByUserId })
        .returning([
          'id',
          'createdAt',
          selectAuthor('webhook_secret.createdByUserId').as('createdBy'),
        ])
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

/** Invalidates a secret. Problem `not-found` also if it was invalidated before. */
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

/** Returns the connection of a secret, or null. The database compares only digests. */
export async function connectionOfSecret(
  { db }: Sql,
  texts: readonly string[],
): Promise<number | null> {
  const secret = await db
    .selectFrom('webhook_secret')
    .select('connectionId')
    .where('digest', '=', anyOf(texts.map(hashSecret), 'text'))
    .where('retiredAt', 'is', null)
    .executeTakeFirst();

  return secret?.connectionId ?? null;
}

/** Serializes the creation of secrets. */
async function holdConnection({ db }: Sql, id: number): Promise<void> {
  await db
    .selectFrom('connection')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}
