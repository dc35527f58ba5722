import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import type { PeriodicTask } from './periodic-task.ts';

/** A task that this process runs while its lease is renewed. */
export type ClaimedTask = { name: string; lease: string };

/** The start of the next interval by the database clock, the same for all processes. */
const next = (everyMs: unknown, offsetMs: unknown) => sql<Date>`to_timestamp((
  (floor((extract(epoch from now())::float8 * 1000 - ${offsetMs}) / ${everyMs}) + 1) * ${everyMs} + ${offsetMs}) / 1000)`;

/** The update checks this again, so only one of several processes claims a row. */
const IS_FREE = sql`(leased_until is null or leased_until < now())`;

const inMs = (ms: number) => sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;

/**
 * Claims up to `limit` of these tasks that are due and not running in another process, longest due
 * first. Adds missing rows. A row that is due later than in one interval was written with a longer
 * interval or by another clock, and counts as due. A single statement, so no lock remains.
 */
export async function claimTasks(
  { db }: Sql,
  tasks: readonly Pick<PeriodicTask, 'name' | 'everyMs' | 'offsetMs' | 'isImmediate'>[],
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedTask[]> {
  const lease = randomUUID();
  const { rows } = await sql<Row<'periodic_task', 'name'>>`
    with wanted as (
      select * from unnest(${tasks.map((task) => task.name)}::text[], ${tasks.map((task) => task.everyMs)}::float8[],
        ${tasks.map((task) => task.offsetMs)}::float8[], ${tasks.map((task) => task.isImmediate)}::boolean[])
        as task (name, every_ms, offset_ms, is_immediate)),
    added as (
      insert into periodic_task (name, due_at)
      select name, case when is_immediate then now() else ${next(sql`every_ms`, sql`offset_ms`)} end from wanted
       where not exists (select from periodic_task present where present.name = wanted.name) order by name
      on conflict do nothing),
    due as (
      select task.name from periodic_task task join wanted using (name)
       where (due_at <= now() or due_at > now() + every_ms * interval '1 millisecond') and ${IS_FREE}
       order by due_at, name limit ${limit})
    update periodic_task task set lease = ${lease}, leased_until = ${inMs(leaseMs)}, started_at = now()
      from due where task.name = due.name and ${IS_FREE} returning task.name`.execute(db);
  return rows.map(({ name }) => ({ name, lease }));
}

/** Extends the lease; false if another process has claimed the task. */
export async function renewLease({ db }: Sql, { name, lease }: ClaimedTask, leaseMs: number): Promise<boolean> {
  const renewed = await db
    .updateTable('periodic_task')
    .set({ leasedUntil: inMs(leaseMs) })
    .where('name', '=', name)
    .where('lease', '=', lease)
    .returning('name')
    .executeTakeFirst();
  return renewed !== undefined;
}

/**
 * Records the outcome of a run and its next due time. A run whose lease another process has claimed
 * records nothing.
 */
export async function endTask(
  { db }: Sql,
  { name, lease }: ClaimedTask,
  { everyMs, offsetMs }: Pick<PeriodicTask, 'everyMs' | 'offsetMs'>,
  failure: string | null,
): Promise<void> {
  await db
    .updateTable('periodic_task')
    .set((row) => ({
      lease: null,
      leasedUntil: null,
      dueAt: next(sql`${everyMs}::float8`, sql`${offsetMs}::float8`),
      durationMs: sql<number>`extract(epoch from clock_timestamp() - started_at) * 1000`,
      failures: failure === null ? 0 : row('failures', '+', 1),
      lastError: failure?.slice(0, 300) ?? null,
      ...(failure === null ? { succeededAt: sql<Date>`now()` } : {}),
    }))
    .where('name', '=', name)
    .where('lease', '=', lease)
    .execute();
}

/**
 * Deletes the rows of tasks that this release does not register and that no process has claimed for
 * 10 minutes after they were due. Processes of another release claim theirs sooner.
 */
export async function forgetTasks({ db }: Sql, registered: readonly string[]): Promise<void> {
  await db
    .deleteFrom('periodic_task')
    .where(sql<boolean>`not name = ${anyOf(registered, 'text')}`)
    .where(sql<boolean>`${IS_FREE}`)
    .where('dueAt', '<', sql<Date>`now() - interval '10 minutes'`)
    .execute();
}

/** Releases an aborted task: it is due at once. */
export async function releaseTask({ db }: Sql, { name, lease }: ClaimedTask): Promise<void> {
  await db
    .updateTable('periodic_task')
    .set({ lease: null, leasedUntil: null })
    .where('name', '=', name)
    .where('lease', '=', lease)
    .execute();
}
