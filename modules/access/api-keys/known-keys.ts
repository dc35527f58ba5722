import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import { KEY_PERMISSIONS, type Permission } from '../../../kernel/pure/permissions.ts';
import type { ApiKeyUse, RateClass } from '../schemas/api-keys.ts';
import type { SecurityEventKind } from '../schemas/security-events.ts';
import { EFFECTIVE_ORGANIZATIONS, EFFECTIVE_PERMISSIONS } from '../held-rights.ts';
import { isDigestOfToken, prefixOfToken } from './key-token.ts';

/** Revocations must take effect within a second (rule ACC-34). */
const CACHE_MS = 500;
/** Shorter, because an unknown token may belong to a new key. */
const UNKNOWN_MS = 10;
/** Cached keys are used if the database does not respond in this time. */
const WAIT_MS = 300;
const USE_MS = 60_000;

/** A valid key with the permissions that its owner still has. */
export type KnownKey = {
  id: number;
  use: ApiKeyUse;
  permissions: readonly Permission[];
  /** Null if not limited. */
  organizationIds: readonly number[] | null;
  rateClass: RateClass;
};

export type RefusedKey = {
  refused: Extract<SecurityEventKind, `API_KEY_${string}`>;
  keyId: number | null;
};

export type KnownKeys = {
  /** Also records the use. Throws only if the database fails before the first read. */
  find(token: string, use: ApiKeyUse): Promise<KnownKey | RefusedKey>;
};

type KeyRow = Awaited<ReturnType<typeof readKeys>>[number];
type Loaded = { at: number; rows: ReadonlyMap<string, KeyRow> };

/**
 * Reads all keys at most twice a second, or 100 times for unknown tokens. If the database fails,
 * uses the keys of the last read.
 */
export function createKnownKeys({ db, log }: { db: Database; log: Log }): KnownKeys {
  let latest: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  const usedAt = new Map<number, number>();

  async function load(): Promise<Loaded> {
    const at = performance.now();
    const rows = await readKeys(db);
    return { at, rows: new Map(rows.map((row) => [row.prefix, row])) };
  }

  async function reload(): Promise<Loaded> {
    loading ??= load()
      .then((loaded) => (latest = loaded))
      .finally(() => (loading = undefined));
    if (latest === undefined) return loading;
    const late = delay(WAIT_MS, null, { ref: false });

    try {
      return (await Promise.race([loading, late])) ?? latest;
    } catch (error) {
      log.error({ error: loggable(error) }, 'API keys could not be read');
      return latest;
    }
  }

  function recordUse(id: number): void {
    const now = performance.now();
    if (now - (usedAt.get(id) ?? -Infinity) < USE_MS) return;
    usedAt.set(id, now);
    writeUse(db, id).catch((error: unknown) => {
      log.error(
        { keyId: id, error: loggable(error) },
        'the use of an API key could not be recorded',
      );
    });
  }

  return {
    async find(token, use) {
      const prefix = prefixOfToken(token);
      if (prefix === null) return { refused: 'API_KEY_UNKNOWN', keyId: null };
      const maxAge = latest?.rows.has(prefix) === true ? CACHE_MS : UNKNOWN_MS;
      const isFresh = latest !== undefined && performance.now() - latest.at < maxAge;
      const { rows } = isFresh ? latest! : await reload();
      const verdict = judge(rows.get(prefix), token, use);
      if (!('refused' in verdict)) recordUse(verdict.id);

      return verdict;
    },
  };
}

function judge(row: KeyRow | undefined, token: string, use: ApiKeyUse): KnownKey | RefusedKey {
  if (row === undefined || !isDigestOfToken(row.digest, token) || row.use !== use)
    return { refused: 'API_KEY_UNKNOWN', keyId: null };
  if (row.revokedAt !== null) return { refused: 'API_KEY_REVOKED', keyId: row.id };
  const ends = [row.expiresAt, row.validUntil];
  if (ends.some((end) => end !== null && end.getTime() <= Date.now()))
    return { refused: 'API_KEY_EXPIRED', keyId: row.id };

  return {
    id: row.id,
    use,
    // A key may have permissions of another release.
    permissions: KEY_PERMISSIONS.filter((name) => row.permissions.includes(name)),
    organizationIds: row.organizationIds,
    rateClass: row.rateClass,
  };
}

function readKeys({ db }: Sql) {
  return db
    .selectFrom('access_api_key_secret as secret')
    .innerJoin('access_api_key as key', 'key.id', 'secret.keyId')
    .select(['secret.prefix', 'secret.digest', 'secret.validUntil', 'key.id', 'key.use'])
    .select([
      EFFECTIVE_PERMISSIONS.as('permissions'),
      EFFECTIVE_ORGANIZATIONS.as('organizationIds'),
    ])
    .select(['key.rateClass', 'key.expiresAt', 'key.revokedAt'])
    .execute();
}

/** Writes at most once a minute across processes. */
async function writeUse({ db }: Sql, id: number): Promise<void> {
  await db
    .updateTable('access_api_key')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(last_used_at, '-infinity') < now() - interval '1 minute'`)
    .execute();
}
