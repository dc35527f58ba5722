import { orderWorkflow } from '../../../modules/ordering/messages/ordering.ts';
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { orderQueues, QUEUES } from '../../../kernel/pure/queues.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import { pollingWorkflow, pollNow } from '../../../modules/mirror/messages/polling.ts';
import { upkeepNow, upkeepWorkflow } from '../../../modules/mirror/messages/upkeep.ts';
import type { Job, PollJob } from '../../../modules/mirror/rules/jobs.ts';
import { readEnv } from '../../../modules/env.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { giftDesk } from '../gifts/gift-desk.ts';
import { scrape } from '../metrics-text.ts';
import { eventually } from '../processes.ts';
import { NO_TIMER } from '../quiet-schedules.ts';
import { startDemoProduct, type RunningApi, type RunningWorker } from '../product.ts';
import type { Scrape } from './firing.ts';
import type { Ids } from './pages.ts';
import { selectRow } from '../rows.ts';

export type Row = Readonly<Record<string, unknown>>;

export type Provoked = {
  /** Expected row of the section's statements; a list if they differ. */
  row: Row | readonly Row[];
  ofProcedure?: Row;
  noRow?: Row;
  /** Provoked ids by their names in the runbook. */
  ids?: Ids;
  /** Metrics from before the provocation, if the default is too late. */
  before?: Scrape;
  scraped?: readonly { opsUrl: string }[];
  /** Replaces metrics by those of a state that a test cannot reach. */
  seen?: (scrape: Scrape) => Scrape;
  undo?: () => Promise<unknown>;
};

export type RunbookProduct = Awaited<ReturnType<typeof startRunbookFixture>>;

type Run = { id: number; status: string; reason: string | null };
type State = {
  organizations: { id: string; terminalGroups: { id: string }[] }[];
  menus: { id: string }[];
};

/** Seconds. */
const ROUND_S = 1;

