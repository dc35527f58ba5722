import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import {
  prepareSnapshot,
  type PreparedSnapshot,
} from '../../../modules/menus/snapshot/prepare-snapshot.ts';
import { publishSnapshot } from '../../../modules/menus/snapshot/publish-snapshot.ts';
import { markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { countRows, selectRows, updateRows } from '../../support/rows.ts';

/** The storefront instances get menus by notification only. */
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let admin: AdminClient;
let storefronts: Storefront[];
let deps: SnapshotDeps;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;

beforeAll(async () => {
  database = await migratedDatabase();
  const rows = menuRows(database.db);
  place = await rows.restaurant();
  dish = await rows.dish({ ...place, prices: { [place.organizationId]: 25_000 } });
  api = await startTestApi({ routes, database });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  deps = api.deps;
  await rename('Щи');
  await buildSnapshot(deps, place.organizationId);
  storefronts = [await startStorefront(database), await startStorefront(database)];
  await rename('Борщ');
  await buildSnapshot(deps, place.organizationId);
});
afterAll(async () => {
  for (const storefront of storefronts) await storefront.stop();
  await api.stop();
  await database.close();
});

const rename = (name: string) =>
  updateRows(database.db, 'catalog_product', { name }, { id: dish.productId });
const path = (rest = '') => `/snapshots/${place.organizationId}${rest}`;
const until = () => new Date(Date.now() + 3_600_000).toISOString();

type Served = { menu: number; name: string; revision: number; availability: number };
async function everywhere(revision: number): Promise<Served[]> {
  const read = async ({ url }: Storefront): Promise<Served> => {
    const get = async <T>(rest: string) =>
      (await (
        await fetch(`${url}/api/v1${rest}?organization_id=${place.organizationErpId}`)
      ).json()) as T;
    // Documents are replaced as a whole, so a later request never gets an older document.
    const { revision } = await get<{ revision: number }>('/menu/revision');
    const availability = (await get<{ revision: number }>('/availability')).revision;
    const menu = await get<{ revision: number; products: { name: string }[] }>('/menu');
    return { revision, availability, menu: menu.revision, name: menu.products[0]?.name ?? '' };
  };
  for (let tries = 0; ; tries += 1) {
    const served = await Promise.all(storefronts.map(read));
    if (served.every((entry) => entry.revision === revision) || tries > 500) return served;
    await delay(10);
  }
}

test('[SNP-19] revisions can be listed, read and compared', async () => {
  const list = await admin.get<{ items: { revision: number }[]; total: number }>(
    path('/revisions?size=1'),
  );
  const one = await admin.get<{ revision: number; menu: { products: { name: string }[] } }>(
    path('/revisions/1'),
  );
  const diff = await admin.get<{ products: { changed: unknown[] } }>(path('/diff?from=1&to=2'));
  const status = await admin.get(path());

  expect(list).toMatchObject({
    total: 2,
    items: [{ revision: 2, supersededAt: null, isPinned: false }],
  });
  expect(one).toMatchObject({ revision: 1, menu: { revision: 1, products: [{ name: 'Щи' }] } });
  expect(diff.products.changed).toEqual([
    { id: dish.productId, name: 'Борщ', fields: [{ field: 'name', before: 'Щи', after: 'Борщ' }] },
  ]);
  expect(status).toMatchObject({
    revision: 2,
    productCount: 1,
    pendingSince: null,
    pin: null,
    tooLargeBytes: null,
  });
});

test('[SNP-20] a rollback and its end reach all three URLs of every instance', async () => {
  const pinned = await admin.post(path('/pin'), { revision: 1, reason: 'Ошибка', until: until() });
  await buildSnapshot(deps, place.organizationId);
  const rolledBack = await everywhere(3);
  const unpinned = await admin.post(path('/unpin'), { reason: 'Исправлено' });
  await buildSnapshot(deps, place.organizationId);
  const back = await everywhere(4);

  const all = (revision: number, name: string) =>
    storefronts.map(() => ({ menu: revision, name, revision, availability: revision }));
  expect(pinned).toMatchObject({
    pendingReason: 'snapshot-pin',
    pin: { revision: 1, reason: 'Ошибка' },
  });
  expect(rolledBack).toEqual(all(3, 'Щи'));
  expect(unpinned).toMatchObject({ pin: null });
  expect(back).toEqual(all(4, 'Борщ'));
});

test.each([
  ['GET', '/revisions/99', undefined, 404],
  ['GET', '/diff?from=1&to=99', undefined, 404],
  ['GET', '/diff', undefined, 422],
  ['POST', '/pin', { revision: 99, reason: 'x', until: '2099-01-01T00:00:00Z' }, 422],
  ['POST', '/pin', { revision: 1, reason: 'x', until: 'tomorrow' }, 422],
  ['POST', '/unpin', { reason: 'x' }, 409],
])('the request %s %s with %j fails with %d', async (method, rest, body, status) => {
  expect((await admin.raw(method, path(rest), body)).status).toBe(status);
});

test('[SNP-78] a revision lists the changes that it contains, with their authors', async () => {
  const { db } = database;
  type Revisions = {
    items: {
      revision: number;
      causes: { source: string; author: { id: number; name: string } | null }[];
    }[];
  };
  const causes = async () => {
    const { items } = await admin.get<Revisions>(path('/revisions?size=1'));
    return items[0]!.causes
      .map(({ source, author }) => `${source} ${author?.name ?? '-'}`)
      .toSorted();
  };
  const { version } = await admin.get<{ version: number }>(`/products/${dish.productId}`);
  const editor = await api.user('CONTENT_MANAGER');
  const colleague = await adminClient(api.url, editor.email, editor.password);
  const names = await selectRows(db, 'access_user', ['email', 'fullName'], {});
  const findName = (email: string) => names.find((user) => user.email === email)?.fullName;
  await admin.patch(`/products/${dish.productId}`, { version, name: 'Рассольник' });
  await colleague.patch(`/products/${dish.productId}`, {
    version: version + 1,
    name: 'Рассольник ленинградский',
  });
  await db.transaction((tx) => markDirty(tx, 'organizations-import', [place.organizationId]));
  await buildSnapshot(deps, place.organizationId);

  expect(await causes()).toEqual(
    [
      'organizations-import -',
      `product-update ${findName(ADMIN.email)}`,
      `product-update ${findName(editor.email)}`,
    ].toSorted(),
  );
  expect(await countRows(db, 'snapshot_cause')).toBe(0);
});

test('[SNP-78] a change during a build belongs to the next revision', async () => {
  const { db } = database;
  const change = (name: string) =>
    db.transaction(async (tx) => {
      await markDirty(tx, 'organizations-import', [place.organizationId]);
      await tx.db
        .updateTable('catalog_product')
        .set({ name })
        .where('id', '=', dish.productId)
        .execute();
    });
  const sources = async () => {
    const { items } = await admin.get<{ items: { causes: { source: string }[] }[] }>(
      path('/revisions?size=2'),
    );
    return items.map((revision) => revision.causes.map(({ source }) => source));
  };
  await change('До сборки');
  const prepared = await prepareSnapshot(db, place.organizationId, new Date());
  await change('Во время сборки');
  await db.transaction((tx) => markDirty(tx, 'stop-list', [place.organizationId]));
  await publishSnapshot(db, prepared as PreparedSnapshot);
  await buildSnapshot(deps, place.organizationId);

  const [later, earlier] = await sources();
  expect(earlier).toEqual(['organizations-import']);
  expect(later?.toSorted()).toEqual(['organizations-import', 'stop-list']);
});
