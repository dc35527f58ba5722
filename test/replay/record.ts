import {
  IMPORT_WORKFLOWS,
  connectionSyncWorkflow,
  importLock,
  stopListRefreshWorkflow,
} from '../../modules/mirror/messages/sync.ts';
import { setBusyMode } from '../../modules/delivery/busy-mode/busy-mode.ts';
import { busyModeWorkflow } from '../../modules/delivery/messages/busy-mode.ts';
import { watchBusyModes } from '../../modules/delivery/busy-mode/watch-busy-modes.ts';
import { webhookDeliveryWorkflow } from '../../modules/events/messages/webhooks.ts';
import { notificationSendWorkflow } from '../../modules/notifications/messages/notifications.ts';
import { snapshotPinWorkflow } from '../../modules/menus/messages/snapshot.ts';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Context } from '@temporalio/activity';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { markStopListsDirty } from '../../modules/mirror/mark-stop-lists-dirty.ts';
import { systemActor } from '../../kernel/actor.ts';
import { watchPin } from '../../modules/menus/snapshot/watch-pin.ts';
import { pinRevision, unpinRevision } from '../../modules/menus/snapshot/pin-revision.ts';
import type { Job, RunMode } from '../../modules/mirror/rules/jobs.ts';
import {
  snapshotDirtied,
  snapshotRebuildWorkflow,
} from '../../modules/menus/rebuilds/messages/rebuilds.ts';
import type { ImportInput } from '../../modules/mirror/messages/sync.ts';
import { buildQueues } from '../../kernel/pure/queues.ts';
import { aConnection } from '../support/connection.ts';
import { eventually } from '../support/processes.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { BINDING_CASES } from './binding-cases.ts';
import { GIFT_BRANCHES } from './gift-branches.ts';
import { GIFT_CASES } from './gift-cases.ts';
import { LOOP_CASES } from './loop-cases.ts';
import { ORDER_CASES } from './order-cases.ts';
import { UPDATE_CASES } from './update-cases.ts';
import { databaseNow, selectRows, updateRows } from '../support/rows.ts';

// `npm run carte -- replay:record` records a history per relevant branch. Existing histories are
// never replaced: they prove that executions of that version still replay.

/**
 * Release that new histories represent. 0.1.0 is the compatibility baseline. Set it to the next
 * release with a change that these histories must survive.
 */
const VERSION = '0.1.0';
/** Release of branches that `VERSION` does not have. */
const NEXT = '0.2.0';

const UNSENDABLE = 2;

const RECORDER = systemActor('replay-record');

type Recorder = {
  fixture: TestFixture;
  sync: SyncWorker;
  menuId: number;
  /** Runs a workflow to its end or failure. Returns its id. */
  run: (type: string, workflowId: string, input?: object) => Promise<string>;
  importNow: (job: Job, mode?: RunMode) => Promise<string>;
};

