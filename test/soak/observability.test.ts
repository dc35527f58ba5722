import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { JOBS } from '../../modules/mirror/rules/jobs.ts';
import { QUEUES } from '../../kernel/pure/queues.ts';
import { freeLowPort } from '../../tools/ports.ts';
import { connectTemporal } from '../../platform/temporal.ts';
import { documentedMetrics } from '../../packages/dev/generate/metrics.ts';
import type { AdminClient } from '../support/admin-client.ts';
import { scrape, type Sample } from '../support/metrics-text.ts';
import {
  prepareProduct,
  type Product,
  type RunningApi,
  type RunningWorker,
} from '../support/product.ts';
import { migratedDatabase } from '../support/database.ts';
import { eventually, startEntry } from '../support/processes.ts';
import { selectRows, updateRows } from '../support/rows.ts';

let product: Product;
let worker: RunningWorker;
let api: RunningApi;
let admin: AdminClient;
beforeAll(async () => {
  product = await prepareProduct();
  [worker, api] = await Promise.all([product.startWorker(), product.startApi()]);
  admin = await product.signIn(api);
  const franchisee = await admin.post<{ id: number }>('/franchisees', { name: 'Franchisee' });
  const entity = await admin.post<{ id: number }>('/legal-entities', {
    franchiseeId: franchisee.id,
    name: 'Entity',
  });
  await admin.post('/connections', {
    legalEntityId: entity.id,
    name: 'Account',
    apiLogin: product.emulator.apiLogin,
  });
  await eventually('every job has succeeded', async () => {
    const rows = await product.db.db
      .selectFrom('sync_run')
      .where('status', '=', 'SUCCESS')
      .select('job')
      .distinct()
      .execute();
    return rows.length === JOBS.length ? rows : undefined;
  });
});
afterAll(async () => product?.stop());

/** `name{label,…}` of a sample without the labels that every series has. */
const shape = ({ name, labels }: Sample): string => {
  const names = Object.keys(labels).filter((label) => label !== 'service' && label !== 'le');
  return `${name.replace(/_(bucket|sum|count)$/, '')}${names.length === 0 ? '' : `{${names.toSorted().join(',')}}`}`;
};
const listShapes = (samples: Sample[]) =>
  [...new Set(samples.filter(({ name }) => /^(erp|carte)_/.test(name)).map(shape))].toSorted();

