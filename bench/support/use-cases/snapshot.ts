import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import { encode } from '../../../modules/menus/snapshot/encode.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { migratedDatabase } from '../../../test/support/database.ts';
import { menuRows } from '../../../test/support/menu-rows.ts';
import { median, type Row } from '../report.ts';
import { thousandProducts } from '../thousand-products.ts';
import { asOwner } from '../../../test/support/database-roles.ts';
import { deleteRows, selectRow, updateRows } from '../../../test/support/rows.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);

type Outcome = { outcome: string };
const OUTCOMES = { build: 'PUBLISHED', unchanged: 'UNCHANGED', patch: 'PATCHED' } as const;

/**
 * Measures the build and the stop-list patch of a menu of 1,000 products. Baseline: compressing and
 * writing the same bytes.
 */
export async function measureSnapshot(): Promise<Row[]> {
  const database = await migratedDatabase();
  try {
    const { db } = database;
    const deps: SnapshotDeps = {
      db,
      log: createLog({ service: 'bench', level: 'error' }),
      metrics: createMetrics('bench'),
    };

    const rows = menuRows(db);
    const { organizationId, dishes } = await thousandProducts(db, rows);
    await buildSnapshot(deps, organizationId);
    await asOwner(
      db,
      'create table bench_bytes (id int primary key, identity bytea, gzip bytea, br bytea); grant all on bench_bytes to public',
    );

    await db.query('insert into bench_bytes (id) values (1)');
    const stored = await selectRow(db, 'snapshot', ['payload'], { organizationId });
    const text = stored.payload.toString('utf8');
    const dish = dishes[0]!;

    const change = (round: number) =>
      updateRows(db, 'mirror_price', { priceKopecks: 10_000 + round }, { itemSizeId: dish.sizeId });
    const toggle = (round: number) =>
      round % 2 === 0 ? rows.stop(organizationId, dish.erpId) : deleteRows(db, 'mirror_stop_list');
    const build = () => buildSnapshot(deps, organizationId);
    const patch = () => patchAvailability(deps, organizationId);
    const measured: Record<keyof typeof OUTCOMES | 'bytes', number[]> = {
      build: [],
      unchanged: [],
      patch: [],
      bytes: [],
    };

    const timed = async (what: keyof typeof OUTCOMES, work: () => Promise<Outcome>) => {
      const { ms, result } = await time(work);
      if (result.outcome !== OUTCOMES[what]) throw new Error(`${what} ended as ${result.outcome}`);
      measured[what].push(ms);
    };

    for (let round = 0; round < ROUNDS + 2; round += 1) {
      await change(round);
      await timed('build', build);
      await timed('unchanged', build);
      await toggle(round);
      await timed('patch', patch);
      measured.bytes.push((await time(() => writeBytes(text))).ms);
    }

    // The first rounds warm up.
    const of = (what: keyof typeof measured) => measured[what].slice(2);
    const yardstick = median(of('bytes'));
    const row = (what: string, values: number[], most: number): Row => ({
      what,
      measured: `median ${median(values).toFixed(0)} ms, least ${Math.min(...values).toFixed(0)}, most ${Math.max(...values).toFixed(0)}`,
      yardstick: `compress and write ${yardstick.toFixed(0)} ms`,
      ratio: median(values) / yardstick,
      bar: `≤ ${most} ms`,
      reached: median(values) <= most,
    });

    console.log(
      `${dishes.length} products, menu of ${stored.payload.length} bytes, ${ROUNDS} rounds`,
    );
    return [
      row('build, other content', of('build'), 500),
      row('build, equal content', of('unchanged'), 500),
      row('stop-list patch', of('patch'), 50),
    ];

    async function writeBytes(menu: string): Promise<void> {
      const { identity, gzip, br } = await encode(menu);
      await db.transaction((tx) =>
        tx.query('update bench_bytes set identity = $1, gzip = $2, br = $3', [identity, gzip, br]),
      );
    }
  } finally {
    await database.close();
  }
}

async function time<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const begun = performance.now();
  const result = await work();
  return { ms: performance.now() - begun, result };
}
