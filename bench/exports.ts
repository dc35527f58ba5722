import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { exportText } from '../kernel/exports.ts';
import { exportOrders, ORDER_EXPORT } from '../modules/ordering/staff/export-orders.ts';
import { keepPersonal } from '../modules/access/customers/personal-data.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { aConnection } from '../test/support/connection.ts';
import { migratedDatabase } from '../test/support/database.ts';
import { inOwnerSession } from '../test/support/database-roles.ts';
import { insertOrders, insertOrganizations } from './support/many-orders.ts';
import { report } from './support/report.ts';

// `npm run carte -- bench exports`: a million orders as CSV and JSONL in this process, with guests.
// The yardstick is a COPY of the same rows by PostgreSQL.
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 1_000_000);
const LIMIT_MS = 60_000 * (ORDERS / 1_000_000);
const LIMIT_MB = 64;
const MB = 1_048_576;
/** Chunks after which the heap is measured, with and without garbage. */
const CHUNKS_PER_LOOK = 100;

const { db, close } = await migratedDatabase();
try {
  const secrets = createSecretBox([{ id: 'bench', key: Buffer.alloc(32, 7) }]);
  const { id: connectionId } = await aConnection(db, 'bench');
  const guest = { customer: { name: 'Анна', phone: '+79990001122' }, address: null, comment: null, lineComments: {} };
  // All orders share one record: reading and decrypting costs the same.
  const personalDataId = await db.transaction((tx) => keepPersonal(tx, { secrets }, 'ORDER', guest));
  await inOwnerSession(db, async (client) => {
    await client.query('set session_replication_role = replica');
    await insertOrganizations(client, connectionId);
    const from = `select at, $2::uuid as person from generate_series(1, ${ORDERS}) at`;
    await insertOrders(client, { connectionId, from }, [personalDataId]);
    await client.query('vacuum analyze customer_order');
    await client.query('checkpoint');
  });

  const columns =
    'id, number, state, accepted_at, due_at, subtotal_kopecks, discount_kopecks, total_kopecks, customer_id';
  const begun = performance.now();
  await inOwnerSession(db, async (client) => {
    await client.query(`copy (select ${columns} from customer_order order by accepted_at desc, id) to '/dev/null'`);
  });
  const yardstick = performance.now() - begun;

  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const warmUp = { mayFindPhones: true, scope: null, from: new Date(Date.now() - 30_000 * 10_000).toISOString() };
  const warmed = exportOrders({ db, secrets }, warmUp, true);
  for await (const _ of exportText(ORDER_EXPORT, warmed, { format: 'csv' }, { rows: 0 }));

  const rows = [];
  for (const format of ['csv', 'jsonl'] as const) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    let [live, withGarbage, bytes, chunks, pausedMs] = [0, 0, 0, 0, 0];
    const progress = { rows: 0 };
    const started = performance.now();
    const pages = exportOrders({ db, secrets }, { mayFindPhones: true, scope: null }, true);
    const stream = Readable.from(exportText(ORDER_EXPORT, pages, { format }, progress), { objectMode: false });
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length;
      chunks += 1;
      if (chunks % CHUNKS_PER_LOOK !== 0) continue;
      const paused = performance.now();
      withGarbage = Math.max(withGarbage, process.memoryUsage().heapUsed - before);
      collectGarbage();
      live = Math.max(live, process.memoryUsage().heapUsed - before);
      pausedMs += performance.now() - paused;
    }
    const ms = performance.now() - started - pausedMs;
    if (progress.rows !== ORDERS) throw new Error(`${progress.rows} of ${ORDERS} orders were exported`);
    rows.push({
      what: `${ORDERS.toLocaleString('en-US')} orders as ${format}, ${Math.round(bytes / MB)} MB`,
      measured: `${(ms / 1000).toFixed(1)} s, heap + ${Math.round(live / MB)} MB, ${Math.round(withGarbage / MB)} MB with garbage`,
      yardstick: `COPY ${(yardstick / 1000).toFixed(1)} s`,
      ratio: ms / yardstick,
      bar: `≤ ${LIMIT_MS / 1000} s, heap ≤ ${LIMIT_MB} MB`,
      reached: ms <= LIMIT_MS && live <= LIMIT_MB * MB,
    });
  }
  await report('exports', rows, { orders: ORDERS });
} finally {
  await close();
}
