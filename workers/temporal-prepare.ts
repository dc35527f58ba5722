import { readEnv } from '../modules/env.ts';
import { prepareTemporal } from '../platform/prepare-temporal.ts';
import { runOnce } from '../platform/run-once.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { TEMPORAL_SERVER, temporalServer } from '../platform/temporal-server.ts';

const NEEDED = ['NODE_ENV', ...TEMPORAL_SERVER, 'TEMPORAL_RETENTION'] as const;

/** `npm run temporal:prepare`: creates a missing namespace and search attributes. */
async function main(): Promise<void> {
  const env = readEnv(process.env, NEEDED);
  const namespace = env.TEMPORAL_NAMESPACE;
  const connected = await connectTemporal({
    ...temporalServer(env),
    identity: `temporal-prepare#${process.pid}`,
  });

  try {
    const done = await prepareTemporal(connected.client.connection, {
      namespace,
      retentionMs: env.TEMPORAL_RETENTION,
    });

    process.stdout.write(`Temporal, namespace "${namespace}": ${JSON.stringify(done)}\n`);
  } finally {
    await connected.close();
  }
}

await runOnce(main);
