import { queuesWithPrefix } from '../kernel/pure/queues.ts';
import { WORKFLOW_QUEUES, WORKFLOWS } from '../modules/workflows.ts';
import { readEnv } from '../modules/env.ts';
import { createLog } from '../platform/log.ts';
import { describeStartFailure } from '../platform/start-failure.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { TEMPORAL_SERVER, temporalServer } from '../platform/temporal-server.ts';
import { replayLive } from './live-histories.ts';
import { installRuntime } from './temporal-workers.ts';
import { workflowBundle } from './workflow-bundle.ts';

const NEEDED = ['NODE_ENV', ...TEMPORAL_SERVER, 'TEMPORAL_QUEUE_PREFIX', 'CARTE_DATA_DIR'] as const;
/** Executions per type: enough to cover every branch within minutes. */
const MOST = { open: 500, ended: 50 };

/**
 * `npm run replay:live`, before a release: replays live executions with these workflows. Prints
 * those that would stop, and exits with 1.
 */
async function main(): Promise<void> {
  const env = readEnv(process.env, NEEDED);
  // Rejections are printed below.
  installRuntime(createLog({ service: 'replay', level: 'silent' }));
  const connected = await connectTemporal({
    ...temporalServer(env),
    identity: `replay-live#${process.pid}`,
  });

  try {
    const bundle = await workflowBundle(
      env.CARTE_DATA_DIR,
      createLog({ service: 'replay', level: 'warn' }),
    );

    const { replayed, refusals } = await replayLive(connected.client, bundle, {
      taskQueues: WORKFLOW_QUEUES.map(
        (queue) => queuesWithPrefix(env.TEMPORAL_QUEUE_PREFIX)[queue],
      ),
      types: WORKFLOWS.map(({ type }) => type),
      ...MOST,
    });

    process.stdout.write(`${JSON.stringify({ replayed })}\n`);
    for (const refusal of refusals) process.stdout.write(`${JSON.stringify(refusal)}\n`);
    if (refusals.length === 0) return;
    process.stderr.write(
      `${refusals.length} executions would be blocked by these workflows: do not release them.\n`,
    );
    process.exitCode = 1;
  } finally {
    await connected.close();
  }
}

try {
  await main();
  process.exit();
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}
