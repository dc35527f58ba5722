import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { markAllDirty, markDirty } from '../../../../modules/menus/rebuilds/mark-dirty.ts';
import { buildMirror } from '../../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../../support/database.ts';
import { selectRows } from '../../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let organizationIds: number[];
beforeAll(async () => {
  database = await migratedDatabase();
  ({ organizationIds } = await buildMirror(database.db, { organizations: 5 }));
});
afterAll(() => database.close());

test('concurrent reasons, for some or all organizations, are all counted', async () => {
  const { db } = database;
  const marks = Array.from({ length: 12 }, (_, at) =>
    db.transaction((tx) =>
      at % 2 === 0
        ? markAllDirty(tx, 'category-create')
        : markDirty(
            tx,
            'menu-import',
            at % 4 === 1 ? organizationIds : organizationIds.toReversed(),
          ),
    ),
  );
  await Promise.all(marks);

  const rows = await selectRows(
    db,
    'snapshot_request',
    ['dirtySeq as seq'],
    {},
    { orderBy: 'organizationId' },
  );
  expect(rows).toEqual(organizationIds.map(() => ({ seq: 12 })));
});
