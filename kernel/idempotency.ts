import { sql } from 'kysely';
import { json, type Sql, type Statements, type Tx } from '../platform/db/database.ts';
import { advisory } from '../platform/db/locks.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { Problem } from './problem.ts';

export type Idempotency = {
  /** API, operation and caller: two callers may use the same key. */
  scope: string;
  key: string;
  /** Keyed digest of the method, path and body. */
  fingerprint: string;
  /** Compares with digests made by any of the server's keys. */
  isSameRequest: (stored: string) => boolean;
  /** Status of the successful answer, for operators. */
  status: number;
  isReplayed?: boolean;
};

/**
 * Runs a create command once per key; key and write commit together. Without a key it only runs
 * `work`. A repeated request returns the stored result, with dates restored. Throws
 * `idempotency-key-reused` for a different request with this key, and `idempotency-in-flight` while
 * the first request runs. A failed command rolls back its key.
 */
export async function once<T>(
  tx: Tx,
  idempotency: Idempotency | null,
  work: () => Promise<T>,
): Promise<T> {
  if (idempotency === null) return work();
  const earlier = await findAnswer<T>(tx, idempotency);
  if (earlier !== null) return earlier.answer;
  const result = await work();
  await keepAnswer(tx, idempotency, result);

  return result;
}

const ANSWER_PURPOSE = 'idempotency.answer';

/**
 * Does the same as {@link once} but encrypts the stored answer, for secrets and for words of
 * guests. Also throws `idempotency-key-reused` if the encryption key is missing.
 */
export async function onceSealed<T>(
  tx: Tx,
  secrets: Pick<SecretBox, 'seal' | 'open' | 'canOpen'>,
  idempotency: Idempotency | null,
  work: () => Promise<T>,
): Promise<T> {
  if (idempotency === null) return work();
  const row = `${idempotency.scope} ${idempotency.key}`;
  const earlier = await findAnswer<{ sealed: string }>(tx, idempotency);
  if (earlier === null) {
    const result = await work();
    const sealed = secrets.seal(ANSWER_PURPOSE, row, JSON.stringify(preserve(result)));
    await keepAnswer(tx, idempotency, { sealed });
    return result;
  }

  const { sealed } = earlier.answer;
  if (!secrets.canOpen(sealed))
    throw new Problem('idempotency-key-reused', {
      detail: 'The first response can no longer be decrypted. Use a new key.',
    });

  return revive(JSON.parse(secrets.open(ANSWER_PURPOSE, row, sealed))) as T;
}

/**
 * Returns the stored answer, or null for a new key, which stays locked. For commands that store
 * only some results, with `answerRow`.
 */
export async function findAnswer<T>(
  tx: Tx,
  idempotency: Idempotency,
): Promise<{ answer: T } | null> {
  const { scope, key, isSameRequest } = idempotency;
  idempotency.isReplayed = false;
  if (!(await advisory.tryIdempotencyKey(tx, scope, key)))
    throw new Problem('idempotency-in-flight', { headers: { 'Retry-After': '1' } });
  const answer = await tx.db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'body'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst();

  if (answer !== undefined) {
    if (!isSameRequest(answer.fingerprint)) throw new Problem('idempotency-key-reused');
    idempotency.isReplayed = true;
    return { answer: revive(answer.body) as T };
  }

  return null;
}

async function keepAnswer(tx: Tx, idempotency: Idempotency, answer: unknown): Promise<void> {
  await answerRow(idempotency, answer)(tx.db).execute();
}

/** Inserts an answer as a part of another statement. */
export const answerRow =
  ({ scope, key, fingerprint, status }: Idempotency, answer: unknown) =>
  (db: Statements) =>
    db
      .insertInto('idempotency_key')
      .values({ scope, key, fingerprint, status, body: json(preserve(answer)) });

/** Erases personal data in stored answers about this object. Repeated requests run again. */
export async function forgetAnswers({ db }: Sql, operationId: string, id: number): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('scope', 'like', `%/${operationId}/%`)
    .where(sql<string>`body ->> 'id'`, '=', String(id))
    .execute();
}

const DATE = '$date';

function preserve(value: unknown): unknown {
  if (value instanceof Date) return { [DATE]: value.toISOString() };
  if (Array.isArray(value)) return value.map(preserve);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, preserve(each)]));
  return value === undefined ? null : value;
}

function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === DATE) return new Date(entries[0][1] as string);
  return Object.fromEntries(entries.map(([name, each]) => [name, revive(each)]));
}
