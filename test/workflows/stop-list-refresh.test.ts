import { stopListRefreshWorkflow } from '../../modules/mirror/messages/sync.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/activity';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import { importStopLists } from '../../modules/mirror/import-stop-lists.ts';
import { markStopListsDirty } from '../../modules/mirror/mark-stop-lists-dirty.ts';
import { reconcileImports } from '../../modules/mirror/reconcile.ts';
import type {
  StopListRefreshInput,
  SyncTickInput,
  SyncTickResult,
} from '../../modules/mirror/messages/sync.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/processes.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { longTest, repetitions } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { ago, countRows, databaseNow, not, selectRows, updateRows } from '../support/rows.ts';

const SECRET = 'a-webhook-secret';

let fixture: TestFixture;
let sync: SyncWorker;
let api: TestApi;
let workers: { stop(): Promise<void> };
let organizations: { id: number; erpId: string }[];
/** Hook between the ERP's answer and the transaction that writes it. */
let afterFetch: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  const erp: typeof fixture.deps.erp = {
    ...fixture.deps.erp,
    async stopLists(...call) {
      const answer = await fixture.deps.erp.stopLists(...call);
      await afterFetch();
      return answer;
    },
  };
  await importBasics(fixture);
  organizations = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id' },
  );
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  workers = await sync.start({
    erp: {
      importStopLists: (run: { runId: number; connectionId: number }) =>
        importStopLists({ ...fixture.deps, erp }, run),
    },
  });
  api = await startTestApi({
    routes,
    env: { WEBHOOK_SECRET: SECRET, RATE_LIMIT_WEBHOOK: 'off' },
    database: { db: fixture.db, url: fixture.url, close: async () => undefined },
    deps: { temporal: sync.temporal },
    // Delivers events of the API's commits, as workers do.
    onEventsCommitted: () => void sync.delivery.deliver(),
  });
});
afterAll(async () => {
  await api?.stop();
  await workers?.stop();
  await sync.close();
  await fixture.close();
});
afterEach(() => {
  afterFetch = async () => undefined;
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);
const stop = (body: object) => fixture.emulator.control('stop', body);
const send = (body: unknown) =>
  fetch(`${api.url}/api/webhooks/erp?token=${SECRET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const aboutOrganization = (organizationId: string) => ({
  eventType: 'StopListUpdate',
  organizationId,
  correlationId: randomUUID(),
  eventInfo: null,
});
const runs = () =>
  selectRows(
    fixture.db,
    'sync_run',
    ['trigger', 'status', 'reason'],
    { job: 'STOP_LIST' },
    { orderBy: 'id' },
  );
const mirrored = async () =>
  (
    await query<{ row: string }>(
      `select organization.erp_id || ' ' || terminal_group_erp_id || ' ' || item_erp_id || ' ' || balance as row
         from mirror_stop_list stop join mirror_organization organization on organization.id = stop.organization_id`,
    )
  )
    .map(({ row }) => row)
    .toSorted();
async function truth(): Promise<string[]> {
  const { data } = await fixture.deps.erp.stopLists(
    fixture.connectionId,
    organizations.map((organization) => organization.erpId),
  );
  return data.rows
    .map(
      (row) => `${row.organizationId} ${row.terminalGroupId ?? ''} ${row.productId} ${row.balance}`,
    )
    .toSorted();
}
const clean = () =>
  eventually('nothing is marked, stored or at work', async () => {
    const [row] = await query<{ left: number }>(
      `select (select count(*) from mirror_stop_list_state where dirty_at is not null)
            + (select count(*) from webhook_event where processed_at is null)
            + (select count(*) from outbox where delivered_at is null)
            + (select count(*) from sync_run where status = 'RUNNING') as left`,
    );
    return row!.left === 0 ? true : undefined;
  });
const refreshed = async (input: Partial<StopListRefreshInput> = {}) => {
  const handle = await sync.temporal.workflow.start('stopListRefresh', {
    workflowId: stopListRefreshWorkflow.id({ connectionId: fixture.connectionId }),
    taskQueue: sync.queues.workflows,
    args: [{ connectionId: fixture.connectionId, queues: sync.queues, ...input }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  await handle.result();
};
const mark = () =>
  fixture.db.transaction((tx) => markStopListsDirty(tx, [organizations[0]!.erpId]));

describe('a webhook', () => {
  test('imports the stop-lists of its connection immediately', async () => {
    await stop({ organizationId: organizations[0]!.erpId, itemIds: [randomUUID()] });
    await send([aboutOrganization(organizations[0]!.erpId)]);
    await clean();

    expect(await mirrored()).toEqual(await truth());
    expect((await runs()).at(-1)).toEqual({ trigger: 'WEBHOOK', status: 'SUCCESS', reason: null });
  });

  test('[WHK-7] causes another request to the ERP if it arrives after the answer of an import', async () => {
    const before = (await runs()).length;
    const late = randomUUID();
    const tell = Promise.withResolvers<void>();
    afterFetch = async () => {
      afterFetch = async () => undefined;
      // When the webhook arrives, the import already has an answer without this item.
      await stop({ organizationId: organizations[0]!.erpId, itemIds: [late] });
      await send([aboutOrganization(organizations[0]!.erpId)]);
      await eventually('the event is processed', async () => {
        const [row] = await selectRows(fixture.db, 'mirror_stop_list_state', '*', {
          dirtyAt: not(null),
        });
        return row;
      });
      tell.resolve();
    };
    const tick = sync.temporal.workflow.execute('syncTick', {
      workflowId: `tick/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [{ job: 'STOP_LIST', connectionId: fixture.connectionId, queues: sync.queues }],
    });
    await tell.promise;
    await tick;
    await clean();

    expect(await mirrored()).toEqual(await truth());
    expect((await mirrored()).join()).toContain(late);
    expect((await runs()).slice(before).map((run) => run.trigger)).toEqual(['SCHEDULE', 'WEBHOOK']);
  });

  test('starts nothing for an unknown organization', async () => {
    const before = (await runs()).length;
    await send([aboutOrganization(randomUUID())]);
    await clean();

    expect(await runs()).toHaveLength(before);
  });
});

