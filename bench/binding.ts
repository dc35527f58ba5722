import { evaluateBindings } from '../modules/binding/evaluate-bindings.ts';
import { bindingDeps } from '../test/support/bindings.ts';
import { migratedDatabase } from '../test/support/database.ts';
import { countingDatabase, manyVariants } from '../test/support/many-variants.ts';
import { median, report, type Row } from './support/report.ts';

// `npm run carte -- bench binding`: one evaluation of 20,000 variants (10 organizations) in this
// process: when nothing has happened, when a tenth has vanished and a tenth was renamed, and when
// all that vanished returns. The yardstick is a read of the same rows by one statement.
const VARIANTS = 20_000;
const ORGANIZATIONS = 10;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const LIMIT_S = 3;

const { db, close } = await migratedDatabase();
try {
  const world = await manyVariants(db, { variants: VARIANTS, organizations: ORGANIZATIONS });
  const evaluate = async () => {
    const counting = countingDatabase(db);
    const begun = performance.now();
    const evaluated = await evaluateBindings({ ...bindingDeps(db), db: counting.db }, { runId: null });
    return { seconds: (performance.now() - begun) / 1000, statements: counting.statements(), evaluated };
  };
  const first = await evaluate();
  const quiet = [];
  for (let round = 0; round < ROUNDS; round += 1) quiet.push(await evaluate());
  await world.change({ vanished: VARIANTS / 10, renamed: VARIANTS / 10, replaced: VARIANTS / 20 });
  const eventful = await evaluate();
  const after = await evaluate();
  await world.bringBack();
  const returned = await evaluate();
  const reads: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) reads.push(await plainRead());
  const yardstick = median(reads);

  const row = (what: string, { seconds, statements }: { seconds: number; statements: number }): Row => ({
    what: `${what} (${statements} statements)`,
    measured: `${seconds.toFixed(2)} s`,
    yardstick: `one read of the rows ${yardstick.toFixed(2)} s`,
    ratio: seconds / yardstick,
    bar: `≤ ${LIMIT_S} s`,
    reached: seconds <= LIMIT_S,
  });
  const rows = [
    row('first, every variant is written', first),
    row('nothing has happened', quiet.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(ROUNDS / 2)]!),
    row('a tenth vanished, a tenth renamed', eventful),
    row('the evaluation after it', after),
    row('all that vanished returns', returned),
  ];
  await report('binding', rows, {
    variants: VARIANTS,
    organizations: ORGANIZATIONS,
    first,
    quiet,
    eventful,
    after,
    returned,
    reads,
  });
} finally {
  await close();
}

/** Variants, sizes, items and lowest prices in one statement: what no evaluation can do without. */
async function plainRead(): Promise<number> {
  const begun = performance.now();
  await db.query(
    `select variant.*, item.*, price.lowest from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id
       left join (select item_size_id, min(price_kopecks) as lowest from mirror_price group by 1) price on price.item_size_id = size.id`,
  );
  return (performance.now() - begun) / 1000;
}