describe('/metrics of real processes', () => {
  test('[OPS-5] show the four metrics of imports with names and labels in the importing worker', async () => {
    const samples = await scrape(worker.opsUrl);
    const words = (name: string, label: string) =>
      [
        ...new Set(
          samples.filter((sample) => sample.name === name).map(({ labels }) => labels[label] ?? ''),
        ),
      ].toSorted();

    expect(
      listShapes(samples).filter(
        (text) => text.startsWith('erp_') && !text.startsWith('erp_circuit'),
      ),
    ).toEqual([
      'erp_http_requests_total{endpoint,status}',
      'erp_last_success_timestamp{job}',
      'erp_sync_duration_seconds{job}',
      'erp_sync_items_total{action,job}',
    ]);
    expect(words('erp_last_success_timestamp', 'job')).toEqual(JOBS.toSorted());
    expect(words('erp_sync_duration_seconds_count', 'job')).toEqual(JOBS.toSorted());
    expect(words('erp_sync_items_total', 'action')).toEqual(
      expect.arrayContaining(['created', 'deleted', 'updated']),
    );
    expect(words('erp_http_requests_total', 'status')).toEqual(['200']);
    expect(words('erp_http_requests_total', 'endpoint')).toContain('/api/menu/v3/by_id');
  });

  test("[OPS-47] show what Temporal's SDK counts in a worker", async () => {
    const ofSdk = (await scrape(worker.opsUrl)).filter(({ name }) => name.startsWith('temporal_'));
    const slots = ofSdk.filter(({ name }) => name === 'temporal_worker_task_slots_available');

    expect(slots.map(({ labels }) => labels['task_queue'])).toEqual(
      expect.arrayContaining(Object.values(QUEUES)),
    );
    expect(ofSdk.some(({ name }) => name === 'temporal_sticky_cache_size')).toBe(true);
    expect((await scrape(api.opsUrl)).filter(({ name }) => name.startsWith('temporal_'))).toEqual(
      [],
    );
  });

  test('[OPS-60] list an API and a worker with the ids of their keys', async () => {
    const rows = await selectRows(
      product.db,
      'running_process',
      ['name', 'keyIds as keys'],
      {},
      { orderBy: 'name' },
    );

    expect(rows).toEqual([
      { name: expect.stringMatching(/^api@.+#\d+$/), keys: ['test@row'] },
      { name: expect.stringMatching(/^worker-all@.+#\d+$/), keys: ['test@row'] },
    ]);
  });

  test('[MIR-50] a worker of another installation ends before it takes a task', async () => {
    const other = await migratedDatabase();
    // Test databases are copies with the same installation id.
    await updateRows(other.db, 'mirror_reconciled', { installationId: randomUUID() });
    const stranger = startEntry('stranger', 'workers/main.ts', ['order'], {
      ...product.env,
      DATABASE_URL: other.url,
      OPS_PORT: String(await freeLowPort()),
    });
    const code = await stranger.exited;
    await other.close();
    const temporal = await connectTemporal({ ...product.temporal, identity: 'observability-test' });
    const { pollers } = await temporal.client.workflowService.describeTaskQueue({
      namespace: product.temporal.namespace,
      taskQueue: { name: QUEUES.order },
      // Pollers of activities in the last minutes.
      taskQueueType: 2,
    });
    await temporal.close();

    expect(code).toBe(1);
    expect(stranger.output()).toMatch(
      /^The namespace "[^"]+" of Temporal belongs to another installation/m,
    );
    expect([...new Set(pollers?.map(({ identity }) => identity))]).toEqual([
      expect.stringMatching(/^worker-all@/),
    ]);
  });

  test('show what waits in every process, and every metric is documented', async () => {
    const documented = documentedMetrics().map(
      ({ name, labels }) =>
        `${name}${labels.length === 0 ? '' : `{${labels.toSorted().join(',')}}`}`,
    );
    const STATE = [
      'carte_erp_circuit_state{connection,group}',
      'carte_imports_paused',
      'carte_incidents_open{severity}',
      'carte_notification_oldest_unsent_seconds',
      'carte_notifications_unsent{state}',
      'carte_outbox_oldest_pending_seconds',
      'carte_outbox_pending',
      'carte_snapshot_dirty',
      'carte_snapshot_oldest_dirty_seconds',
      'carte_state_up',
      'carte_stop_list_oldest_dirty_seconds',
      'carte_sync_oldest_running_seconds',
      'carte_task_queue_backlog{queue,type}',
      'carte_task_queue_oldest_seconds{queue,type}',
      'carte_webhook_oldest_pending_seconds',
      'carte_webhook_pending',
      'erp_last_success_timestamp{job}',
    ];
    for (const { opsUrl } of [worker, api]) {
      const samples = await scrape(opsUrl);
      const shapes = listShapes(samples);
      // Metrics of Node.js about the process.
      expect(samples.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['nodejs_eventloop_lag_seconds', 'process_resident_memory_bytes']),
      );
      expect(shapes).toEqual(expect.arrayContaining(STATE));
      expect(shapes.filter((text) => !documented.includes(text))).toEqual([]);
    }
  });

  test('[OPS-5] show the correct last success in idle processes and in new ones', async () => {
    const read = async (opsUrl: string): Promise<Record<string, number>> =>
      Object.fromEntries(
        (await scrape(opsUrl))
          .filter(({ name }) => name === 'erp_last_success_timestamp')
          .map(({ labels, value }) => [labels['job'], value]),
      );
    const [fromWorker, fromApi] = [await read(worker.opsUrl), await read(api.opsUrl)];
    await worker.stop();
    worker = await product.startWorker({}, 'order');
    const restarted = await read(worker.opsUrl);

    expect(Object.keys(fromWorker)).toHaveLength(JOBS.length);
    // The values may differ, because a schedule may have run a job meanwhile.
    for (const [job, at] of Object.entries(fromWorker)) {
      expect(fromApi[job]).toBeGreaterThanOrEqual(at);
      expect(restarted[job]).toBeGreaterThanOrEqual(at);
    }
  });

  test('contain no secret and no id of a connection, an organization or an item', async () => {
    const text = (
      await Promise.all(
        [worker, api].map(async ({ opsUrl }) => (await fetch(`${opsUrl}/metrics`)).text()),
      )
    ).join();
    const ids = await selectRows(product.db, 'mirror_organization', ['erpId as id']);

    expect(ids.length).toBeGreaterThan(0);
    for (const secret of [
      product.emulator.apiLogin,
      product.administrator.password,
      product.env['WEBHOOK_SECRET']!,
    ])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/eyJ[\w-]{5,}\.|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/);
  });
});
