import { connectionSyncWorkflow } from '../../modules/mirror/messages/sync.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reconcileImports } from '../../modules/mirror/reconcile.ts';
import { getRun } from '../../modules/mirror/runs/list-runs.ts';
import { applySchedules } from '../../modules/mirror/schedules/apply-schedules.ts';
import { eventually } from '../support/processes.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { longTest } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { runStep } from '../support/upkeep.ts';
import { above, ago, column, countRows, plus, selectRows, updateRows } from '../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let menuId: number;
let workers: { stop(): Promise<void> } | undefined;
const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);

/** Starts the workers after the first test has written its rows. Every other test may run alone. */
const working = async () => (workers ??= await sync.start());

/** The imports of the new connection would take the locks of a test. */
async function idle(): Promise<void> {
  await working();
  await eventually('events are delivered', async () => {
    await sync.delivery.deliver();
    const [row] = await fixture.db.db
      .selectFrom('outbox')
      .where('deliveredAt', 'is', null)
      .select((row) => row.fn.countAll<number>().as('pending'))
      .execute();
    return row?.pending === 0 ? row : undefined;
  });
  await sync.temporal.workflow
    .getHandle(connectionSyncWorkflow.id({ connectionId: fixture.connectionId }))
    .result();
}

beforeAll(async () => {
  fixture = await mirrorFixture();
  // Switches to an unused namespace, as after the loss of Temporal's database.
  sync = await syncWorker(fixture);
  menuId = await importBasics(fixture);
});
afterAll(async () => {
  await workers?.stop();
  await sync.close();
  await fixture.close();
});

describe('rows without executions', () => {
  test('[OPS-1] runs, rebuilds, events, full imports and stop-list imports resume from rows', async () => {
    const lost = await fixture.open('MENU', { externalMenuId: menuId, mode: 'FULL' });
    const replaced = await fixture.open('STOP_LIST');
    const old = await fixture.open('TERMINALS');
    await updateRows(fixture.db, 'sync_run', { startedAt: ago('2 hours') }, { id: old });
    const newer = await fixture.open('STOP_LIST');
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true }, { id: menuId });
    await updateRows(fixture.db, 'snapshot_request', { dirtyAt: ago('1 minute') });
    const dirty = await fixture.db.db
      .selectFrom('snapshot_request')
      .whereRef('dirtySeq', '>', 'builtSeq')
      .select((row) => row.fn.countAll<number>().as('count'))
      .execute();
    const pending = await fixture.db.db
      .selectFrom('outbox')
      .where('deliveredAt', 'is', null)
      .select((row) => row.fn.countAll<number>().as('count'))
      .execute();

    // Must run before the workers start, because they apply schedules for an event of the first
    // import.
    const applied = await applySchedules(sync.schedules);
    // Must run before the first imports of the connection take the locks.
    await runStep(sync.upkeep, 'reconcile-imports');
    await runStep(sync.upkeep, 'reconcile-snapshots');
    await working();

    const ended = await eventually('all runs end', async () => {
      const rows = await selectRows(
        fixture.db,
        'sync_run',
        ['id', 'status', 'reason'],
        { id: [lost, replaced, old, newer] },
        { orderBy: 'id' },
      );
      return rows.every((row) => row.status !== 'RUNNING') ? rows : undefined;
    });
    const built = await eventually('menus are built and events delivered', async () => {
      const row = {
        dirty: await countRows(fixture.db, 'snapshot_request', {
          dirtySeq: above(column('builtSeq')),
        }),
        pending: await countRows(fixture.db, 'outbox', { deliveredAt: null }),
        menus: await countRows(fixture.db, 'snapshot'),
      };
      return row.dirty === 0 && row.pending === 0 && row.menus > 0 ? row : undefined;
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
    expect(await getRun(fixture.db, lost)).toMatchObject({ mode: 'FULL', organizations: 2 });
    expect(await selectRows(fixture.db, 'mirror_external_menu', ['fullDue'])).toEqual([
      { fullDue: false },
    ]);
  });

  test('a run that was applied but not closed ends with the counters of its transaction', async () => {
    await idle();
    const runId = await fixture.open('ORGANIZATIONS');
    await updateRows(
      fixture.db,
      'sync_run',
      { result: { applied: { result: { total: 9, created: 0, updated: 0, deactivated: 0 } } } },
      { id: runId },
    );

    expect(await reconcileImports(sync.upkeep)).toMatchObject({ restarted: 1, abandoned: 0 });

    const run = await eventually('the run ends', async () => {
      const found = await getRun(fixture.db, runId);
      return found.status === 'RUNNING' ? undefined : found;
    });
    expect(run).toMatchObject({ status: 'SUCCESS', result: { total: 9 } });
  });

  longTest('a full import that is due waits until its owner is active', async () => {
    await updateRows(fixture.db, 'sync_run', { startedAt: plus('startedAt', '-1 hour') });
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true });
    await updateRows(fixture.db, 'franchisee', { isActive: false });

    expect(await reconcileImports(sync.upkeep)).toMatchObject({
      restarted: 0,
      started: 0,
      woken: 0,
    });
    await updateRows(fixture.db, 'franchisee', { isActive: true });
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: false });
  });

  test('pending work is started, and a running import is not affected', async () => {
    await idle();
    await updateRows(fixture.db, 'sync_run', { startedAt: plus('startedAt', '-1 hour') });
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true });
    await query(
      `insert into mirror_stop_list_state (organization_id, dirty_at) select id, now() - interval '1 hour' from mirror_organization
       on conflict (organization_id) do update set dirty_at = excluded.dirty_at`,
    );
    await fixture.emulator.control('fault', {
      kind: 'slow',
      endpoint: '/api/menu/v3/by_id',
      delayMs: 3_600_000,
    });

    const first = await reconcileImports(sync.upkeep);
    await eventually('both runs are open', async () => {
      const rows = await fixture.db.db
        .selectFrom('sync_run')
        .where('startedAt', '>', ago('30 minutes'))
        .select('job')
        .distinct()
        .execute();
      return rows.length === 2 ? rows : undefined;
    });
    // The runs are too old to be started again, so they would be closed without their executions.
    await updateRows(
      fixture.db,
      'sync_run',
      { startedAt: plus('startedAt', '-2 hours') },
      { status: 'RUNNING' },
    );
    const second = await reconcileImports(sync.upkeep);
    await fixture.emulator.control('clear-faults');

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

    expect(await countRows(fixture.db, 'stage_product_category', { runId: 1 })).toBe(0);
  });
});