/** `act` returns the id of the execution to store. */
type Case = { type: string; name: string; act: (recorder: Recorder) => Promise<string> };
const CASES: readonly Case[] = [
  {
    type: 'organizationsImport',
    name: 'success',
    act: ({ importNow }) => importNow('ORGANIZATIONS'),
  },
  {
    type: 'organizationsImport',
    name: 'unreadable-answer',
    async act({ fixture, importNow }) {
      await fixture.emulator.control('fault', {
        kind: 'truncated-json',
        endpoint: '/api/1/organizations',
      });
      return importNow('ORGANIZATIONS');
    },
  },
  {
    type: 'organizationsImport',
    name: 'disabled-connection',
    async act({ fixture, importNow }) {
      await updateRows(fixture.db, 'connection', { status: 'DISABLED' });
      const id = await importNow('ORGANIZATIONS');
      await updateRows(fixture.db, 'connection', { status: 'ACTIVE' });
      return id;
    },
  },
  { type: 'terminalsImport', name: 'success', act: ({ importNow }) => importNow('TERMINALS') },
  { type: 'menuListImport', name: 'success', act: ({ importNow }) => importNow('MENU_LIST') },
  { type: 'stopListImport', name: 'success', act: ({ importNow }) => importNow('STOP_LIST') },
  {
    type: 'stopListImport',
    name: 'cancelled',
    async act({ fixture, sync, importNow }) {
      await fixture.emulator.control('fault', {
        kind: 'slow',
        endpoint: '/api/1/stop_lists',
        delayMs: 1500,
      });
      const running = importNow('STOP_LIST');
      await eventually('the run is open', async () => {
        const [run] = await selectRows(fixture.db, 'sync_run', '*', { status: 'RUNNING' });
        return run;
      });
      await sync.temporal.workflow
        .getHandle(importLock({ job: 'STOP_LIST', connectionId: fixture.connectionId }))
        .cancel();
      return running;
    },
  },
  {
    type: 'stopListImport',
    name: 'no-organizations',
    async act({ fixture, importNow }) {
      await updateRows(fixture.db, 'mirror_organization', { inactiveAt: databaseNow() });
      const id = await importNow('STOP_LIST');
      await updateRows(fixture.db, 'mirror_organization', { inactiveAt: null });
      return id;
    },
  },
  { type: 'zonesImport', name: 'success', act: ({ importNow }) => importNow('ZONES') },
  {
    type: 'zonesImport',
    name: 'unreadable-answer',
    async act({ fixture, importNow }) {
      await fixture.emulator.control('fault', {
        kind: 'truncated-json',
        endpoint: '/api/1/delivery_restrictions',
      });
      return importNow('ZONES');
    },
  },
  { type: 'stopListRefresh', name: 'nothing-marked', act: (recorder) => refresh(recorder, 0) },
  { type: 'stopListRefresh', name: 'marked', act: (recorder) => refresh(recorder, 1) },
  {
    type: 'stopListRefresh',
    name: 'locked',
    async act(recorder) {
      const { fixture, importNow } = recorder;
      await fixture.emulator.control('fault', {
        kind: 'slow',
        endpoint: '/api/1/stop_lists',
        delayMs: 800,
      });
      const running = importNow('STOP_LIST');
      await eventually('the run is open', async () => {
        const [run] = await selectRows(fixture.db, 'sync_run', '*', { status: 'RUNNING' });
        return run;
      });
      const id = await refresh(recorder, 1);
      await running;
      return id;
    },
  },
  {
    type: 'stopListRefresh',
    name: 'disabled-connection',
    async act(recorder) {
      await updateRows(recorder.fixture.db, 'connection', { status: 'DISABLED' });
      const id = await refresh(recorder, 1);
      await updateRows(recorder.fixture.db, 'connection', { status: 'ACTIVE' });
      return id;
    },
  },
  { type: 'menuImport', name: 'full', act: ({ importNow }) => importNow('MENU', 'FULL') },
  { type: 'menuImport', name: 'unchanged', act: ({ importNow }) => importNow('MENU') },
  {
    type: 'menuImport',
    name: 'retried-fetch',
    async act({ fixture, importNow }) {
      await fixture.emulator.control('fault', { kind: '500', endpoint: '/api/menu/v3/by_id' });
      return importNow('MENU', 'FULL');
    },
  },
  {
    type: 'menuImport',
    name: 'asynchronous',
    async act({ fixture, importNow }) {
      await updateRows(fixture.db, 'external_menu_setting', { isAsync: true });
      await fixture.emulator.control('async-menu', { menuId: '9001', mode: 'success', polls: 2 });
      const id = await importNow('MENU', 'FULL');
      await updateRows(fixture.db, 'external_menu_setting', { isAsync: false });
      return id;
    },
  },
  {
    type: 'menuImport',
    name: 'suspicious-shrink',
    async act({ fixture, importNow }) {
      await fixture.emulator.control('vanish', { menuId: '9001', percent: 50 });
      const id = await importNow('MENU', 'FULL');
      await fixture.emulator.control('return', { menuId: '9001' });
      return id;
    },
  },
  {
    type: 'syncTick',
    name: 'import-fails',
    async act({ run, fixture }) {
      await fixture.emulator.control('fault', {
        kind: 'truncated-json',
        endpoint: '/api/1/organizations',
      });
      return run('syncTick', 'tick/organizations', {
        job: 'ORGANIZATIONS',
        connectionId: fixture.connectionId,
      });
    },
  },
  {
    type: 'syncTick',
    name: 'import-given-up',
    async act({ run, fixture, sync }) {
      await fixture.emulator.control('fault', {
        kind: 'slow',
        endpoint: '/api/1/stop_lists',
        delayMs: 60_000,
      });
      const ticked = run('syncTick', 'tick/stop-list', {
        job: 'STOP_LIST',
        connectionId: fixture.connectionId,
      });
      await eventually('the run is open', async () => {
        const [open] = await selectRows(fixture.db, 'sync_run', '*', { status: 'RUNNING' });
        return open;
      });
      const lock = importLock({ job: 'STOP_LIST', connectionId: fixture.connectionId });
      await sync.temporal.workflow.getHandle(lock).cancel();
      const id = await ticked;
      await fixture.emulator.control('clear-faults');
      return id;
    },
  },
  { type: 'menuImport', name: 'plan', act: ({ importNow }) => importNow('MENU', 'PLAN') },
  {
    type: 'syncTick',
    name: 'nightly',
    act: ({ run, fixture }) =>
      run('syncTick', 'tick/menu-full', {
        job: 'MENU',
        connectionId: fixture.connectionId,
        markFullDue: true,
      }),
  },
  {
    type: 'syncTick',
    name: 'already-running',
    async act({ run, fixture, menuId, importNow }) {
      await fixture.emulator.control('fault', {
        kind: 'slow',
        endpoint: '/api/menu/v3/by_id',
        delayMs: 1000,
      });
      const running = importNow('MENU', 'FULL');
      await eventually('the run is open', async () => {
        const [open] = await selectRows(fixture.db, 'sync_run', '*', { status: 'RUNNING' });
        return open;
      });
      const input = { job: 'MENU', connectionId: fixture.connectionId, externalMenuId: menuId };
      const id = await run('syncTick', 'tick/menu', input);
      await running;
      return id;
    },
  },
  {
    type: 'connectionSync',
    name: 'success',
    act: ({ run, fixture }) =>
      run('connectionSync', connectionSyncWorkflow.id({ connectionId: fixture.connectionId }), {
        connectionId: fixture.connectionId,
        trigger: 'EVENT',
      }),
  },
  {
    type: 'connectionSync',
    name: 'refused-credential',
    async act({ fixture, run }) {
      const { id } = await aConnection(fixture.db, 'no-such-login');
      const input = { connectionId: id, trigger: 'EVENT' };
      const execution = await run(
        'connectionSync',
        connectionSyncWorkflow.id({ connectionId: id }),
        input,
      );
      await updateRows(fixture.db, 'connection', { status: 'DISABLED' }, { id });
      return execution;
    },
  },
  {
    type: 'mediaSweep',
    name: 'retried-batch',
    act: ({ run }) => run('mediaSweep', 'media-sweep'),
  },
  {
    type: 'notificationSend',
    name: 'success',
    act: ({ run }) =>
      run('notificationSend', notificationSendWorkflow.id({ notificationId: 1 }), {
        notificationId: 1,
      }),
  },
  {
    type: 'notificationSend',
    name: 'given-up',
    act: ({ run }) =>
      run('notificationSend', notificationSendWorkflow.id({ notificationId: UNSENDABLE }), {
        notificationId: UNSENDABLE,
        pace: { firstMs: 10, longestMs: 20, tries: 3 },
      }),
  },
  {
    type: 'snapshotRebuild',
    name: 'signals-during-debounce',
    async act({ sync, fixture }) {
      const [organization] = await selectRows(
        fixture.db,
        'mirror_organization',
        ['id'],
        {},
        { orderBy: 'id' },
      );
      const id = snapshotRebuildWorkflow.id({ organizationId: organization?.id ?? 0 });
      await eventually('earlier rebuilds are over', async () => {
        const found = await sync.temporal.workflow
          .getHandle(id)
          .describe()
          .catch(() => undefined);
        return found?.status.name === 'RUNNING' ? undefined : true;
      });
      for (let signals = 0; signals < 3; signals += 1)
        await sync.temporal.workflow.signalWithStart('snapshotRebuild', {
          workflowId: id,
          taskQueue: sync.queues.build,
          args: [
            {
              organizationId: organization?.id ?? 0,
              debounceMs: 200,
              debounceMaxMs: 2000,
              queues: buildQueues(sync.queues),
            },
          ],
          signal: snapshotDirtied,
        });
      await sync.temporal.workflow.getHandle(id).result();
      return id;
    },
  },
  {
    type: 'snapshotPin',
    name: 'ended-at-its-time',
    act: (recorder) => pinned(recorder, { ms: 1_000, isTakenAway: false }),
  },
  {
    type: 'snapshotPin',
    name: 'taken-away',
    act: (recorder) => pinned(recorder, { ms: 3_600_000, isTakenAway: true }),
  },
];

