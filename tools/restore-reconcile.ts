import { parseArgs } from 'node:util';
import { openErpClient, wireProduct } from '../modules/wire-product.ts';
import { reconcileRestoration } from '../modules/ordering/restore/reconcile-restoration.ts';
import { openOwnDatabase, requireSchema } from '../modules/own-database.ts';
import { readEnv } from '../modules/env.ts';
import { requireKnownKey } from '../kernel/running-process.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { runOnce } from '../platform/run-once.ts';
import { StartFailure } from '../platform/start-failure.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { temporalServer } from '../platform/temporal-server.ts';

const USAGE =
  'Usage: npm run carte -- restore:reconcile --restored-to <moment>. The moment has an offset: 2026-11-28T09:30:00Z. ' +
  'Without it, an interrupted reconciliation continues.';

/** Minutes in which an order must reach the ERP. */
const SETTLE_MINUTES = '5';

/**
 * `npm run carte -- restore:reconcile`: updates a restored database with later changes of
 * Temporal and the ERP, and opens intake (OPS-97, ORD-112). Progress on stderr, report as JSON on
 * stdout. Exits with 1 if intake stays closed.
 */
async function main(): Promise<void> {
  const { restoredTo, settleMs } = readOptions(process.argv.slice(2));
  const env = readEnv(process.env);
  const log = createLog({ service: 'restore', level: env.LOG_LEVEL });
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 4,
    applicationName: 'carte-restore',
  });

  try {
    await requireSchema(db, log);
    await requireKnownKey(db, createSecretBox(env.ENCRYPTION_KEYS));
    const connected = await connectTemporal({
      ...temporalServer(env),
      identity: `restore#${process.pid}`,
    });

    const base = { env, log, metrics: createMetrics('restore'), db };
    const erp = openErpClient(base);

    try {
      const product = wireProduct({ ...base, temporal: connected.client, erp });
      const report = await reconcileRestoration(product, {
        restoredTo,
        settleMs,
        progress: (step, facts = {}) =>
          process.stderr.write(
            `${JSON.stringify({ at: new Date().toISOString(), step, ...facts })}\n`,
          ),
      });
      if (report === null) throw new StartFailure(`No restoration is in progress. ${USAGE}`);

      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    } finally {
      await erp.close();
      await connected.close();
    }
  } finally {
    await db.close();
  }
}

function readOptions(args: string[]): { restoredTo: Date | null; settleMs: number } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        'restored-to': { type: 'string' },
        'settle-minutes': { type: 'string', default: SETTLE_MINUTES },
      },
    });

    const text = values['restored-to'];
    const restoredTo =
      text === undefined ? null : new Date(Temporal.Instant.from(text).epochMilliseconds);
    const minutes = Number(values['settle-minutes']);
    if (!Number.isFinite(minutes) || minutes < 0)
      throw new RangeError('--settle-minutes is a number of minutes');
    if (restoredTo !== null && restoredTo.getTime() > Date.now())
      throw new RangeError('the moment is in the future');

    return { restoredTo, settleMs: minutes * 60_000 };
  } catch (error) {
    throw new StartFailure(`${(error as Error).message}. ${USAGE}`, { cause: error });
  }
}

await runOnce(main);
