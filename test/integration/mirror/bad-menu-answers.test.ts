import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { importBasics, importMenu, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';

const MENU = '/api/menu/v3/by_id';

let world: MirrorWorld;
let menuId: number;
/** Twelve restaurants are two requests; the last one is in the second. */
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  world = await mirrorWorld({ growth: { organizations: 12 } });
  menuId = await importBasics(world);
  await importMenu(world, menuId, 'FULL');
  organizations = await world.db.query(
    `select distinct organization.id, organization.erp_id as "erpId" from mirror_organization organization
       join mirror_price price on price.organization_id = organization.id and price.external_menu_id = $1 order by id`,
    [menuId],
  );
});
afterEach(async () => {
  await control('answer', { endpoint: MENU });
  await control('return', { menuId: '9001' });
});
afterAll(() => world.close());

const control = (path: string, body: object) => world.emulator.control<never>(path, body);
/** Prices that guests may buy at, by restaurant. */
const livePrices = async (): Promise<Record<number, number>> =>
  Object.fromEntries(
    (
      await world.db.query<{ id: number; count: number }>(
        `select organization_id as id, count(*) as count from mirror_price
          where external_menu_id = $1 and lost_at is null group by 1 order by 1`,
        [menuId],
      )
    ).map(({ id, count }) => [id, count]),
  );
const revision = async () =>
  (await world.db.query('select revision from mirror_external_menu where id = $1', [menuId]))[0];
const last = () => organizations.at(-1)!;

test('there are two requests for one menu here', () => {
  expect(organizations.length).toBeGreaterThan(10);
});

test.each(['FULL', 'INCREMENTAL'] as const)(
  '[MIR-43] %s: an answer with a revision and without categories is invalid, and takes nothing away',
  async (mode) => {
    const before = { prices: await livePrices(), revision: await revision() };
    await control('bump-revision', { menuId: '9001' });
    const body = { id: '9001', name: 'Site menu', formatVersion: 3, revision: 4_000_000 };
    await control('answer', { endpoint: MENU, organizationId: last().erpId, body });

    await expect(importMenu(world, menuId, mode)).rejects.toMatchObject({
      name: 'ErpFailure',
      kind: 'INVALID_ANSWER',
      message: expect.stringContaining('itemsGroups is missing'),
    });

    expect({ prices: await livePrices(), revision: await revision() }).toEqual(before);
  },
);

test.each(['FULL', 'INCREMENTAL'] as const)(
  '[MIR-44] %s: one restaurant that would lose its prices stops the run, however well the others are',
  async (mode) => {
    const before = await livePrices();
    await answerWithoutPrices();

    const { runId, outcome } = await importMenu(world, menuId, mode);

    expect(outcome).toMatchObject({
      outcome: 'SUSPICIOUS_SHRINK',
      percent: 100,
      organization: { organizationId: last().id, percent: 100 },
    });
    expect(await livePrices()).toEqual(before);
    expect(
      await world.db.query(
        `select reason, result -> 'shrink' -> 'organization' ->> 'organizationId' as id from sync_run where id = $1`,
        [runId],
      ),
    ).toEqual([{ reason: 'SUSPICIOUS_SHRINK', id: String(last().id) }]);
  },
);

test('[MIR-44] staff can accept what one restaurant loses, as they can any shrink; what heals by itself ends the notification', async () => {
  const before = await livePrices();
  await answerWithoutPrices();
  const { runId } = await importMenu(world, menuId);
  const isOpen = async () =>
    (
      await world.db.query<{ open: boolean }>(
        `select resolved_at is null as open from notification where kind = 'SUSPICIOUS_SHRINK' order by id desc limit 1`,
      )
    )[0]?.open;
  const refused = await isOpen();
  await control('answer', { endpoint: MENU });
  await importMenu(world, menuId);
  const healed = await isOpen();

  await answerWithoutPrices();
  await world.db.query(
    `insert into sync_shrink_acceptance (external_menu_id, refused_run_id, run_id, percent, vanished, before, reason, expires_at)
     values ($1, $2, $2, 100, 0, 0, 'this restaurant closes', now() + interval '1 hour')`,
    [menuId, runId],
  );
  const { outcome } = await importMenu(world, menuId, 'FULL');

  expect([refused, healed]).toEqual([true, false]);
  expect(outcome?.outcome).toBe('APPLIED');
  const { [last().id]: _lost, ...others } = before;
  expect(await livePrices()).toEqual(others);
});

test.each(['FULL', 'INCREMENTAL'] as const)(
  '[MIR-63] %s: dishes that would lose all their modifiers stop the run',
  async (mode) => {
    const before = await links();
    expect(before).toBeGreaterThan(0);
    for (const spoilt of [
      (key: string, value: unknown) => (key === 'modifierGroups' ? [] : value),
      (key: string, value: unknown) => (key === 'modifierGroups' ? undefined : value),
    ]) {
      await answerSpoilt(spoilt);
      const { outcome } = await importMenu(world, menuId, mode);

      expect(outcome).toMatchObject({ outcome: 'SUSPICIOUS_SHRINK', modifierGroups: { percent: 100 } });
      expect(await links()).toBe(before);
    }
  },
);

const links = async () =>
  (
    await world.db.query<{ count: number }>(
      `select count(*) as count from mirror_modifier_group stored join mirror_modifier_link link on link.modifier_group_id = stored.id
        where stored.external_menu_id = $1`,
      [menuId],
    )
  )[0]!.count;

/** The whole menu for all restaurants, spoilt, as the answer to both requests. */
async function answerSpoilt(spoilt: (key: string, value: unknown) => unknown): Promise<void> {
  await control('answer', { endpoint: MENU });
  await control('bump-revision', { menuId: '9001' });
  const { data } = await world.deps.erp.menu(world.connectionId, {
    externalMenuId: '9001',
    organizationIds: organizations.slice(0, 10).map((each) => each.erpId),
    asyncMode: false,
  });
  if (data.kind !== 'menu') throw new Error('the emulator answers asynchronously');
  const others = organizations.slice(10).map((each) => each.erpId);
  const body: unknown = JSON.parse(JSON.stringify(data.menu), (key, value: unknown) =>
    key === 'organizations' && Array.isArray(value) ? [...value, ...others] : spoilt(key, value),
  );
  await control('answer', { endpoint: MENU, body: body as object });
}

/** The whole menu for the restaurants of the second request, with a price for all of them but the last. */
async function answerWithoutPrices(): Promise<void> {
  await control('bump-revision', { menuId: '9001' });
  const organizationIds = organizations.slice(10).map((each) => each.erpId);
  const { data } = await world.deps.erp.menu(world.connectionId, {
    externalMenuId: '9001',
    organizationIds,
    asyncMode: false,
  });
  if (data.kind !== 'menu') throw new Error('the emulator answers asynchronously');
  const body: unknown = JSON.parse(JSON.stringify(data.menu), (key, value: unknown) =>
    key === 'organizations' && Array.isArray(value) ? value.filter((each) => each !== last().erpId) : value,
  );
  await control('answer', { endpoint: MENU, organizationId: last().erpId, body: body as object });
}
