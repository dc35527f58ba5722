import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reconcileImports } from '../../modules/mirror/reconcile.ts';
import { getRun } from '../../modules/mirror/runs/list-runs.ts';
import { applySchedules } from '../../modules/mirror/schedules/apply-schedules.ts';
import { workflowIds } from '../../kernel/pure/ids.ts';
import { eventually } from '../support/processes.ts';
import { importBasics, mirrorWorld, type MirrorWorld } from '../support/mirror.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';

let world: MirrorWorld;
let sync: SyncWorker;
let menuId: number;
let workers: { stop(): Promise<void> } | undefined;
const query = <T extends object>(sql: string, params: unknown[] = []) => world.db.query<T>(sql, params);

/** What the first test finds is written before there is a worker; each of the others may also run alone. */
const working = async () => (workers ??= await sync.start());

/** Workers that have done what the new connection has asked for: it would take a lock that a test is about to take. */
async function idle(): Promise<void> {
  await working();
  await eventually('events are delivered', async () => {
    await sync.delivery.deliver();
    const [row] = await query<{ pending: number }>('select count(*) as pending from outbox where delivered_at is null');
    return row?.pending === 0 ? row : undefined;
  });
  await sync.temporal.workflow.getHandle(workflowIds.connectionSync(world.connectionId)).result();
}

beforeAll(async () => {
  world = await mirrorWorld();
  // A namespace that nobody has used: as Temporal is after its database was lost.
  sync = await syncWorker(world);
  menuId = await importBasics(world);
});
afterAll(async () => {
  await workers?.stop();
  await sync.close();
  await world.close();
});

describe('rows without executions', () => {
  test('[OPS-1] an empty Temporal goes on with runs, rebuilds, events, full marks and stop-list marks from the rows', async () => {
    const lost = await world.open('MENU', { externalMenuId: menuId, mode: 'FULL' });
    const replaced = await world.open('STOP_LIST');
    const old = await world.open('TERMINALS');
    await query(`update sync_run set started_at = now() - interval '2 hours' where id = $1`, [old]);
    const newer = await world.open('STOP_LIST');
    await query('update mirror_external_menu set full_due = true where id = $1', [menuId]);
    await query(`update snapshot_request set dirty_at = now() - interval '1 minute'`);
    const dirty = await query<{ count: number }>(
      'select count(*) as count from snapshot_request where dirty_seq > built_seq',
    );
    const pending = await query<{ count: number }>('select count(*) as count from outbox where delivered_at is null');

    // Before workers are there, who apply them for an event of the first import.
    const applied = await applySchedules(sync.schedules);
    await working();

    const ended = await eventually('all runs end', async () => {
      const rows = await query<{ id: number; status: string; reason: string | null }>(
        'select id, status, reason from sync_run where id = any ($1::bigint[]) order by id',
        [[lost, replaced, old, newer]],
      );
      return rows.every((row) => row.status !== 'RUNNING') ? rows : undefined;
    });
    const built = await eventually('menus are built and events delivered', async () => {
      const [row] = await query<{ dirty: number; pending: number; menus: number }>(
        `select (select count(*) from snapshot_request where dirty_seq > built_seq) as dirty,
                (select count(*) from outbox where delivered_at is null) as pending,
                (select count(*) from snapshot) as menus`,
      );
      return row!.dirty === 0 && row!.pending === 0 && row!.menus > 0 ? row : undefined;
    });

    expect(applied.created).toBeGreaterThan(5);
    expect(dirty[0]!.count).toBe(2);
    expect(pending[0]!.count).toBeGreaterThan(0);
    expect(ended).toEqual([
      { id: lost, status: 'SUCCESS', reason: null },
      { id: replaced, status: 'FAILED', reason: 'ABANDONED' },
      { id: old, status: 'FAILED', reason: 'ABANDONED' },
      { id: newer, status: 'SUCCESS', reason: null },
    ]);
    expect(built).toMatchObject({ menus: 2 });
    expect(await getRun(world.db, lost)).toMatchObject({ mode: 'FULL', organizations: 2 });
    expect(await query('select full_due from mirror_external_menu')).toEqual([{ full_due: false }]);
  });

  test('a run that its worker has applied but not closed ends with the counters of its transaction', async () => {
    await idle();
    const runId = await world.open('ORGANIZATIONS');
    await query(
      `update sync_run set result = '{"applied":{"result":{"total":9,"created":0,"updated":0,"deactivated":0}}}' where id = $1`,
      [runId],
    );

    expect(await reconcileImports(sync.upkeep)).toMatchObject({ restarted: 1, abandoned: 0 });

    const run = await eventually('the run ends', async () => {
      const found = await getRun(world.db, runId);
      return found.status === 'RUNNING' ? undefined : found;
    });
    expect(run).toMatchObject({ status: 'SUCCESS', result: { total: 9 } });
  });

  test('a full import that is due waits as long as the owner is inactive', async () => {
    await query(`update sync_run set started_at = started_at - interval '1 hour'`);
    await query('update mirror_external_menu set full_due = true');
    await query('update franchisee set is_active = false');

    expect(await reconcileImports(sync.upkeep)).toMatchObject({ restarted: 0, started: 0, woken: 0 });
    await query('update franchisee set is_active = true');
    await query('update mirror_external_menu set full_due = false');
  });

  test('what a mark asks for and nobody has done is started; a run that is at work is left alone', async () => {
    await idle();
    await query(`update sync_run set started_at = started_at - interval '1 hour'`);
    await query('update mirror_external_menu set full_due = true');
    await query(
      `insert into mirror_stop_list_state (organization_id, dirty_at) select id, now() - interval '1 hour' from mirror_organization
       on conflict (organization_id) do update set dirty_at = excluded.dirty_at`,
    );
    await world.emulator.control('fault', { kind: 'slow', endpoint: '/api/menu/v3/by_id', delayMs: 3_600_000 });

    const first = await reconcileImports(sync.upkeep);
    await eventually('both runs are open', async () => {
      const rows = await query(`select distinct job from sync_run where started_at > now() - interval '30 minutes'`);
      return rows.length === 2 ? rows : undefined;
    });
    // Too old to be started again: without its execution it would be closed.
    await query(`update sync_run set started_at = started_at - interval '2 hours' where status = 'RUNNING'`);
    const second = await reconcileImports(sync.upkeep);
    await world.emulator.control('clear-faults');

    expect(first).toEqual({ restarted: 0, abandoned: 0, started: 1, woken: 1 });
    expect(second).toMatchObject({ restarted: 0, abandoned: 0, started: 0 });
    await eventually('marks are gone', async () => {
      const rows = await query(
        `select 1 from mirror_external_menu where full_due union all select 1 from mirror_stop_list_state where dirty_at is not null`,
      );
      return rows.length === 0 ? rows : undefined;
    });
  });

  test('staged rows of ended runs are swept', async () => {
    await query(`insert into stage_product_category values (1, 0, 1, 'x', 'x', false)`);

    await reconcileImports(sync.upkeep);

    expect(await query('select 1 from stage_product_category where run_id = 1')).toEqual([]);
  });
});
