import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createUpkeepActivities } from '../../../activities/upkeep.ts';
import { deliverOutbox } from '../../../app/events/deliver-outbox.ts';
import type { EventDeps } from '../../../app/events/event-deps.ts';
import { LISTENERS } from '../../../app/events/listeners.ts';
import { reconcileSnapshots } from '../../../app/events/reconcile-snapshots.ts';
import { markDirty } from '../../../app/events/mark-dirty.ts';
import { workflowIds } from '../../../contracts/ids.ts';
import { openDatabase } from '../../../db/database.ts';
import { appendOutbox } from '../../../db/outbox.ts';
import { connectTemporal } from '../../../platform/temporal.ts';
import { aConnection } from '../../support/connection.ts';
import { importBasics, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';
import { eventually } from '../../support/processes.ts';
import { syncWorker, type SyncWorker } from '../../support/sync-worker.ts';

let world: MirrorWorld;
let sync: SyncWorker;
let organizationIds: number[];
let deps: EventDeps;
let patched: number[];
let schedulesApplied: number;
beforeAll(async () => {
  world = await mirrorWorld();
  sync = await syncWorker(world);
  await importBasics(world);
  organizationIds = (await world.db.query<{ id: number }>('select id from mirror_organization order by id')).map(
    (row) => row.id,
  );
}, 60_000);
afterAll(async () => {
  await sync.close();
  await world.close();
});
beforeEach(async () => {
  await world.db.query('delete from outbox');
  patched = [];
  schedulesApplied = 0;
  deps = {
    ...sync.upkeep,
    patchAvailability: async (id) => void patched.push(id),
    processWebhooks: async () => undefined,
    applySchedules: async () => void (schedulesApplied += 1),
  };
});

const pending = () =>
  world.db.query<{ event: string; attempts: number; last_error: string | null }>(
    'select event, attempts, last_error from outbox where delivered_at is null order by id',
  );
const signalsOf = async (organizationId: number): Promise<number> => {
  const history = await sync.temporal.workflow.getHandle(workflowIds.snapshotRebuild(organizationId)).fetchHistory();
  return (history.events ?? []).filter((each) => each.workflowExecutionSignaledEventAttributes != null).length;
};
const stopChanged = (organizationId: number) =>
  appendOutbox(world.db, 'ErpStopListChanged', { runId: 1, organizationId, added: [], removed: [] });

describe('delivery', () => {
  test('an imported menu wakes the rebuild of every organization of it; a repeated event wakes it again', async () => {
    const event = {
      runId: 1,
      connectionId: world.connectionId,
      externalMenuId: 1,
      organizationIds,
      revision: 5,
      mode: 'FULL',
    } as const;
    await appendOutbox(world.db, 'ErpMenuImported', event);
    const first = await deliverOutbox(deps);
    await appendOutbox(world.db, 'ErpMenuImported', event);
    const second = await deliverOutbox(deps);

    expect([first, second]).toEqual([
      { delivered: 1, failed: 0 },
      { delivered: 1, failed: 0 },
    ]);
    for (const id of organizationIds) expect(await signalsOf(id)).toBe(2);
    expect(await pending()).toEqual([]);
  });

  test('a catalogue edit for everybody wakes all active organizations', async () => {
    const before = await signalsOf(organizationIds[1]!);
    await appendOutbox(world.db, 'CatalogChanged', { organizationIds: null, reason: 'test' });

    await deliverOutbox(deps);

    expect(await signalsOf(organizationIds[1]!)).toBe(before + 1);
  });

  test('a failing listener keeps its row with the error, and the others are delivered', async () => {
    await stopChanged(organizationIds[0]!);
    await stopChanged(organizationIds[1]!);
    const failing = {
      ...deps,
      patchAvailability: async (id: number) => {
        if (id === organizationIds[0]) throw new Error('cannot patch now');
        patched.push(id);
      },
    };

    const delivery = await deliverOutbox(failing);

    expect(delivery).toEqual({ delivered: 1, failed: 1 });
    expect(patched).toEqual([organizationIds[1]]);
    expect(await pending()).toEqual([{ event: 'ErpStopListChanged', attempts: 1, last_error: 'cannot patch now' }]);
    expect(await deliverOutbox(deps)).toEqual({ delivered: 1, failed: 0 });
    expect(await pending()).toEqual([]);
  });

  test('two processes at once deliver each event once', async () => {
    for (let count = 0; count < 5; count += 1) await stopChanged(organizationIds[0]!);
    const [arrived, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = {
      ...deps,
      async patchAvailability(id: number) {
        patched.push(id);
        arrived.resolve();
        await done.promise;
      },
    };

    const first = deliverOutbox(slow, 1);
    await arrived.promise;
    const second = await deliverOutbox(deps);
    done.resolve();

    expect(second).toEqual({ delivered: 4, failed: 0 });
    expect(await first).toEqual({ delivered: 1, failed: 0 });
    expect(patched).toHaveLength(5);
  });

  test('a process that dies while it delivers leaves nothing claimed', async () => {
    await stopChanged(organizationIds[0]!);
    const client = await world.db.pool.connect();
    await client.query('begin');
    await client.query('select id from outbox for update');

    const whileLocked = await deliverOutbox(deps);
    client.release(new Error('the process died'));
    // The server notices the lost connection a moment later.
    const afterwards = await eventually('the lock is gone', async () => {
      const delivery = await deliverOutbox(deps);
      return delivery.delivered > 0 ? delivery : undefined;
    });

    expect(whileLocked).toEqual({ delivered: 0, failed: 0 });
    expect(afterwards).toEqual({ delivered: 1, failed: 0 });
  });

  test('many deliveries of one worker share its small pool, and each tries what was committed before it', async () => {
    const db = await openDatabase({ url: world.url, poolSize: 4, connectTimeoutMs: 2_000 });
    const patch = async (id: number) => {
      await db.query('select pg_sleep(0.02)');
      patched.push(id);
    };
    const { deliverEvents } = createUpkeepActivities({ ...sync.upkeep, db, patchAvailability: patch });
    const deliver = () => new MockActivityEnvironment().run(deliverEvents);
    for (let count = 0; count < 20; count += 1) await stopChanged(organizationIds[0]!);

    const first = Array.from({ length: 8 }, deliver);
    await stopChanged(organizationIds[1]!);
    const last = deliver();

    try {
      await last;
      expect(patched).toContain(organizationIds[1]);
      await Promise.all(first);
      expect(patched).toHaveLength(21);
      expect(await pending()).toEqual([]);
    } finally {
      await Promise.allSettled(first);
      await db.close();
    }
  });

  test('a new connection starts its first import and schedules, a disabled one only schedules', async () => {
    await appendOutbox(world.db, 'ConnectionChanged', { connectionId: world.connectionId, change: 'CREATED' });
    await appendOutbox(world.db, 'ConnectionChanged', { connectionId: world.connectionId, change: 'DISABLED' });

    await deliverOutbox(deps);

    expect(schedulesApplied).toBe(2);
    const { status } = await sync.temporal.workflow
      .getHandle(workflowIds.connectionSync(world.connectionId))
      .describe();
    expect(status.name).toBe('RUNNING');
  });

  test('restaurants that are new here or taken over have their menus imported at once, others are only rebuilt', async () => {
    const { id: claimant } = await aConnection(world.db, 'claims');
    const { id: stranger } = await aConnection(world.db, 'claims nothing');
    const [served] = await world.db.query<{ erpId: string }>(
      'select erp_id as "erpId" from mirror_organization where id = $1',
      [organizationIds[0]],
    );
    await world.db.query(
      `insert into mirror_organization (connection_id, erp_id, name, raw, synchronized_at, inactive_at)
       values ($1, $2, 'Claim', '{}', now(), now())`,
      [claimant, served!.erpId],
    );
    const { id: newcomer } = await aConnection(world.db, 'opens a restaurant');
    const { id: quiet } = await aConnection(world.db, 'changes a name');
    await world.db.query('delete from outbox');
    await world.db.query(`update connection set status = 'DISABLED' where id = $1`, [world.connectionId]);
    await appendOutbox(world.db, 'ConnectionChanged', { connectionId: world.connectionId, change: 'DISABLED' });
    const changed = { organizationIds: [organizationIds[1]!] };
    await appendOutbox(world.db, 'ErpOrganizationsChanged', { ...changed, connectionId: newcomer, activated: [1] });
    await appendOutbox(world.db, 'ErpOrganizationsChanged', { ...changed, connectionId: quiet, activated: [] });

    await deliverOutbox(deps);
    await world.db.query(`update connection set status = 'ACTIVE' where id = $1`, [world.connectionId]);

    const started = async (connectionId: number) =>
      sync.temporal.workflow
        .getHandle(workflowIds.connectionSync(connectionId))
        .describe()
        .then(
          () => true,
          () => false,
        );
    expect(await pending()).toEqual([]);
    expect(await Promise.all([claimant, stranger, newcomer, quiet].map(started))).toEqual([true, false, true, false]);
  });

  test('the end of a pause of stop-lists wakes their refresh, another pause only schedules', async () => {
    const { id: other } = await aConnection(world.db, 'pauses menus');
    await world.db.query('delete from outbox');
    await appendOutbox(world.db, 'ImportPausesChanged', { connectionId: world.connectionId });
    await appendOutbox(world.db, 'ImportPausesChanged', { connectionId: world.connectionId, ended: 'STOP_LIST' });
    await appendOutbox(world.db, 'ImportPausesChanged', { connectionId: other, ended: 'MENU' });

    await deliverOutbox(deps);

    const signals = async (connectionId: number) => {
      const handle = sync.temporal.workflow.getHandle(workflowIds.stopListRefresh(connectionId));
      const { events } = await handle.fetchHistory().catch(() => ({ events: [] }));
      return (events ?? []).filter((each) => each.workflowExecutionSignaledEventAttributes != null).length;
    };
    expect(schedulesApplied).toBe(3);
    expect([await signals(world.connectionId), await signals(other)]).toEqual([1, 0]);
  });

  test('without Temporal events wait', async () => {
    const closed = await connectTemporal({ address: sync.address, namespace: sync.namespace, identity: 'closed' });
    await closed.close();
    await appendOutbox(world.db, 'CatalogChanged', { organizationIds, reason: 'test' });
    await stopChanged(organizationIds[0]!);

    expect(await deliverOutbox({ ...deps, temporal: closed.client })).toMatchObject({ failed: 1 });

    expect((await pending())[0]).toMatchObject({ event: 'CatalogChanged', attempts: 1 });
  });
});

test('every event of the contract has an entry', async () => {
  const contract = await readFile(new URL('../../../contracts/events.ts', import.meta.url), 'utf8');
  const events = [...contract.matchAll(/^  (\w+): \{/gm)].map(([, event]) => event!);
  expect(events.length).toBeGreaterThan(7);
  expect(Object.keys(LISTENERS).toSorted()).toEqual(events.toSorted());
});

test('menus that are dirty for longer than a debounce are woken, others are not', async () => {
  await markDirty(world.db, 'organizations-import', organizationIds);
  await world.db.query(`update snapshot_request set dirty_at = now() where organization_id = $1`, [organizationIds[0]]);
  await world.db.query(`update snapshot_request set dirty_at = now() - interval '1 hour' where organization_id = $1`, [
    organizationIds[1],
  ]);
  const before = await signalsOf(organizationIds[1]!);

  expect(await reconcileSnapshots({ ...deps, debounce: { debounceMs: 50, debounceMaxMs: 60_000 } })).toEqual({
    woken: 1,
    pinsEnded: 0,
  });
  expect(await signalsOf(organizationIds[1]!)).toBe(before + 1);
});