const NEXT_CASES: readonly Case[] = [
  ...UPDATE_CASES,
  {
    type: 'busyMode',
    name: 'ended-at-its-time',
    async act({ fixture, sync }) {
      const [organization] = await selectRows(
        fixture.db,
        'mirror_organization',
        ['id'],
        {},
        { orderBy: 'id' },
      );
      const until = new Date(Date.now() + 1_000).toISOString();
      const deps = { db: fixture.db, env: sync.env };
      await setBusyMode(deps, RECORDER, organization?.id ?? 0, { extraMinutes: 20, until });
      await watchBusyModes(sync.upkeep);
      const handle = sync.temporal.workflow.getHandle(busyModeWorkflow.id({}));
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    type: 'webhookDelivery',
    name: 'pauses',
    act: ({ sync, run }) =>
      run('webhookDelivery', webhookDeliveryWorkflow.id({ endpointId: 1 }), {
        endpointId: 1,
        queues: sync.queues,
      }),
  },
  {
    type: 'terminalsImport',
    name: 'asked-again',
    async act({ fixture, importNow }) {
      const endpoint = '/api/1/terminal_groups';
      await importNow('TERMINALS');
      await fixture.emulator.control('answer', { endpoint, body: { terminalGroups: [] } });
      const id = await importNow('TERMINALS');
      await fixture.emulator.control('answer', { endpoint });
      return id;
    },
  },
  {
    type: 'menuImport',
    name: 'refused-organization',
    async act({ fixture, importNow }) {
      const [organization] = await selectRows(
        fixture.db,
        'mirror_organization',
        ['erpId'],
        {},
        { orderBy: 'id' },
      );
      await fixture.emulator.control('refuse-organization', {
        organizationId: organization?.erpId,
        status: 403,
      });
      const id = await importNow('MENU', 'FULL');
      await fixture.emulator.control('accept-organizations', {});
      return id;
    },
  },
];

async function refresh({ fixture, run }: Recorder, marks: number): Promise<string> {
  for (let made = 0; made < marks; made += 1)
    await fixture.db.transaction(async (tx) => {
      const rows = await selectRows(tx, 'mirror_organization', ['erpId']);
      await markStopListsDirty(
        tx,
        rows.map((row) => row.erpId),
      );
    });
  return run(
    'stopListRefresh',
    stopListRefreshWorkflow.id({ connectionId: fixture.connectionId }),
    {
      connectionId: fixture.connectionId,
    },
  );
}

/** A pin whose timer fires, or which is removed before. */
async function pinned(
  { fixture, sync }: Recorder,
  how: { ms: number; isTakenAway: boolean },
): Promise<string> {
  const [served] = await selectRows(
    fixture.db,
    'snapshot',
    ['organizationId as id', 'revision'],
    {},
    { orderBy: 'organizationId', limit: 1 },
  );
  if (served === undefined) throw new Error('nothing is published');
  const until = new Date(Date.now() + how.ms);
  await pinRevision(fixture, RECORDER, served.id, {
    revision: served.revision,
    reason: 'record',
    until,
  });
  await watchPin(sync.upkeep, served.id);
  const handle = sync.temporal.workflow.getHandle(
    snapshotPinWorkflow.id({ organizationId: served.id }),
  );
  if (how.isTakenAway) {
    await eventually('the clock runs', async () => {
      const { events } = await handle.fetchHistory();
      return events?.some((event) => event.timerStartedEventAttributes != null) === true
        ? true
        : undefined;
    });
    await unpinRevision(fixture, RECORDER, served.id, { reason: 'record' });
    await watchPin(sync.upkeep, served.id);
  }
  await handle.result();
  return handle.workflowId;
}

/**
 * One line without stack traces, which contain folders of the recording machine and which replay
 * ignores.
 */
function withoutStacks(history: string): string {
  const parsed: unknown = JSON.parse(history, (key, value: unknown) =>
    key === 'stackTrace' ? '' : value,
  );
  return JSON.stringify(parsed);
}

const fixture = await mirrorFixture();
const sync = await syncWorker(fixture);
const menuId = await importBasics(fixture);
// Events of the new connection would start concurrent imports.
await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
// Events are not delivered: a recorded import must not start another evaluation. Receivers and
// files are stubs, because workflows decide the relevant branches.
/** Workflow types to record, by default all. */
const only = process.argv.slice(2);
let attempts = 0;
const workers = await sync.start(
  {
    // Replaces the activity, which handles answers of receivers.
    webhooks: {
      deliverWebhooks: async () => ({ waitMs: (attempts += 1) < 3 ? 10 : null }),
    },
    workflows: {
      sendNotification: async ({ notificationId }: { notificationId: number }) => {
        if (notificationId === UNSENDABLE) throw new Error('the receiver answered 503');
        return { outcome: 'SENT' };
      },
      sweepMedia: async ({ after }: { after: string | null }) => {
        if (after !== null && Context.current().info.attempt === 1)
          throw new Error('the store does not answer');
        return { next: after === null ? 'originals/a.png' : null, removed: 0 };
      },
    },
  },
  { delivers: false },
);
try {
  const run: Recorder['run'] = async (type, workflowId, input) => {
    const { workflow } = sync.temporal;
    const handle = await workflow.start(type, {
      workflowId,
      taskQueue: sync.queues.workflows,
      args:
        input === undefined
          ? []
          : [{ timings: sync.upkeep.timings, queues: sync.queues, ...input }],
    });
    // A failure may be part of the case.
    await handle.result().then(
      () => undefined,
      () => undefined,
    );
    return workflowId;
  };
  const importNow: Recorder['importNow'] = (job, mode) => {
    const input: ImportInput = {
      job,
      connectionId: fixture.connectionId,
      trigger: 'SCHEDULE',
      queues: sync.queues,
      ...(job === 'MENU' ? { externalMenuId: menuId } : {}),
      ...(mode === undefined ? {} : { mode }),
    };
    const externalMenuId = job === 'MENU' ? menuId : null;
    return run(
      IMPORT_WORKFLOWS[job].type,
      importLock({ job, connectionId: fixture.connectionId, externalMenuId }),
      input,
    );
  };
  const first = [...CASES, ...BINDING_CASES, ...ORDER_CASES, ...GIFT_CASES, ...GIFT_BRANCHES];
  const cases = [
    ...first.map((entry) => ({ ...entry, version: VERSION })),
    ...[...NEXT_CASES, ...LOOP_CASES].map((entry) => ({ ...entry, version: NEXT })),
  ].filter(({ type }) => only.length === 0 || only.includes(type));
  for (const { type, name, act, version } of cases) {
    const file = new URL(`histories/${type}/${version}-${name}.json`, import.meta.url);
    const kept = await act({ fixture, sync, menuId, run, importNow });
    const { workflowId, runId } =
      typeof kept === 'string' ? { workflowId: kept, runId: undefined } : kept;
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    const history = await sync.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    await mkdir(dirname(file.pathname), { recursive: true });
    await writeFile(file, `${withoutStacks(historyToJSON(history))}\n`);
    process.stdout.write(`${type}/${version}-${name}\n`);
  }
} finally {
  await workers.stop();
  await sync.close();
  await fixture.close();
}
