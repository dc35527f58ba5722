import { updateExecution } from '../modules/update-execution.ts';
import { openOwnDatabase } from '../modules/own-database.ts';
import { readEnv } from '../modules/env.ts';
import { isProblem } from '../kernel/problem.ts';
import { queuesWithPrefix } from '../kernel/pure/queues.ts';
import { runOnce } from '../platform/run-once.ts';
import { StartFailure } from '../platform/start-failure.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { TEMPORAL_SERVER, temporalServer } from '../platform/temporal-server.ts';

const USAGE =
  "Usage: npm run carte -- temporal:update <workflow id> <update> '<input>'. " +
  `Example: temporal:update incident/17 dismiss '{"by": "Anna", "note": "No longer on the menu"}'`;

const NEEDED = ['NODE_ENV', 'DATABASE_URL', ...TEMPORAL_SERVER, 'TEMPORAL_QUEUE_PREFIX'] as const;

/**
 * `npm run carte -- temporal:update`: sends an update to an execution, starting it if needed, and
 * prints the result as JSON (rule OPS-186). Exits with 1 and the reason if rejected.
 */
async function main(): Promise<void> {
  const { workflowId, request } = readArguments(process.argv.slice(2));
  const env = readEnv(process.env, NEEDED);
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 1,
    applicationName: 'carte-update',
  });

  try {
    const connected = await connectTemporal({
      ...temporalServer(env),
      identity: `temporal-update#${process.pid}`,
    });

    const queues = queuesWithPrefix(env.TEMPORAL_QUEUE_PREFIX);

    try {
      const result = await updateExecution(
        { db, temporal: connected.client, queues },
        workflowId,
        request,
      );

      process.stdout.write(`${JSON.stringify(result)}\n`);
    } catch (error) {
      throw toRejection(error);
    } finally {
      await connected.close();
    }
  } finally {
    await db.close();
  }
}

function readArguments([workflowId, update, input, ...more]: string[]) {
  if (workflowId === undefined || update === undefined || input === undefined || more.length > 0)
    throw new StartFailure(USAGE);
  try {
    return { workflowId, request: { update, input: JSON.parse(input) as unknown } };
  } catch (cause) {
    throw new StartFailure(`The input is not JSON. ${USAGE}`, { cause });
  }
}

/** Returns the reason for the terminal; other errors stay. */
function toRejection(error: unknown): unknown {
  if (isProblem(error)) return new StartFailure(error.message, { cause: error });
  if (!(error instanceof Error) || error.name !== 'WorkflowUpdateFailedError') return error;
  const { cause } = error;
  return new StartFailure(cause instanceof Error ? cause.message : error.message, { cause: error });
}

await runOnce(main);
