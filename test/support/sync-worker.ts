import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { type UpkeepDeps } from '../../activities/upkeep.ts';
import { wireProduct, type Product } from '../../modules/wire-product.ts';
import type { OutboxDelivery } from '../../kernel/events/outbox-delivery.ts';
import type { ScheduleDeps } from '../../modules/mirror/schedules/apply-schedules.ts';
import { type Queues } from '../../kernel/pure/queues.ts';
import { readEnv } from '../../modules/env.ts';
import { createLog } from '../../platform/log.ts';
import { localMediaStore } from '../../platform/media-store-disk.ts';
import { connectTemporal } from '../../platform/temporal.ts';
import type { Role } from '../../workers/roles.ts';
import { createActivities } from '../../workers/activities.ts';
import { startWorkers, type QueueActivities } from '../../workers/temporal-workers.ts';
import type { Version } from '../../workers/versions.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import type { TestFixture } from './mirror.ts';
import { NO_TIMER, QUIET_SCHEDULES } from './quiet-schedules.ts';
import { testCache } from './temporary-folder.ts';
import { temporalRuntime } from './temporal-runtime.ts';
import { testTemporal } from './temporal.ts';

/** Polls and heartbeats take milliseconds. */
const ENV = readEnv(
  {
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused/unused',
    ERP_URL: 'http://127.0.0.1:1',
    ENCRYPTION_KEYS: `test@row:${Buffer.alloc(32, 7).toString('base64')}`,
    SHUTDOWN_GRACE: '8s',
    ...QUIET_SCHEDULES,
    SNAPSHOT_DEBOUNCE: '50ms',
    SNAPSHOT_DEBOUNCE_MAX: '500ms',
    SYNC_ASYNC_POLL: '50ms',
    SYNC_ASYNC_LIMIT: '8s',
    SYNC_HEARTBEAT: '2s',
    SYNC_ASK_AGAIN: '200ms',
    OUTBOX_SWEEP_EVERY: NO_TIMER,
    RECONCILE_EVERY: NO_TIMER,
  },
  undefined,
);

const log = createLog({ service: 'test', level: 'silent' });

export type SyncWorker = {
  temporal: Client;
  address: string;
  namespace: string;
  queues: Queues;
  upkeep: UpkeepDeps;
  product: Product;
  /** Delivers events on demand. Running workers also deliver. */
  delivery: OutboxDelivery;
  schedules: ScheduleDeps;
  env: typeof ENV;
  bundle: string;
  activities: QueueActivities;
  /** Starts workers of all roles (or of `role`). `override` replaces single activities. */
  start(
    override?: Partial<Record<keyof QueueActivities, object>>,
    options?: { delivers?: boolean; bundle?: string; role?: Role; versions?: readonly Version[] },
  ): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
};

/** Retries an event whose first attempt met a busy Temporal, as in production. */
const SWEEP_MS = 2_000;
const sweepOutbox = (delivery: OutboxDelivery): void =>
  void delivery
    .deliver()
    .catch((error: unknown) => log.warn({ err: error }, 'the outbox was not swept'));

export async function syncWorker(
  fixture: TestFixture,
  server?: { address: string; namespace: string },
  settings: Partial<typeof ENV> = {},
): Promise<SyncWorker> {
  const env = { ...ENV, ...settings };
  const own = server === undefined ? await testTemporal() : undefined;
  const { address, namespace } = server ?? own!;
  temporalRuntime();
  const connected = await connectTemporal({ address, namespace, identity: 'test' });
  const temporal = connected.client;
  const { db, metrics } = fixture;
  const product = wireProduct({ env, log, metrics, db, temporal, erp: fixture.deps.erp });
  const { queues, delivery } = product;
  const activities = createActivities(product, {
    failpoint: fixture.deps.failpoint,
    // A missing folder is a store without files.
    mediaStore: async () => localMediaStore(join(testCache, 'no-media')),
    channels: [],
  });
  const bundle = await workflowBundle(testCache, log);

  return {
    temporal,
    address,
    namespace,
    queues,
    upkeep: product,
    product,
    delivery,
    schedules: product,
    env,
    bundle,
    activities,
    async start(
      override = {},
      { delivers = true, bundle: workflows = bundle, role = 'all', versions = [] } = {},
    ) {
      if (delivers) delivery.start();
      const sweep = delivers ? setInterval(sweepOutbox, SWEEP_MS, delivery) : undefined;
      const workers = await startWorkers({
        role,
        env: { ...env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
        identity: 'test',
        queues,
        bundle: workflows,
        metrics,
        versions,
        activities: {
          workflows: { ...activities.workflows, ...override.workflows },
          build: { ...activities.build, ...override.build },
          import: { ...activities.import, ...override.import },
          poll: { ...activities.poll, ...override.poll },
          menuPoll: { ...activities.menuPoll, ...override.menuPoll },
          erp: { ...activities.erp, ...override.erp },
          order: { ...activities.order, ...override.order },
          send: { ...activities.send, ...override.send },
          webhooks: { ...activities.webhooks, ...override.webhooks },
        },
      });
      return {
        async stop() {
          clearInterval(sweep);
          await workers.stop();
          await delivery.stop();
        },
      };
    },
    async close() {
      await connected.close();
      await own?.stop();
    },
  };
}
