import { sql } from 'kysely';
import { json, type Sql, type Statements, type Tx } from '../platform/db/database.ts';
import { advisory } from '../platform/db/locks.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { Problem } from './problem.ts';

/** One use of an Idempotency-Key: its owner and operation, and the keyed digest of its request. */
export type Idempotency = {
  /** API, operation and caller: two callers may choose the same key. */
  scope: string;
  key: string;
  /** Keyed digest of method, path and body. */
  fingerprint: string;
  /**
   * True when this stored fingerprint is one of the same request, whichever of the server's keys it
   * was made with.
   */
  isSameRequest: (stored: string) => boolean;
  /** Status of the successful answer, kept for operators. */
  status: number;
  /** Set when the stored answer was found: this request has created nothing. */
  isReplayed?: boolean;
};

/**
 * Runs a create command once per Idempotency-Key, inside the caller's transaction: the result is
 * stored together with the write, so a key exists exactly when its write does. Without a key `work`
 * simply runs.
 *
 * The same key and request again → the stored result, `work` does not run. Another request →
 * `idempotency-key-reused`. Still in flight → `idempotency-in-flight`: an uncommitted row is
 * invisible, hence the advisory lock that is only tried. A failed command rolls back with its key
 * and can be sent again. Dates survive the storage as dates.
 */
export async function once<T>(tx: Tx, idempotency: Idempotency | null, work: () => Promise<T>): Promise<T> {
  if (idempotency === null) return work();
  const earlier = await findAnswer<T>(tx, idempotency);
  if (earlier !== null) return earlier.answer;
  const result = await work();
  await keepAnswer(tx, idempotency, result);
  return result;
}

/** Purpose of encrypted answers in the secret box. */
const ANSWER_PURPOSE = 'idempotency.answer';

/**
 * Runs a command like {@link once} and stores its answer encrypted: for answers with a secret or a
 * guest's words. Problem `idempotency-key-reused`, in addition to those of `once`, if the
 * encryption key is no longer configured.
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
 * Returns the stored answer to this key, or null for a new key, which this transaction then locks
 * until it ends. For commands that keep only some of their results (`answerRow`); otherwise use
 * {@link once}. Throws like it.
 */
export async function findAnswer<T>(tx: Tx, idempotency: Idempotency): Promise<{ answer: T } | null> {
  const { scope, key, isSameRequest } = idempotency;
  idempotency.isReplayed = false;
  if (!(await advisory.tryIdempotencyKey(tx, scope, key)))
    throw new Problem('idempotency-in-flight', { headers: { 'Retry-After': '1' } });
  const stored = await tx.db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'body'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst();
  if (stored !== undefined) {
    if (!isSameRequest(stored.fingerprint)) throw new Problem('idempotency-key-reused');
    idempotency.isReplayed = true;
    return { answer: revive(stored.body) as T };
  }
  return null;
}

/** Stores the answer to a key that `findAnswer` has found to be new, in the same transaction. */
async function keepAnswer(tx: Tx, idempotency: Idempotency, answer: unknown): Promise<void> {
  await answerRow(idempotency, answer)(tx.db).execute();
}

/** The same as a part of another statement. */
export const answerRow =
  ({ scope, key, fingerprint, status }: Idempotency, answer: unknown) =>
  (db: Statements) =>
    db.insertInto('idempotency_key').values({ scope, key, fingerprint, status, body: json(preserve(answer)) });

/**
 * Deletes the stored answers of an operation about the object with this id, because they contain
 * personal data to erase. The same request with the same key would be a new one.
 */
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
