import { snapshotRebuildWorkflow } from '../../../modules/menus/rebuilds/messages/rebuilds.ts';
import {
  connectionSyncWorkflow,
  stopListRefreshWorkflow,
} from '../../../modules/mirror/messages/sync.ts';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { EVENT_LISTENERS, type ListenerDeps } from '../../../modules/event-listeners.ts';
import { combineListeners, type Listeners } from '../../../kernel/events/listeners.ts';
import { createOutboxDelivery } from '../../../kernel/events/outbox-delivery.ts';
import { claimRows } from '../../../kernel/events/outbox-rows.ts';
import { markAllDirty, markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import { reconcileRebuilds } from '../../../modules/menus/rebuilds/reconcile-rebuilds.ts';
import { wakeRebuilds } from '../../../modules/menus/rebuilds/wake-rebuilds.ts';
import { longTest } from '../../support/repetitions.ts';
import { openDatabase, type Sql } from '../../support/text-database.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import { logContext, withLogContext } from '../../../platform/log-context.ts';
import { aConnection } from '../../support/connection.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { eventually } from '../../support/processes.ts';
import { holdRow, holdTable } from '../../support/races.ts';
import { countStatements } from '../../support/statements.ts';
import { syncWorker, type SyncWorker } from '../../support/sync-worker.ts';
import { withoutSchedules } from '../../support/without-schedules.ts';
import {
  above,
  addRow,
  ago,
  countRows,
  databaseNow,
  deleteRows,
  fromNow,
  not,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let organizationIds: number[];
let patched: number[];
let schedulesApplied: number;
let hanging: PromiseWithResolvers<void>;
const deliveries: Promise<unknown>[] = [];
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  await importBasics(fixture);
  organizationIds = (
    await selectRows(fixture.db, 'mirror_organization', ['id'], {}, { orderBy: 'id' })
  ).map((row) => row.id);
});
afterAll(async () => {
  await sync.close();
  await fixture.close();
});
beforeEach(async () => {
  await deleteRows(fixture.db, 'outbox');
  patched = [];
  schedulesApplied = 0;
  hanging = Promise.withResolvers<void>();
});
afterEach(async () => {
  hanging.resolve();
  await Promise.all(deliveries.splice(0));
});

/** The product's listeners, except those that a test replaces. */
function delivery(replaced: Listeners<ListenerDeps> = {}, deps: ListenerDeps = counting()) {
  const counted: Listeners<ListenerDeps> = {
    ErpStopListChanged: async ({ organizationId }) => void patched.push(organizationId),
    ...replaced,
  };
  const listeners = new Map([...EVENT_LISTENERS, ...combineListeners([counted])]);
  return createOutboxDelivery(deps, listeners);
}
const counting = (): ListenerDeps => ({
  ...sync.upkeep,
  temporal: withoutSchedules(sync.temporal, () => (schedulesApplied += 1)),
});
const deliverOutbox = (replaced?: Listeners<ListenerDeps>) => delivery(replaced).deliver();
async function runbookStatement(beginning: string): Promise<string> {
  const runbook = await readFile(
    new URL('../../../docs/runbooks/procedures.md', import.meta.url),
    'utf8',
  );
  const from = runbook.indexOf(beginning);
  expect(from).toBeGreaterThan(0);
  return runbook.slice(from, runbook.indexOf(';', from));
}
/** Makes failed rows due, as if their delay were over. */
const afterDelay = () =>
  updateRows(fixture.db, 'outbox', { nextAttemptAt: databaseNow() }, { deliveredAt: null });

const pending = () =>
  selectRows(
    fixture.db,
    'outbox',
    ['event', 'attempts', 'lastError'],
    { deliveredAt: null },
    { orderBy: 'id' },
  );
const countSignals = async (organizationId: number): Promise<number> => {
  const history = await sync.temporal.workflow
    .getHandle(snapshotRebuildWorkflow.id({ organizationId }))
    .fetchHistory()
    .catch((error: { code?: number }) => {
      if (error.code === 5) return { events: [] };
      throw error;
    });
  return (history.events ?? []).filter(
    (event) => event.workflowExecutionSignaledEventAttributes != null,
  ).length;
};
const stopChanged = (organizationId: number) =>
  appendOutbox(fixture.db, 'ErpStopListChanged', {
    runId: 1,
    organizationId,
    added: [],
    removed: [],
  });

