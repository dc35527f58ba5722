import { applySchedules } from '../modules/mirror/schedules/apply-schedules.ts';
import { queuesWithPrefix } from '../kernel/pure/queues.ts';
import { openOwnDatabase } from '../modules/own-database.ts';
import { readEnv } from '../modules/env.ts';
import { prepareTemporal } from '../platform/prepare-temporal.ts';
import { runOnce } from '../platform/run-once.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { TEMPORAL_SERVER, temporalServer } from '../platform/temporal-server.ts';
import { schedulePlan } from '../modules/schedules.ts';

const NEEDED = [
  'NODE_ENV',
  'DATABASE_URL',
  ...TEMPORAL_SERVER,
  'TEMPORAL_RETENTION',
  'TEMPORAL_QUEUE_PREFIX',
  'SYNC_LISTS_EVERY',
  'SYNC_MENU_EVERY',
  'SYNC_STOP_LIST_EVERY',
  'SYNC_MENU_FULL_AT',
  'SYNC_TIME_ZONE',
  'SYNC_ASYNC_POLL',
  'SYNC_ASYNC_LIMIT',
  'SYNC_HEARTBEAT',
  'SYNC_RUN_LIMIT',
  'SYNC_ASK_AGAIN',
  'GIFTS_COMPARED_AT',
  'ORDER_WATCH_EVERY',
  'MEDIA_SWEEP_EVERY',
] as const;

async function main(): Promise<void> {
  const env = readEnv(process.env, NEEDED);
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 1,
    applicationName: 'carte-schedules',
  });

  try {
    const connected = await connectTemporal({
      ...temporalServer(env),
      identity: `schedules-apply#${process.pid}`,
    });

    try {
      const queues = queuesWithPrefix(env.TEMPORAL_QUEUE_PREFIX);
      const temporal = connected.client;
      await prepareTemporal(temporal.connection, {
        namespace: env.TEMPORAL_NAMESPACE,
        retentionMs: env.TEMPORAL_RETENTION,
      });

      const result = await applySchedules({ db, temporal, queues, plan: schedulePlan(env) });
      process.stdout.write(`Schedules: ${JSON.stringify(result)}\n`);
    } finally {
      await connected.close();
    }
  } finally {
    await db.close();
  }
}

await runOnce(main);
