import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { loggable, type Log } from '../platform/log.ts';
import { ROW_MARKER, type SecretBox } from '../platform/secrets.ts';
import { StartFailure } from '../platform/start-failure.ts';
import type { Sql } from '../platform/db/database.ts';

const BEAT_MS = 10_000;
/**
 * After this time without a record, the process has ended or has lost the database for longer than
 * the statement time-out.
 */
const SILENT = '2 minutes';

/** Three missed heartbeats (OPS-183). */
const WORKER_SILENT = '35 seconds';

/**
 * Records every ten seconds the key ids (OPS-60) and polled workflow versions of this process.
 * Resolves after the first record; `stop` deletes it. Warns if the writing key does not bind
 * texts to rows.
 */
export async function announceProcess(
  { db, secrets, log }: { db: Sql; secrets: SecretBox; log: Log },
  name: string,
  {
    polledVersions = null,
    beatMs = BEAT_MS,
  }: { polledVersions?: string[] | null; beatMs?: number } = {},
): Promise<{ stop: () => Promise<void> }> {
  const id = randomUUID();
  const keyIds = [...secrets.keyIds];
  const [writer = ''] = keyIds;
  if (!writer.endsWith(ROW_MARKER))
    log.warn(
      { key: writer },
      `the first key of ENCRYPTION_KEYS does not bind what it encrypts to its row; replace it with one whose id ends with ${ROW_MARKER}`,
    );

  const beat = () =>
    db.db
      .insertInto('running_process')
      .values({ id, name, keyIds, polledVersions })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt: sql<Date>`now()` }))
      .execute();

  const fails = (error: unknown) =>
    log.warn({ error: loggable(error) }, 'this process could not be registered');
  await beat();
  const stopped = new AbortController();
  const ended = (async () => {
    while (!stopped.signal.aborted) {
      await delay(beatMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) await beat().catch(fails);
    }
  })();

  return {
    async stop() {
      stopped.abort();
      await ended;
      // Without the database the record expires.
      await db.db.deleteFrom('running_process').where('id', '=', id).execute().catch(fails);
    },
  };
}

/**
 * Throws StartFailure if running processes lack the writing key, because they could not read new
 * texts (OPS-60).
 */
export async function requireKnownKey({ db }: Sql, secrets: SecretBox): Promise<void> {
  const [writer = ''] = secrets.keyIds;
  const strangers = await db
    .selectFrom('running_process')
    .select('name')
    .where('seenAt', '>', sql<Date>`now() - ${SILENT}::interval`)
    .where((eb) => eb.not(eb(eb.val(writer), '=', eb.fn.any('keyIds'))))
    .orderBy('name')
    .execute();
  if (strangers.length === 0) return;

  throw new StartFailure(
    `Nothing was changed: these processes run without the key "${writer}" in ENCRYPTION_KEYS and could not read what it encrypts: ` +
      `${strangers.map(({ name }) => name).join(', ')}. Give it to every process, restart them and repeat. ` +
      `A process that was killed counts for ${SILENT}.`,
  );
}

/** Null: workers of releases before Worker Versioning (OPS-183). */
export async function polledVersions({ db }: Sql): Promise<Set<string | null>> {
  const workers = await db
    .selectFrom('running_process')
    .select('polledVersions')
    .where('seenAt', '>', sql<Date>`now() - ${WORKER_SILENT}::interval`)
    .where('name', 'like', 'worker-%')
    .execute();

  return new Set(workers.flatMap((worker) => worker.polledVersions ?? [null]));
}
