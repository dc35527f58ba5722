import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../platform/db/database.ts';
import type { Row } from '../platform/db/row.ts';
import { Problem } from './problem.ts';

export type Limit = { kind: string; of: string; most: number };

/** The remaining budget of the tightest limit. */
export type Left = { isOver: boolean; times: number; seconds: number };

/**
 * Counts one use of each limit across instances (ORD-71). A window begins with the first count of
 * its key. Count before the work, so that concurrent requests cannot exceed the limit.
 */
export async function countInWindow(
  { db }: Sql,
  windowSeconds: number,
  limits: readonly Limit[],
): Promise<Left> {
  const mostOf = new Map(limits.map((limit) => [windowKey(limit), limit.most]));
  const { rows } = await sql<Row<'window_count', 'key' | 'times', { seconds: number }>>`
    insert into window_count as counted (key, times, ends_at)
    select key, 1, now() + ${windowSeconds}::int * interval '1 second' from unnest(${[...mostOf.keys()]}::text[]) as key order by key
    on conflict (key) do update set
      times = case when counted.ends_at > now() then counted.times + 1 else 1 end,
      ends_at = case when counted.ends_at > now() then counted.ends_at else excluded.ends_at end
    returning key, times, greatest(1, ceil(extract(epoch from ends_at - now())))::int as seconds`.execute(
    db,
  );

  const budgets = rows.map(({ key, times, seconds }) => ({
    times: mostOf.get(key)! - times,
    seconds,
  }));

  const over = budgets.filter((entry) => entry.times < 0);
  const tightest = over.length > 0 ? Math.max(...over.map((entry) => entry.seconds)) : null;
  const least = budgets.toSorted((a, b) => a.times - b.times)[0]!;

  return {
    isOver: tightest !== null,
    times: Math.max(0, least.times),
    seconds: tightest ?? least.seconds,
  };
}

/** Throws `rate-limited` with `detail` if a limit is exceeded. */
export async function requireInWindow(
  sql: Sql,
  windowSeconds: number,
  limits: readonly Limit[],
  detail: string,
): Promise<void> {
  requireLeft(await countInWindow(sql, windowSeconds, limits), detail);
}

function requireLeft({ isOver, seconds }: Left, detail: string): void {
  if (isOver)
    throw new Problem('rate-limited', { detail, headers: { 'Retry-After': String(seconds) } });
}

type Counting<T> = {
  windowSeconds: number;
  limits: readonly Limit[];
  detail: string;
  /** Returns false for a result that does not count as a use. */
  isCounted: (result: T) => boolean;
};

/** Counts a use before `work`. Reverts it if the work fails or its result does not count. */
export async function countingWork<T>(
  sql: Sql,
  { windowSeconds, limits, detail, isCounted }: Counting<T>,
  work: () => Promise<T>,
): Promise<T> {
  const budget = await countInWindow(sql, windowSeconds, limits);
  let isUsed = false;

  try {
    requireLeft(budget, detail);
    const result = await work();
    isUsed = isCounted(result);
    return result;
  } finally {
    if (!isUsed) await takeBack(sql, { all: [], one: limits });
  }
}

export async function isLeftInWindow({ db }: Sql, limit: Limit): Promise<boolean> {
  const used = await db
    .selectFrom('window_count')
    .select('key')
    .where('key', '=', windowKey(limit))
    .where('endsAt', '>', sql<Date>`now()`)
    .where('times', '>=', limit.most)
    .executeTakeFirst();

  return used === undefined;
}

/** Returns false, without counting, if none is left. Callers may have different limits of a key. */
export async function takeInWindow(
  { db }: Sql,
  windowSeconds: number,
  limit: Limit,
): Promise<boolean> {
  const { rows } = await sql`
    insert into window_count as counted (key, times, ends_at)
    values (${windowKey(limit)}, 1, now() + ${windowSeconds}::int * interval '1 second')
    on conflict (key) do update set
      times = case when counted.ends_at > now() then counted.times + 1 else 1 end,
      ends_at = case when counted.ends_at > now() then counted.ends_at else excluded.ends_at end
      where counted.ends_at <= now() or counted.times < ${limit.most}
    returning key`.execute(db);

  return rows.length > 0;
}

type Counted = Omit<Limit, 'most'>;

/**
 * Reverts all counts of some keys and one count of others. Locks the rows in the order of counting,
 * to prevent deadlocks.
 */
export async function takeBack(
  { db }: Sql,
  { all, one }: { all: readonly Counted[]; one: readonly Counted[] },
): Promise<void> {
  const [cleared, lessened] = [all.map(windowKey), one.map(windowKey)];
  await sql`
    with locked as (select key from window_count where key = ${anyOf([...cleared, ...lessened], 'text')} order by key for update)
    update window_count as counted
       set times = case when counted.key = ${anyOf(cleared, 'text')} then 0 else counted.times - 1 end
      from locked
     where counted.key = locked.key`.execute(db);
}

const windowKey = ({ kind, of }: Counted): string =>
  `${kind}:${createHash('sha256').update(of).digest('base64url')}`;

/**
 * Returns the /48 of an IPv6 /64 (HTTP-19, HTTP-24), otherwise undefined. Providers assign a /48
 * per site.
 */
export function toSite(client: string): string | undefined {
  if (!client.endsWith('/64')) return undefined;
  const [, site] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(client) ?? [];
  return site === undefined ? undefined : `${site}:/48`;
}