/** Only the test triggers work. The receiver of notifications is unavailable. */
export async function startRunbookFixture() {
  const demo = await startDemoProduct({
    // Upkeep runs at the start and recovers losses of the demo build.
    env: {
      NOTIFY_WEBHOOK_URL: 'http://127.0.0.1:9/',
      SYNC_ASK_AGAIN: '2s',
      RECONCILE_EVERY: NO_TIMER,
      OUTBOX_SWEEP_EVERY: `${ROUND_S}s`,
    },
  });
  const { product, admin, menuId: menuErpId } = demo;
  const { db, emulator } = product;
  const connection = Connection.lazy({ address: product.temporal.address });
  const client = new Client({ connection, namespace: product.temporal.namespace });
  const sql = <T extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
    db.query<T>(text, params);
  const one = async <T extends object = { id: number }>(
    text: string,
    params: unknown[] = [],
  ): Promise<T> => {
    const [row] = await sql<T>(text, params);
    if (row === undefined) throw new Error(`no row: ${text}`);
    return row;
  };
  const { id: connectionId } = await selectRow(db, 'connection', ['id']);
  const { id: externalMenuId } = await selectRow(db, 'mirror_external_menu', ['id'], {
    erpId: menuErpId,
  });
  const organization = await selectRow(
    db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id', limit: 1 },
  );
  const secrets = createSecretBox(readEnv(product.env).ENCRYPTION_KEYS);
  const temporal = { temporal: client, queues: QUEUES };
  const gifts = await giftDesk(
    { db, emulator, connectionId },
    { ...temporal, upkeep: temporal },
    secrets,
  );
  const running = {
    api: demo.api as RunningApi | null,
    worker: demo.worker as RunningWorker | null,
  };

  async function run(job: Job, mode?: string): Promise<Run> {
    const scope = job === 'MENU' ? menuErpId : String(connectionId);
    const body = { job, scope, ...(mode && { mode }) };
    const { runId } = await eventually(`${job} is not running`, async () => {
      const started = await admin.raw('POST', '/sync/run', body);
      return started.ok ? ((await started.json()) as { runId: number }) : undefined;
    });
    return eventually(`the end of ${job}`, async () => {
      const found = await admin.get<Run>(`/sync/runs/${runId}`);
      return found.status === 'RUNNING' ? undefined : found;
    });
  }

  const startOrder = (id: string) =>
    client.workflow.start('order', {
      workflowId: orderWorkflow.id({ orderId: id }),
      taskQueue: QUEUES.workflows,
      args: [{ orderId: id, queues: orderQueues(QUEUES) }],
      typedSearchAttributes: searchAttributes({ CarteCapability: 'ordering', CarteOrderId: id }),
    });

  const ended = async (type: string): Promise<number> =>
    (await client.workflow.count(`WorkflowType = "${type}" and ExecutionStatus = "Completed"`))
      .count;

  async function trigger(schedule: string, type: string): Promise<void> {
    const before = await ended(type);
    await client.schedule.getHandle(schedule).trigger();
    await eventually(`${schedule} has run`, async () =>
      (await ended(type)) > before ? true : undefined,
    );
  }

  async function perform(...steps: string[]): Promise<void> {
    await client.workflow
      .getHandle(upkeepWorkflow.id({}))
      .executeUpdate(upkeepNow, { args: [{ steps }] });
  }

  async function poll(job: PollJob): Promise<void> {
    await client.workflow
      .getHandle(pollingWorkflow.id({ connectionId }))
      .executeUpdate(pollNow, { args: [{ job }] });
  }

  async function deliver(): Promise<void> {
    const from = Date.now() / 1000;
    await eventually('a round of the relay has begun and ended since', async () => {
      const rounds = (await scrape(running.worker!.opsUrl)).filter(
        ({ name, labels }) =>
          name === 'carte_relay_success_timestamp_seconds' && labels['relay'] === 'outbox',
      );
      // The current round may have begun before the provocation.
      return rounds.some(({ value }) => value > from + ROUND_S) ? true : undefined;
    });
  }

  const staff = await admin.post<{ id: number }>('/users', {
    email: 'staff@carte.test',
    password: 'a member of staff',
    fullName: 'Staff',
    roles: ['VIEWER'],
  });
  // Calls that a product has received after some hours.
  const webhook = await fetch(`${demo.api.url}/api/webhooks/erp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: product.env['WEBHOOK_SECRET']! },
    body: JSON.stringify([
      {
        eventType: 'StopListUpdate',
        eventTime: '2031-02-03 08:15:02.117',
        organizationId: organization.erpId,
        correlationId: randomUUID(),
        eventInfo: { terminalGroupsStopListsUpdates: [{ id: randomUUID(), isFull: true }] },
      },
    ]),
  });
  if (!webhook.ok) throw new Error(`the webhook answered ${webhook.status}`);
  await Promise.all([
    trigger(`schedule/organizations/${connectionId}`, 'syncTick'),
    poll('ORDERS'),
    trigger(`schedule/gift-reconciliation/${connectionId}`, 'giftReconciliation'),
    deliver(),
  ]);

  const scrapeProcesses = async (
    processes: readonly ({ opsUrl: string } | null)[] = [running.api, running.worker],
  ): Promise<Scrape> => {
    const found = await Promise.all(
      processes.map(async (entry) => {
        if (entry === null) return [];
        const samples = await scrape(entry.opsUrl);
        return samples.map((sample) => ({
          ...sample,
          labels: { ...sample.labels, instance: entry.opsUrl },
        }));
      }),
    );
    return { samples: found.flat(), at: Date.now() / 1000 };
  };

  return {
    ...demo,
    scrape: scrapeProcesses,
    staffId: staff.id,
    calm: undefined as Scrape | undefined,
    db,
    emulator,
    client,
    temporal,
    secrets,
    gifts,
    desk: gifts.desk,
    connectionId,
    externalMenuId,
    organization,
    running,
    sql,
    one,
    run,
    startOrder,
    trigger,
    perform,
    poll,
    deliver,
    state: () => emulator.control<State>('state'),
    fault: (kind: string, more: object = {}) => emulator.control('fault', { kind, ...more }),
    tell: (orderId: string) =>
      client.workflow.getHandle(orderWorkflow.id({ orderId })).signal('erpStatusChanged'),
    async stop() {
      await connection.close();
      await product.stop();
    },
  };
}