describe('the delivery of events', () => {
  test('signals the rebuild of every organization of an imported menu once per reason', async () => {
    const event = {
      runId: 1,
      connectionId: fixture.connectionId,
      externalMenuId: 1,
      organizationIds,
      revision: 5,
      mode: 'FULL',
      changed: true,
    } as const;
    await markDirty(fixture.db, 'menu-import', organizationIds);
    await appendOutbox(fixture.db, 'ErpMenuImported', event);
    const one = delivery();
    const first = await one.deliver();
    await appendOutbox(fixture.db, 'ErpMenuImported', event);
    const repeated = await one.deliver();
    await markDirty(fixture.db, 'menu-import', organizationIds);
    await appendOutbox(fixture.db, 'ErpMenuImported', event);
    const second = await one.deliver();

    expect([first, repeated, second]).toEqual([
      { delivered: 1, failed: 0 },
      { delivered: 1, failed: 0 },
      { delivered: 1, failed: 0 },
    ]);
    for (const id of organizationIds) expect(await countSignals(id)).toBe(2);
    expect(await pending()).toEqual([]);
  });

  test('[SNP-47] signals each menu once for 50 edits that waited together', async () => {
    const before = await countSignals(organizationIds[1]!);
    for (let edit = 0; edit < 50; edit += 1) {
      await markAllDirty(fixture.db, 'category-update');
      await appendOutbox(fixture.db, 'CatalogChanged', { organizationIds: null, reason: 'test' });
    }

    await deliverOutbox();

    expect(await countSignals(organizationIds[1]!)).toBe(before + 1);
  });

  longTest(
    '[SNP-47] signals each menu once for 200 edits that waited for Temporal, with any number of processes',
    async () => {
      const before = await Promise.all(organizationIds.map(countSignals));
      const away = new Proxy(sync.temporal, {
        get: (client, name) =>
          name === 'withDeadline'
            ? async () => {
                throw Object.assign(new Error('unavailable'), { code: 14 });
              }
            : (Reflect.get(client, name) as unknown),
      });
      for (let edit = 0; edit < 200; edit += 1) {
        await markAllDirty(fixture.db, 'category-update');
        await appendOutbox(fixture.db, 'CatalogChanged', { organizationIds: null, reason: 'test' });
      }
      // If concurrent handlers share the work, only some of their events fail.
      const outage = await createOutboxDelivery(
        { ...counting(), temporal: away },
        EVENT_LISTENERS,
      ).deliver();
      await afterDelay();
      const processes = Array.from({ length: 4 }, () => delivery());
      const recovered = await Promise.all(processes.map((entry) => entry.deliver()));
      const after = await Promise.all(organizationIds.map(countSignals));

      expect(outage.failed).toBeGreaterThan(0);
      expect(recovered.reduce((sum, { delivered }) => sum + delivered, outage.delivered)).toBe(200);
      expect(after).toEqual(before.map((count) => count + 1));
    },
  );

  test('continues with other menus while one menu is being marked or built', async () => {
    const [held, free] = organizationIds as [number, number];
    await markAllDirty(fixture.db, 'category-update');
    const before = await countSignals(free);
    const holder = await holdRow(fixture.db, 'snapshot_request', held, 'organization_id');
    const woken = wakeRebuilds(sync.upkeep, organizationIds);
    const ended = await Promise.race([
      woken.then(() => 'ended'),
      setTimeout(5_000, 'waited', { ref: false }),
    ]);
    await holder.release();
    await woken;

    expect(ended).toBe('ended');
    expect(await countSignals(free)).toBe(before + 1);
    await wakeRebuilds(sync.upkeep, organizationIds);
    expect(await countSignals(free)).toBe(before + 1);
  });

  test('keeps the row of a failed listener with the error and a delay, and delivers others', async () => {
    await stopChanged(organizationIds[0]!);
    await stopChanged(organizationIds[1]!);
    const failing: Listeners<ListenerDeps> = {
      ErpStopListChanged: async ({ organizationId: id }) => {
        if (id === organizationIds[0]) throw new Error('cannot patch now');
        patched.push(id);
      },
    };

    expect(await deliverOutbox(failing)).toEqual({ delivered: 1, failed: 1 });

    expect(patched).toEqual([organizationIds[1]]);
    expect(await pending()).toEqual([
      { event: 'ErpStopListChanged', attempts: 1, lastError: 'cannot patch now' },
    ]);
    await updateRows(fixture.db, 'outbox', { nextAttemptAt: plus('nextAttemptAt', '1 minute') });
    expect(await deliverOutbox()).toEqual({ delivered: 0, failed: 0 });
    await afterDelay();
    expect(await deliverOutbox()).toEqual({ delivered: 1, failed: 0 });
    expect(await pending()).toEqual([]);
  });

  test('waits longer after each failure, and parks a row until an operator retries it', async () => {
    await stopChanged(organizationIds[0]!);
    const failing: Listeners<ListenerDeps> = {
      ErpStopListChanged: () => Promise.reject(new Error('poison')),
    };
    // The failure is written between the two moments at which a delay is measured.
    const delays: { most: number; least: number }[] = [];
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      const [before] = await fixture.db.query<{ at: Date }>('select now() as at');
      await deliverOutbox(failing);
      const [row] = await fixture.db.query<{ most: number; least: number }>(
        `select extract(epoch from next_attempt_at - $1)::float as most, extract(epoch from next_attempt_at - now())::float as least
           from outbox`,
        [before!.at],
      );
      delays.push(row!);
      await afterDelay();
    }

    for (const [at, seconds] of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].entries()) {
      expect(delays[at]!.most).toBeGreaterThanOrEqual(seconds);
      expect(delays[at]!.least).toBeLessThanOrEqual(seconds);
    }
    expect(await deliverOutbox()).toEqual({ delivered: 0, failed: 0 });
    const parked = await selectRows(fixture.db, 'outbox', ['attempts'], { parkedAt: not(null) });
    expect(parked).toEqual([{ attempts: 20 }]);
    await fixture.db.query(await runbookStatement('update outbox set parked_at = null'));
    expect(await deliverOutbox()).toEqual({ delivered: 1, failed: 0 });
    expect(patched).toEqual([organizationIds[0]]);
  });

  test.each<[string, Listeners<ListenerDeps>]>([
    ['fail', { ExternalMenusChanged: () => Promise.reject(new Error('cannot')) }],
    ['hang', { ExternalMenusChanged: () => hanging.promise }],
  ])(
    'delivers a stop-list change before nearly all of 200 older rows that %s',
    async (_, failing) => {
      for (let count = 0; count < 200; count += 1)
        await appendOutbox(fixture.db, 'ExternalMenusChanged', {
          connectionId: fixture.connectionId,
        });
      await stopChanged(organizationIds[0]!);
      let begun = 0;
      const delivered = Promise.withResolvers<number>();
      const listeners: Listeners<ListenerDeps> = {
        ExternalMenusChanged: (...event) => {
          begun += 1;
          return failing.ExternalMenusChanged!(...event);
        },
        ErpStopListChanged: async () => delivered.resolve(begun),
      };
      deliveries.push(delivery(listeners).deliver());

      expect(await delivered.promise).toBeLessThan(40);
    },
  );

  test('overtakes hanging rows with a later stop-list change, also in the same process', async () => {
    const own = delivery({ ExternalMenusChanged: () => hanging.promise });
    for (let count = 0; count < 20; count += 1)
      await appendOutbox(fixture.db, 'ExternalMenusChanged', {
        connectionId: fixture.connectionId,
      });
    deliveries.push(own.deliver());
    await eventually('listeners hang', async () => {
      const tried = await selectRows(fixture.db, 'outbox', '*', { attempts: above(0) });
      return tried.length > 0 ? true : undefined;
    });
    await stopChanged(organizationIds[0]!);

    deliveries.push(own.deliver());

    const first = await eventually('the stop-list change is delivered', () =>
      Promise.resolve(patched[0]),
    );
    expect(first).toBe(organizationIds[0]);
    // The delivery did not wait until a listener timed out.
    expect(await countRows(fixture.db, 'outbox', { lastError: not(null) })).toBe(0);
  });

  test('keeps no lock during a hanging listener, whose row fails at the limit', async () => {
    await stopChanged(organizationIds[0]!);
    const limited = createOutboxDelivery(
      sync.upkeep,
      combineListeners([{ ErpStopListChanged: () => hanging.promise }]),
      [{ isUrgent: true, isFirstAttempt: true, slots: 1, limitMs: 300 }],
    );

    const delivering = limited.deliver();
    await eventually('the row is claimed', async () => {
      const claimed = await selectRows(fixture.db, 'outbox', '*', { attempts: 1 });
      return claimed.length > 0 ? true : undefined;
    });
    const free = await fixture.db.db
      .selectFrom('outbox')
      .select('id')
      .forUpdate()
      .skipLocked()
      .execute();
    const idle = await fixture.db.query(
      `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    );

    expect(free).toHaveLength(1);
    expect(idle).toEqual([]);
    expect(await delivering).toEqual({ delivered: 0, failed: 1 });
    expect((await pending())[0]?.lastError).toMatch(/longer than 300 ms/);
  });

  test('happens once for each event in concurrent processes', async () => {
    for (let count = 0; count < 40; count += 1) await stopChanged(count);

    const both = await Promise.all([
      delivery().deliver(),
      delivery().deliver(),
      delivery().deliver(),
    ]);

    expect(both.reduce((sum, entry) => sum + entry.delivered, 0)).toBe(40);
    expect(patched.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });

  test('skips rows that another process is leasing, without waiting', async () => {
    for (let count = 0; count < 4; count += 1) await stopChanged(count);
    const lane = { isUrgent: true, isFirstAttempt: true, slots: 2, limitMs: 1_000 };
    const claim = (tx: Sql) =>
      claimRows(tx, lane, ['ErpStopListChanged'], 2).then((rows) => rows.map((row) => row.id));
    const end = Promise.withResolvers<void>();
    const claimed = Promise.withResolvers<number[]>();
    const first = fixture.db.transaction(async (tx) => {
      claimed.resolve(await claim(tx));
      await end.promise;
    });
    const ofFirst = await claimed.promise;

    const second = claim(fixture.db);
    await Promise.race([second, setTimeout(2_000)]);
    end.resolve();
    await first;

    expect(ofFirst).toHaveLength(2);
    expect((await second).filter((id) => !ofFirst.includes(id))).toHaveLength(2);
  });

  test('continues with the rows of a dead process when their leases expire', async () => {
    await stopChanged(organizationIds[0]!);
    const [before] = await fixture.db.query<{ at: Date }>('select now() as at');
    deliveries.push(delivery({ ErpStopListChanged: () => hanging.promise }).deliver());
    await eventually('the row is claimed', async () => {
      const claimed = await selectRows(fixture.db, 'outbox', '*', { attempts: 1 });
      return claimed.length > 0 ? true : undefined;
    });

    const duringLease = await deliverOutbox();
    const [lease] = await fixture.db.query<{ most: number; least: number }>(
      `select extract(epoch from next_attempt_at - $1)::float as most,
         extract(epoch from next_attempt_at - now())::float as least from outbox`,
      [before!.at],
    );
    await afterDelay();
    const afterLease = await deliverOutbox();

    expect(duringLease).toEqual({ delivered: 0, failed: 0 });
    expect(lease!.most).toBeGreaterThanOrEqual(10);
    expect(lease!.least).toBeLessThanOrEqual(10);
    expect(afterLease).toEqual({ delivered: 1, failed: 0 });
  });

  test('skips a row whose lease has expired, for its new owner', async () => {
    await stopChanged(organizationIds[0]!);
    const release = Promise.withResolvers<never>();
    const late = delivery({ ErpStopListChanged: () => release.promise }).deliver();
    await eventually('the row is claimed', async () => {
      const claimed = await selectRows(fixture.db, 'outbox', '*', { attempts: 1 });
      return claimed.length > 0 ? true : undefined;
    });
    await updateRows(fixture.db, 'outbox', { attempts: 2, nextAttemptAt: fromNow('1 minute') });

    release.reject(new Error('too late'));
    await late;

    const rows = await selectRows(fixture.db, 'outbox', ['attempts', 'lastError'], {
      nextAttemptAt: above(fromNow('50 seconds')),
    });
    expect(rows).toEqual([{ attempts: 2, lastError: null }]);
  });

  test('shares the small pool of a worker, and each round delivers what was committed before it', async () => {
    const db = await openDatabase({ url: fixture.url, poolSize: 4, connectTimeoutMs: 20_000 });
    const own = delivery(
      {
        ErpStopListChanged: async ({ organizationId }) => {
          await db.query('select pg_sleep(0.02)');
          patched.push(organizationId);
        },
      },
      { ...sync.upkeep, db },
    );
    const deliver = () => own.deliver();
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

  test('follows each transaction that appends events, and no other transaction', async () => {
    const own = delivery();
    own.start();
    try {
      await fixture.db.transaction((tx) => tx.query('select 1'));
      await fixture.db
        .transaction(async (tx) => {
          await appendOutbox(tx, 'ErpStopListChanged', {
            runId: 1,
            organizationId: 1,
            added: [],
            removed: [],
          });
          throw new Error('rolled back');
        })
        .catch(() => undefined);
      await stopChanged(2);
      await fixture.db.transaction((tx) =>
        appendOutbox(tx, 'ErpStopListChanged', {
          runId: 1,
          organizationId: 3,
          added: [],
          removed: [],
        }),
      );
      await eventually('the events are delivered', async () =>
        patched.length === 2 ? true : undefined,
      );
    } finally {
      await own.stop();
    }

    expect(new Set(patched)).toEqual(new Set([2, 3]));
    await fixture.db.transaction((tx) =>
      appendOutbox(tx, 'ErpStopListChanged', {
        runId: 1,
        organizationId: 4,
        added: [],
        removed: [],
      }),
    );
    expect(await pending()).toHaveLength(1);
  });

  test('[OPS-113] delays a stop until the running sweep and its deliveries end', async () => {
    await stopChanged(6);
    const own = delivery();
    const table = await holdTable(fixture.db, 'outbox');
    const swept = own.deliver();
    await table.waits(1);
    const stopped = own.stop().then(() => [...patched]);
    await table.release();

    expect(await stopped).toEqual([6]);
    expect(await swept).toEqual({ delivered: 1, failed: 0 });
  });

  test('costs one poll for due rows and one record for a transaction with one event', async () => {
    const own = delivery();
    const count = countStatements(fixture.db);
    own.start();
    try {
      await fixture.db.transaction((tx) =>
        appendOutbox(tx, 'ErpStopListChanged', {
          runId: 1,
          organizationId: 5,
          added: [],
          removed: [],
        }),
      );
      await eventually(
        'the event is delivered',
        async () => (patched.length === 1 ? true : undefined),
        5_000,
        10,
      );
    } finally {
      await own.stop();
    }

    expect(count()).toBe(5);
  });

  test('keeps an event for a newer version, and counts no attempt', async () => {
    await addRow(fixture.db, 'outbox', { event: 'Future', payload: {} });

    expect(await deliverOutbox()).toEqual({ delivered: 0, failed: 0 });

    expect(await pending()).toEqual([{ event: 'Future', attempts: 0, lastError: null }]);
  });

  test('logs the request that wrote the event', async () => {
    const seen: (string | undefined)[] = [];
    await withLogContext({ requestId: 'request-7' }, () => stopChanged(organizationIds[0]!));

    await deliverOutbox({ ErpStopListChanged: async () => void seen.push(logContext().requestId) });

    expect(seen).toEqual(['request-7']);
  });

  test('[CON-9] starts the first import and schedules of a new connection, and only schedules a disabled one', async () => {
    await appendOutbox(fixture.db, 'ConnectionChanged', {
      connectionId: fixture.connectionId,
      change: 'CREATED',
    });
    await appendOutbox(fixture.db, 'ConnectionChanged', {
      connectionId: fixture.connectionId,
      change: 'DISABLED',
    });

    await deliverOutbox();

    expect(schedulesApplied).toBe(2);
    const { status } = await sync.temporal.workflow
      .getHandle(connectionSyncWorkflow.id({ connectionId: fixture.connectionId }))
      .describe();
    expect(status.name).toBe('RUNNING');
  });

  test('[MIR-27] imports menus of new or moved restaurants immediately, and rebuilds others', async () => {
    const { id: claimant } = await aConnection(fixture.db, 'claims');
    const { id: stranger } = await aConnection(fixture.db, 'claims nothing');
    const served = await selectRow(fixture.db, 'mirror_organization', ['erpId'], {
      id: organizationIds[0],
    });
    await addRow(fixture.db, 'mirror_organization', {
      connectionId: claimant,
      erpId: served.erpId,
      name: 'Claim',
      raw: {},
      synchronizedAt: databaseNow(),
      inactiveAt: databaseNow(),
    });
    const { id: newcomer } = await aConnection(fixture.db, 'opens a restaurant');
    const { id: quiet } = await aConnection(fixture.db, 'changes a name');
    await deleteRows(fixture.db, 'outbox');
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    await appendOutbox(fixture.db, 'ConnectionChanged', {
      connectionId: fixture.connectionId,
      change: 'DISABLED',
    });
    const changed = { organizationIds: [organizationIds[1]!] };
    await appendOutbox(fixture.db, 'ErpOrganizationsChanged', {
      ...changed,
      connectionId: newcomer,
      activated: [1],
    });
    await appendOutbox(fixture.db, 'ErpOrganizationsChanged', {
      ...changed,
      connectionId: quiet,
      activated: [],
    });

    await deliverOutbox();
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });

    const started = async (connectionId: number) =>
      sync.temporal.workflow
        .getHandle(connectionSyncWorkflow.id({ connectionId }))
        .describe()
        .then(
          () => true,
          () => false,
        );
    expect(await pending()).toEqual([]);
    expect(await Promise.all([claimant, stranger, newcomer, quiet].map(started))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('[MIR-37] signals the refresh of stop-lists when their pause ends, but only schedules for others', async () => {
    const { id: other } = await aConnection(fixture.db, 'pauses menus');
    await deleteRows(fixture.db, 'outbox');
    await appendOutbox(fixture.db, 'ImportPausesChanged', { connectionId: fixture.connectionId });
    await appendOutbox(fixture.db, 'ImportPausesChanged', {
      connectionId: fixture.connectionId,
      ended: 'STOP_LIST',
    });
    await appendOutbox(fixture.db, 'ImportPausesChanged', { connectionId: other, ended: 'MENU' });

    await deliverOutbox();

    const signals = async (connectionId: number) => {
      const handle = sync.temporal.workflow.getHandle(stopListRefreshWorkflow.id({ connectionId }));
      const { events } = await handle.fetchHistory().catch(() => ({ events: [] }));
      return (events ?? []).filter(
        (event) => event.workflowExecutionSignaledEventAttributes != null,
      ).length;
    };
    expect(schedulesApplied).toBe(3);
    expect([await signals(fixture.connectionId), await signals(other)]).toEqual([1, 0]);
  });

  test('waits without Temporal, and parks no event however long the outage lasts', async () => {
    const unreachable = Object.assign(new Error('no connection established'), { code: 14 });
    const temporal = { withDeadline: () => Promise.reject(unreachable) } as unknown as Client;
    await markDirty(fixture.db, 'menu-import', organizationIds);
    await appendOutbox(fixture.db, 'CatalogChanged', { organizationIds, reason: 'test' });
    await updateRows(fixture.db, 'outbox', { attempts: 19 });

    expect(await delivery({}, { ...sync.upkeep, temporal }).deliver()).toMatchObject({ failed: 1 });

    expect(await pending()).toMatchObject([{ event: 'CatalogChanged', attempts: 4 }]);
    expect(await countRows(fixture.db, 'outbox', { parkedAt: not(null) })).toBe(0);
  });
});

test('every event of the contract has a listener', async () => {
  const contract = await readFile(
    new URL('../../../kernel/pure/events.ts', import.meta.url),
    'utf8',
  );
  const events = [...contract.matchAll(/^  (\w+): \{/gm)].map(([, event]) => event!);
  expect(events.length).toBeGreaterThan(7);
  expect([...EVENT_LISTENERS.keys()].toSorted()).toEqual(events.toSorted());
});

test('[SNP-45] overdue rebuilds of menus are started, and running ones are not affected', async () => {
  const deps = { ...sync.upkeep, debounce: { debounceMs: 50, debounceMaxMs: 60_000 } };
  const [fresh, lost] = organizationIds as [number, number];
  const rebuild = sync.temporal.workflow.getHandle(
    snapshotRebuildWorkflow.id({ organizationId: lost }),
  );
  await rebuild.terminate().catch(() => undefined);
  await markDirty(fixture.db, 'organizations-import', [fresh, lost]);
  await updateRows(
    fixture.db,
    'snapshot_request',
    { dirtyAt: databaseNow() },
    { organizationId: fresh },
  );
  await updateRows(
    fixture.db,
    'snapshot_request',
    { dirtyAt: ago('1 hour') },
    { organizationId: lost },
  );

  expect(await reconcileRebuilds(deps)).toEqual({ woken: 1 });
  const { runId, status } = await rebuild.describe();
  expect(status.name).toBe('RUNNING');

  await reconcileRebuilds(deps);
  expect((await rebuild.describe()).runId).toBe(runId);
  expect(await countSignals(lost)).toBe(0);
});
