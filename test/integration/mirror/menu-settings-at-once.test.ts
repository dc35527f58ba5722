import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { endImportPause, pauseImport } from '../../../modules/mirror/pauses/import-pauses.ts';
import { buildMirror, STAFF } from '../../support/catalog-fixtures.ts';
import { aConnection } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';
import { selectRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('the second of two concurrent edits of the settings of a menu is a conflict', async () => {
  const { db } = database;
  const { menuId } = await buildMirror(db);
  const change = (priority: number) =>
    Promise.allSettled([updateExternalMenu({ db }, STAFF, menuId, { version: 1, priority })]);

  const audit = await holdTable(db, 'audit_entry');
  const first = change(5);
  await audit.waits(1);
  const second = change(6);
  await audit.waits(2);
  await audit.release();

  expect(await first).toMatchObject([{ status: 'fulfilled', value: { priority: 5, version: 2 } }]);
  expect(await second).toMatchObject([
    { status: 'rejected', reason: { kind: 'version-conflict' } },
  ]);
});

test('concurrent requests end a pause once', async () => {
  const { db } = database;
  const { id: connectionId } = await aConnection(db, 'secret-login');
  const pause = await pauseImport({ db }, STAFF, {
    connectionId,
    job: 'MENU',
    reason: 'the menu is wrong',
  });

  const audit = await holdTable(db, 'audit_entry');
  const ended = Promise.all([1, 2].map(() => endImportPause({ db }, STAFF, pause.id)));
  await audit.waits(2);
  await audit.release();
  await ended;

  const entries = await selectRows(db, 'audit_entry', '*', {
    entityType: 'import-pause',
    action: 'end',
  });
  expect(entries).toHaveLength(1);
});
