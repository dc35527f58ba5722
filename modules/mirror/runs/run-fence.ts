import { sql } from 'kysely';
import { json, type Sql, type Tx } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import type { RunStatus } from '../rules/jobs.ts';
import { connectionForImport } from '../../connections/connection-view.ts';
import { ImportRefused } from '../import-refused.ts';

/** The committed result of a run, or null. */
export const APPLIED = sql<unknown>`result -> 'applied'`;

/** Limits the wait for another import of the connection. Waiting imports have no locks. */
const WAIT_FOR_TURN = sql`set local statement_timeout = '170s'`;
/**
 * A host that vanishes during a statement blocks the connection for this time, and until PostgreSQL
 * ends its idle transaction (OPS-37).
 */
const WITHIN_TURN = sql`set local statement_timeout = '90s'`;

export type Fence<Applied> =
  | { state: 'OPEN' }
  | { state: 'APPLIED'; applied: Applied }
  | { state: 'CLOSED' };

/**
 * Runs of one turn are serialized. Stop-lists have separate tables and do not wait for menus
 * (MIR-59).
 */
export type Turn = 'IMPORTS' | 'STOP_LISTS';

/**
 * Locks the run and checks that it may still write (MIR-6). Serializes imports of the connection
 * and turn until the transaction ends. Throws ImportRefused if the connection or its owner was
 * deactivated during the fetch.
 */
export async function enterRun<Applied>(
  tx: Tx,
  run: { runId: number; connectionId: number; turn?: Turn },
): Promise<Fence<Applied>> {
  await WAIT_FOR_TURN.execute(tx.db);
  if (run.turn === 'STOP_LISTS') await advisory.connectionStopLists(tx, run.connectionId);
  else await advisory.connectionImports(tx, run.connectionId);
  await WITHIN_TURN.execute(tx.db);
  const row = await tx.db
    .selectFrom('sync_run')
    .select(['status', APPLIED.as('applied')])
    .where('id', '=', run.runId)
    .forUpdate()
    .$castTo<{ status: RunStatus; applied: Applied | null }>()
    .executeTakeFirst();
  if (row !== undefined && row.applied !== null) return { state: 'APPLIED', applied: row.applied };

  if (row?.status !== 'RUNNING') return { state: 'CLOSED' };
  const { skip } = await connectionForImport(tx, run.connectionId);
  if (skip !== null)
    throw new ImportRefused(skip, 'The connection may no longer be imported; nothing was written');

  return { state: 'OPEN' };
}

export async function storeApplied(tx: Tx, runId: number, applied: object): Promise<void> {
  await tx.db
    .updateTable('sync_run')
    .set({ result: sql`result || jsonb_build_object('applied', ${json(applied)}::jsonb)` })
    .where('id', '=', runId)
    .execute();
}

/** Returns the committed result of a run, which makes another ERP call unnecessary. */
export async function appliedBefore<Applied>({ db }: Sql, runId: number): Promise<Applied | null> {
  const row = await db
    .selectFrom('sync_run')
    .select(APPLIED.as('applied'))
    .where('id', '=', runId)
    .$castTo<{ applied: Applied | null }>()
    .executeTakeFirst();

  return row?.applied ?? null;
}
