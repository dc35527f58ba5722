import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readModifiers } from '../../../modules/menus/offers/read-offers.ts';
import { migratedDatabase } from '../../support/database.ts';
import { asOwner } from '../../support/database-roles.ts';
import { manyVariants } from '../../support/many-variants.ts';
import { selectRow, selectRows } from '../../support/rows.ts';

const SIZES = 400;
const GROUPS_OF_SIZE = 3;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let sizeIds: number[];
let organizationId: number;
beforeAll(async () => {
  database = await migratedDatabase();
  const { db } = database;
  await manyVariants(db, { variants: SIZES, organizations: 1 });
  await db.query(
    `insert into mirror_modifier_group (external_menu_id, item_size_id, group_key, name, position, min_quantity, max_quantity,
                                        free_quantity, default_quantity, synchronized_run)
     select external_menu_id, item_size_id, 'group-' || at, 'Добавки', at, 0, 1, 0, 0, 1
       from mirror_size_menu, generate_series(1, $1::int) as at`,
    [GROUPS_OF_SIZE],
  );
  // Simulates the state after the first import, before the database has analyzed the tables.
  for (const table of [
    'mirror_modifier_group',
    'mirror_item_size',
    'mirror_size_menu',
    'mirror_price',
  ])
    await asOwner(db, `select pg_clear_relation_stats('public', $1)`, [table]);
  sizeIds = (await selectRows(db, 'mirror_item_size', ['id'], {}, { orderBy: 'id' })).map(
    ({ id }) => id,
  );
  organizationId = (await selectRow(db, 'mirror_organization', ['id'])).id;
});
afterAll(() => database.close());

test('[SNP-48] the reading of sizes finds modifier groups in one statement, also before statistics exist', async () => {
  const { found, scans } = await database.db.transaction(async (tx) => {
    const scansOfSizes = async () => {
      const [seen] = await tx.query<{ scans: number }>(
        `select coalesce(sum(seq_scan + idx_scan), 0)::int as scans from pg_stat_xact_user_tables where relname = 'mirror_item_size'`,
      );
      return seen!.scans;
    };
    const before = await scansOfSizes();
    const { groups } = await readModifiers(tx, organizationId, sizeIds);
    return { found: groups.length, scans: (await scansOfSizes()) - before };
  });

  expect(found).toBe(SIZES * GROUPS_OF_SIZE);
  // An index scan with a list counts each value.
  expect(scans).toBeLessThanOrEqual(SIZES);
});