test('a run records the number of requested organizations, and without any it is skipped', async () => {
  const tick = () =>
    sync.temporal.workflow.execute('syncTick', {
      workflowId: `tick/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [{ job: 'STOP_LIST', connectionId: fixture.connectionId, queues: sync.queues }],
    });
  const last = async () =>
    (
      await selectRows(
        fixture.db,
        'sync_run',
        ['status', 'reason', 'organizations', 'batches'],
        {},
        { orderBy: 'id desc', limit: 1 },
      )
    )[0];
  await tick();
  const asked = await last();
  await updateRows(fixture.db, 'mirror_organization', { inactiveAt: databaseNow() });
  await tick();
  const skipped = await last();
  await updateRows(fixture.db, 'mirror_organization', { inactiveAt: null });

  expect(asked).toEqual({ status: 'SUCCESS', reason: null, organizations: 2, batches: 1 });
  expect(skipped).toEqual({
    status: 'SKIPPED',
    reason: 'NO_ORGANIZATIONS',
    organizations: 0,
    batches: 0,
  });
});

describe('the stop-list refresh', () => {
  test('ends immediately if no stop-list is outdated', async () => {
    const before = (await runs()).length;
    await refreshed();

    expect(await runs()).toHaveLength(before);
  });

  test('ends when the connection may not be imported, and keeps the stop-list outdated', async () => {
    await mark();
    await updateRows(fixture.db, 'connection', { status: 'DISABLED' });
    await refreshed();
    const left = await selectRows(fixture.db, 'mirror_stop_list_state', '*', {
      dirtyAt: not(null),
    });
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' });
    await refreshed();

    expect(left).toHaveLength(1);
    expect(await countRows(fixture.db, 'mirror_stop_list_state', { dirtyAt: not(null) })).toBe(0);
  });

  test('gives up after some failures in a row, and the schedule imports the stop-list', async () => {
    const before = (await runs()).length;
    await mark();
    afterFetch = async () => {
      throw ApplicationFailure.nonRetryable('refused', 'REFUSED');
    };
    await refreshed({ pauses: { afterFailureMs: 10 } });
    const failed = (await runs()).slice(before);
    afterFetch = async () => undefined;
    await sync.temporal.workflow.execute('syncTick', {
      workflowId: `tick/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [{ job: 'STOP_LIST', connectionId: fixture.connectionId, queues: sync.queues }],
    });

    expect(failed.map((run) => run.status)).toEqual(Array.from({ length: 5 }, () => 'FAILED'));
    expect(await countRows(fixture.db, 'mirror_stop_list_state', { dirtyAt: not(null) })).toBe(0);
  });

  test('an outdated stop-list without an execution is found by the reconciler', async () => {
    await mark();
    await updateRows(
      fixture.db,
      'mirror_stop_list_state',
      { dirtyAt: ago('1 minute') },
      { dirtyAt: not(null) },
    );

    const reconciled = await reconcileImports(sync.upkeep);
    await clean();

    expect(reconciled.woken).toBe(1);
    expect((await runs()).at(-1)).toMatchObject({ trigger: 'WEBHOOK', status: 'SUCCESS' });
  });
});

