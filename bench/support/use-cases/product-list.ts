import {
  listProducts,
  PRODUCT_SORT_FIELDS,
  type ProductFilter,
  type ProductQuery,
} from '../../../modules/catalog/products/list-products.ts';
import { migratedDatabase } from '../../../test/support/database.ts';
import { menuRows } from '../../../test/support/menu-rows.ts';
import { median, type Row } from '../report.ts';
import { manyProducts } from '../ten-thousand-products.ts';
import { PRODUCT_ISSUES } from '../../../modules/product-issues.ts';
import { above, selectRows } from '../../../test/support/rows.ts';

const PRODUCTS = 10_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const LIMIT_MS = 50;
const SIZE = 50;

/**
 * Measures the admin list of 10,000 products with every filter, combination and order. Baseline:
 * one page by primary key.
 */
export async function measureProductList(): Promise<Row[]> {
  const { db, close } = await migratedDatabase();
  try {
    const { categoryIds, badgeIds, organizationIds } = await manyProducts(
      db,
      menuRows(db),
      PRODUCTS,
    );

    const values: Required<{
      [F in keyof ProductFilter]: readonly NonNullable<ProductFilter[F]>[];
    }> = {
      q: ['пицца', 'и', 'product-99', 'нет такого'],
      categoryId: [categoryIds[3]!],
      status: ['PUBLISHED', 'DRAFT'],
      hasImage: [true, false],
      hasVariants: [true, false],
      badgeId: [badgeIds[1]!],
      organizationId: [organizationIds[2]!],
      erpIssue: [true, false],
      updatedSince: ['2026-01-01T00:00:00Z'],
    };

    const filters = Object.keys(values) as (keyof ProductFilter)[];
    const pickOne = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
    /** The filters whose bit is set, each with a value. */
    const combination = (bits: number, turn: number): ProductFilter =>
      Object.fromEntries(
        filters
          .filter((_, at) => (bits & (1 << at)) !== 0)
          .map((name) => [name, pickOne<unknown>(values[name], turn)]),
      );

    const times = new Map<string, number[]>();
    const yardsticks: number[] = [];
    const measure = async (what: string, query: ProductQuery) => {
      const begun = performance.now();
      await listProducts(db, query, PRODUCT_ISSUES);
      const taken = performance.now() - begun;
      times.set(what, [...(times.get(what) ?? []), taken]);
      const plain = performance.now();
      await selectRows(
        db,
        'catalog_product',
        '*',
        { id: above(PRODUCTS / 2) },
        { orderBy: 'id', limit: SIZE },
      );

      yardsticks.push(performance.now() - plain);
    };

    const page = { limit: SIZE, offset: 0, sort: [] };
    await listProducts(db, page, PRODUCT_ISSUES);

    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of filters)
        for (const value of values[name]) await measure(`${name}`, { ...page, [name]: value });
      for (let bits = 0; bits < 1 << filters.length; bits += 1)
        await measure('any combination', { ...page, ...combination(bits, bits + round) });

      for (const field of PRODUCT_SORT_FIELDS)
        for (const direction of ['asc', 'desc'] as const)
          await measure('no filter, any order', { ...page, sort: [{ field, direction }] });
      await measure('no filter, last page', { ...page, offset: PRODUCTS - SIZE });
    }

    const yardstick = median(yardsticks);
    const p95 = (list: readonly number[]) =>
      list.toSorted((a, b) => a - b)[Math.ceil(list.length * 0.95) - 1]!;
    const row = (what: string, list: readonly number[]): Row => ({
      what: `${what} (${list.length} queries)`,
      measured: `p95 ${p95(list).toFixed(1)} ms, median ${median(list).toFixed(1)} ms`,
      yardstick: `page by primary key ${yardstick.toFixed(2)} ms`,
      ratio: median(list) / yardstick,
      bar: `p95 ≤ ${LIMIT_MS} ms`,
      reached: p95(list) <= LIMIT_MS,
    });

    const rows = [...times].map(([what, list]) => row(what, list));

    return [...rows, row('all of them', [...times.values()].flat())];
  } finally {
    await close();
  }
}
