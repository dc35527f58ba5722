import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setFranchiseeActive } from '../../../modules/connections/franchise/franchisees.ts';
import { aConnection, testActor } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

type Menu = {
  priority?: number;
  isEnabled?: boolean;
  organizationIds?: number[];
  inactive?: boolean;
  withdrawn?: boolean;
};

/** A connection with two organizations, the second missing in the ERP's list. */
async function fixture(...menus: Menu[]) {
  const { db } = database.db;
  const { id: connectionId, legalEntityId } = await aConnection(database.db, randomUUID());
  const ago = new Date(Date.now() - 60_000);
  const organizations = await db
    .insertInto('mirror_organization')
    .values(
      [null, ago].map((inactiveAt) => ({
        connectionId,
        erpId: randomUUID(),
        name: 'Organization',
        raw: '{}',
        synchronizedAt: ago,
        inactiveAt,
      })),
    )
    .returning('id')
    .execute();
  const ids: number[] = [];
  for (const { inactive, withdrawn, ...setting } of menus) {
    const menu = await db
      .insertInto('mirror_external_menu')
      .values({
        connectionId,
        erpId: randomUUID(),
        name: 'Menu',
        synchronizedAt: ago,
        inactiveAt: inactive ? ago : null,
        withdrawnAt: withdrawn ? ago : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(menu.id);
    await db
      .insertInto('external_menu_setting')
      .values({ externalMenuId: menu.id, ...setting })
      .execute();
  }
  const [served, gone] = organizations.map((organization) => organization.id);
  return { connectionId, legalEntityId: legalEntityId!, menus: ids, served: served!, gone: gone! };
}

async function makeOwnerInactive(legalEntityId: number) {
  const { franchiseeId } = await database.db.db
    .selectFrom('legal_entity')
    .select('franchiseeId')
    .where('id', '=', legalEntityId)
    .executeTakeFirstOrThrow();
  await setFranchiseeActive(database, testActor, { id: franchiseeId, isActive: false });
}

test('a connection may be imported while it is enabled and its owner is active', async () => {
  const [fine, disabled, idle] = [await fixture(), await fixture(), await fixture()];
  const { db } = database.db;
  await db
    .updateTable('connection')
    .set({ status: 'DISABLED' })
    .where('id', '=', disabled.connectionId)
    .execute();
  await makeOwnerInactive(idle.legalEntityId);

  const rows = await db
    .selectFrom('importable_connection')
    .select('id')
    .where('id', 'in', [fine.connectionId, disabled.connectionId, idle.connectionId])
    .execute();
  expect(rows).toEqual([{ id: fine.connectionId }]);
});

test('an organization is served while the ERP lists it, also through a disabled connection', async () => {
  const { connectionId, served } = await fixture();
  const { db } = database.db;
  await db
    .updateTable('connection')
    .set({ status: 'DISABLED' })
    .where('id', '=', connectionId)
    .execute();

  const rows = await db
    .selectFrom('served_organization')
    .select('id')
    .where('connectionId', '=', connectionId)
    .execute();
  expect(rows).toEqual([{ id: served }]);
});

test('a menu is live while it is listed and enabled, and importable only with an active owner', async () => {
  const { db } = database.db;
  const here = await fixture({}, { isEnabled: false }, { inactive: true });
  const idle = await fixture({});
  const disabled = await fixture({});
  await makeOwnerInactive(idle.legalEntityId);
  await db
    .updateTable('connection')
    .set({ status: 'DISABLED' })
    .where('id', '=', disabled.connectionId)
    .execute();
  const connections = [here, idle, disabled].map((entry) => entry.connectionId);

  expect(
    await db
      .selectFrom('live_menu')
      .select(['externalMenuId', 'isImportable'])
      .where('connectionId', 'in', connections)
      .orderBy('externalMenuId')
      .execute(),
  ).toEqual([
    { externalMenuId: here.menus[0], isImportable: true },
    { externalMenuId: idle.menus[0], isImportable: false },
  ]);
  expect(
    await db
      .selectFrom('enabled_menu')
      .select(['externalMenuId', 'isListed'])
      .where('connectionId', 'in', connections)
      .orderBy('externalMenuId')
      .execute(),
  ).toEqual([
    { externalMenuId: here.menus[0], isListed: true },
    { externalMenuId: here.menus[2], isListed: false },
    { externalMenuId: idle.menus[0], isListed: true },
    { externalMenuId: disabled.menus[0], isListed: true },
  ]);
});

test('[SNP-5] menus rank by priority, then age, and withdrawn menus come last and sell nothing', async () => {
  const { db } = database.db;
  const here = await fixture(
    { priority: 1, inactive: true },
    { priority: 2, inactive: true, withdrawn: true },
    { priority: 50 },
    { priority: 20 },
    { priority: 20 },
    { isEnabled: false },
    { organizationIds: [] },
  );
  await fixture({});
  await db
    .updateTable('connection')
    .set({ status: 'DISABLED' })
    .where('id', '=', here.connectionId)
    .execute();
  const [unlisted, withdrawn, third, first, second] = here.menus;
  const of = (organizationId: number) =>
    db
      .selectFrom('menu_of_organization')
      .select(['externalMenuId', 'rank', 'isSold'])
      .where('organizationId', '=', organizationId)
      .orderBy('rank')
      .execute();

  const expected = [
    { externalMenuId: unlisted, rank: 1, isSold: true },
    { externalMenuId: first, rank: 2, isSold: true },
    { externalMenuId: second, rank: 3, isSold: true },
    { externalMenuId: third, rank: 4, isSold: true },
    { externalMenuId: withdrawn, rank: 5, isSold: false },
  ];
  expect(await of(here.served)).toEqual(expected);

  await db
    .updateTable('external_menu_setting')
    .set({ organizationIds: [here.gone] })
    .where('externalMenuId', '=', first!)
    .execute();
  expect((await of(here.served)).map((entry) => entry.externalMenuId)).toEqual([
    unlisted,
    second,
    third,
    withdrawn,
  ]);
  // An organization that is no longer served keeps its menus, so that explanations can show them.
  expect((await of(here.gone)).map((entry) => entry.externalMenuId)).toEqual([
    unlisted,
    first,
    second,
    third,
    withdrawn,
  ]);
});
