import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { phoneDigests } from '../../../modules/gifts/clients/clients.ts';
import { listGifts, rightRows, type Gift } from '../../../modules/gifts/rights/read-rights.ts';
import { moveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { recordMediaBase } from '../../../modules/media/media-base.ts';
import { migratedDatabase } from '../../support/database.ts';
import { GRANTER, rightsFixture } from '../../support/rights.ts';
import { countStatements } from '../../support/statements.ts';
import { databaseNow, deleteRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
let place: Awaited<ReturnType<typeof fixture.rows.restaurant>>;
let tart: { id: number; erpId: string; sizeId: number };
let rewardId: number;
beforeAll(async () => {
  database = await migratedDatabase();
  fixture = await rightsFixture(database.db);
});
afterAll(() => database.close());

let phones = 79_990_000_000;
let phone: string;
let clientId: string;
beforeEach(async () => {
  const { rows } = fixture;
  place = await rows.restaurant();
  const item = await rows.item();
  tart = { ...item, sizeId: await rows.size(item.id) };
  await rows.offer(
    place.menuId,
    { itemId: tart.id, sizeId: tart.sizeId },
    { [place.organizationId]: 0 },
  );
  rewardId = await fixture.reward({ erp_item_id: tart.erpId, image_id: await rows.media() });
  phone = `+${(phones += 1)}`;
  clientId = await fixture.client({ phone }, place.connectionId);
});

const NOW = Date.parse('2026-11-22T12:00:00Z');
type Asked = Parameters<typeof listGifts>[1] &
  Parameters<typeof rightRows>[1] & { verifiedPhone: string };
async function read(more: Partial<Asked> = {}): Promise<Gift[]> {
  const asked: Asked = {
    verifiedPhone: phone,
    connectionId: place.connectionId,
    organizationId: place.organizationId,
    organizationErpId: place.organizationErpId,
    at: NOW,
    balance: () => Infinity,
    ...more,
  };
  const { rows } = await rightRows(phoneDigests(fixture.deps, asked.verifiedPhone), asked).execute(
    database.db.db,
  );
  return listGifts(rows, asked);
}
const grant = (more: Parameters<typeof fixture.grant>[0] = {}) =>
  fixture.grant({ clientId, rewardId, ...more });

test('[CMP-6] a client receives the gift with the price 0, its image and its item, in one statement', async () => {
  const id = await grant({ expiresAt: new Date(NOW + 1), quantity: 2 });

  const statements = countStatements(database.db);
  const gifts = await read();

  expect(statements()).toBe(1);
  expect(gifts).toEqual([
    {
      id,
      rewardId,
      rewardCode: expect.any(String),
      name: 'Тарт',
      quantity: 2,
      priceKopecks: 0,
      image: expect.objectContaining({ url: expect.stringMatching(/^\/media\//) }),
      expiresAt: new Date(NOW + 1),
      available: true,
      unavailableReason: null,
      left: Infinity,
      erpItemId: tart.erpId,
      erpSizeId: null,
    },
  ]);
});

test('[MED-11] a gift has the URL of its image at the CDN, with its size', async () => {
  await grant();
  await recordMediaBase(database, 'https://cdn.example');

  const [gift] = await read();

  await deleteRows(database.db, 'media_base');
  expect(gift!.image).toMatchObject({
    url: expect.stringMatching(/^https:\/\/cdn\.example\/media\//),
    width: 400,
    height: 400,
  });
});

test('[CMP-6] the earliest promise comes first', async () => {
  const later = await grant({ at: new Date(NOW - 1_000) });
  const earlier = await grant({ at: new Date(NOW - 2_000) });

  expect((await read()).map((gift) => gift.id)).toEqual([earlier, later]);
});

test('rights that do not apply are omitted: term, restaurant, account, used, blocked or disabled', async () => {
  const elsewhere = await fixture.rows.restaurant();
  await grant({ expiresAt: new Date(NOW) });
  await grant({
    rewardId: await fixture.reward({ organization_erp_id: elsewhere.organizationErpId }),
  });
  await grant({ rewardId: await fixture.reward({ is_active: false }) });
  const [taken, blocked] = [await grant(), await grant()];
  await database.db.transaction(async (tx) => {
    await moveRights(
      tx,
      GRANTER,
      { ids: [taken] },
      { move: 'RESERVE', orderId: taken, at: new Date(NOW) },
    );
    await moveRights(
      tx,
      GRANTER,
      { ids: [blocked] },
      { move: 'BLOCK', reason: 'x', at: new Date(NOW) },
    );
  });

  expect(await read()).toEqual([]);
  const good = await grant();
  expect((await read()).map((gift) => gift.id)).toEqual([good]);
  expect(
    await read({
      connectionId: elsewhere.connectionId,
      organizationId: elsewhere.organizationId,
      organizationErpId: elsewhere.organizationErpId,
    }),
  ).toEqual([]);
  expect(await read({ verifiedPhone: '+79000000000' })).toEqual([]);
});

test.each([
  [
    'costs something',
    'ZERO_PRICE',
    () => updateRows(database.db, 'mirror_price', { priceKopecks: 1 }, { itemSizeId: tart.sizeId }),
  ],
  [
    'has lost its price',
    'ZERO_PRICE',
    () =>
      updateRows(
        database.db,
        'mirror_price',
        { lostAt: databaseNow() },
        { itemSizeId: tart.sizeId },
      ),
  ],
  [
    'has left the menu',
    'ZERO_PRICE',
    () => deleteRows(database.db, 'mirror_item_menu', { itemId: tart.id }),
  ],
  [
    'is deleted',
    'BINDING',
    () => updateRows(database.db, 'mirror_item', { deletedAt: databaseNow() }, { id: tart.id }),
  ],
  [
    'has not the size',
    'BINDING',
    () => updateRows(database.db, 'reward', { erpItemSizeId: 1000000 }, { id: rewardId }),
  ],
] as const)(
  '[CMP-6] a gift whose item %s is shown but cannot be added',
  async (_, reason, change) => {
    await grant();

    await change();

    expect(await read()).toMatchObject([{ available: false, unavailableReason: reason }]);
  },
);

test('a gift with too few units left cannot be added, and is not lost', async () => {
  await grant({ quantity: 2 });

  const asked: [string, string][] = [];
  const left = (units: number) => (item: string, size: string) => (asked.push([item, size]), units);

  expect(await read({ balance: left(1) })).toMatchObject([
    { available: false, unavailableReason: 'STOP_LIST' },
  ]);
  expect(await read({ balance: left(2) })).toMatchObject([{ available: true }]);
  expect(asked).toEqual([
    [tart.erpId, ''],
    [tart.erpId, ''],
  ]);
});

test('the menu that decides the price of an item decides if it can be a gift', async () => {
  await grant();
  const dearer = await fixture.rows.externalMenu(place.connectionId, { priority: 0 });
  await updateRows(
    database.db,
    'external_menu_setting',
    { priority: 5 },
    { externalMenuId: place.menuId },
  );
  await fixture.rows.offer(
    dearer,
    { itemId: tart.id, sizeId: tart.sizeId },
    { [place.organizationId]: 500 },
  );

  expect(await read()).toMatchObject([{ available: false, unavailableReason: 'ZERO_PRICE' }]);
});