test('[WHK-6] storms of repeated, lost, reordered and invalid webhooks leave no difference to the ERP', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const next = dice(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
  const items = Array.from({ length: 6 }, () => randomUUID());
  for (let storm = 0; storm < repetitions(4); storm += 1) {
    let withheld: object[] = [];
    for (let step = 0; step < 12; step += 1) {
      const { erpId } = pick(organizations);
      const balance = pick([0, 0, 2.5, -1]);
      if (next() < 0.3)
        await fixture.emulator.control('unstop', { organizationId: erpId, itemIds: [pick(items)] });
      else await stop({ organizationId: erpId, itemIds: [pick(items)], balance });
      const told = aboutOrganization(erpId);
      const fate = pick([
        'sent',
        'sent',
        'repeated',
        'lost',
        'withheld',
        'beside garbage',
        'of another type',
      ]);
      if (fate === 'sent') void send([told]);
      if (fate === 'repeated') await Promise.all([send([told, told]), send([told])]);
      if (fate === 'withheld') withheld = [told, ...withheld];
      if (fate === 'beside garbage')
        await send([null, 7, { eventType: 'StopListUpdate' }, told, {}]);
      if (fate === 'of another type') await send([{ ...told, eventType: 'NomenclatureUpdate' }]);
      if (next() < 0.3) await delay(20);
    }
    await send(withheld);
    // Polling finds lost stops. During an import, a poll leaves the stops to the next poll.
    await eventually('a poll asks the ERP', async () => {
      const { outcome } = await sync.temporal.workflow.execute<
        (input: SyncTickInput) => Promise<SyncTickResult>
      >('syncTick', {
        workflowId: `tick/${randomUUID()}`,
        taskQueue: sync.queues.workflows,
        args: [{ job: 'STOP_LIST', connectionId: fixture.connectionId, queues: sync.queues }],
      });
      return outcome === 'RAN' ? true : undefined;
    });
    await clean();

    expect({ seed, storm, rows: await mirrored() }).toEqual({ seed, storm, rows: await truth() });
  }
});

longTest('[WHK-6] no poll is needed while no webhook is lost', async () => {
  const items = Array.from({ length: 4 }, () => randomUUID());
  const answers: Promise<Response>[] = [];
  for (const itemId of items)
    for (const { erpId } of organizations) {
      await stop({ organizationId: erpId, itemIds: [itemId] });
      answers.push(send([aboutOrganization(erpId)]));
    }
  // An event is stored before its answer, so `clean` waits for each of these.
  expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual(
    answers.map(() => 200),
  );
  await clean();

  expect(await mirrored()).toEqual(await truth());
});

function dice(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
