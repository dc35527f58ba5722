import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { addRow, fromNow, selectRows } from '../../support/rows.ts';

const MENU = '/api/menu/v3/by_id';

let fixture: TestFixture;
let menuId: number;
/** Twelve restaurants need two requests. The last restaurant is in the second request. */
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  fixture = await mirrorFixture({ growth: { organizations: 12 } });
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  organizations = await fixture.db.db
    .selectFrom('mirror_organization as organization')
    .innerJoin('mirror_price as price', (join) =>
      join
        .onRef('price.organizationId', '=', 'organization.id')
        .on('price.externalMenuId', '=', menuId),
    )
    .select(['organization.id', 'organization.erpId'])
    .distinct()
    .orderBy('organization.id')
    .execute();
});
afterEach(async () => {
  await control('answer', { endpoint: MENU });
  await control('return', { menuId: '9001' });
});
afterAll(() => fixture.close());

const control = (path: string, body: object) => fixture.emulator.control<never>(path, body);
const livePrices = async (): Promise<Record<number, number>> =>
  Object.fromEntries(
    (
      await fixture.db.db
        .selectFrom('mirror_price')
        .where('externalMenuId', '=', menuId)
        .where('lostAt', 'is', null)
        .select((row) => ['organizationId as id', row.fn.countAll<number>().as('count')])
        .groupBy('organizationId')
        .orderBy('id')
        .execute()
    ).map(({ id, count }) => [id, count]),
  );
const revision = async () =>
  (await selectRows(fixture.db, 'mirror_external_menu', ['revision'], { id: menuId }))[0];
const last = () => organizations.at(-1)!;

test('the fixture needs two requests for one menu', () => {
  expect(organizations.length).toBeGreaterThan(10);
});

test.each(['FULL', 'INCREMENTAL'] as const)(
  '[MIR-43] %s: an answer with a revision and without categories is invalid and removes nothing',
  async (mode) => {
    const before = { prices: await livePrices(), revision: await revision() };
    await control('bump-revision', { menuId: '9001' });
    const body = { id: '9001', name: 'Site menu', formatVersion: 3, revision: 4_000_000 };
    await control('answer', { endpoint: MENU, organizationId: last().erpId, body });

    await expect(importMenu(fixture, menuId, mode)).rejects.toMatchObject({
      name: 'ErpFailure',
      kind: 'INVALID_ANSWER',
      message: expect.stringContaining('itemsGroups is missing'),
    });

    expect({ prices: await livePrices(), revision: await revision() }).toEqual(before);
  },
);

const notified = async () =>
  (
    await fixture.db.db
      .selectFrom('notification')
      .where('kind', '=', 'SUSPICIOUS_SHRINK')
      .select(['details', (row) => row('resolvedAt', 'is', null).as('open')])
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
  )[0];

test.each(['FULL', 'INCREMENTAL'] as const)(
  '[MIR-44] %s: only the restaurant that would lose its prices is held back',
  async (mode) => {
    const before = await livePrices();
    await answerWithoutPrices();

    const { runId, outcome } = await importMenu(fixture, menuId, mode);

    expect(outcome?.outcome).toBe('APPLIED');
    expect(await livePrices()).toEqual(before);
    const held = {
      what: 'PRICES',
      organizationId: last().id,
      percent: 100,
      name: expect.stringMatching(/./),
    };
    expect(await getRun(fixture.db, runId)).toMatchObject({ status: 'SUCCESS', heldBack: [held] });
    expect(await notified()).toMatchObject({ open: true, details: { runId, heldBack: [held] } });
  },
);

test('[MIR-44] new prices of other restaurants are written, and none of the restaurant held back', async () => {
  await answerWithoutPrices(77_700);

  await importMenu(fixture, menuId);

  const priced = await fixture.db.query<{ id: number }>(
    'select distinct organization_id as id from mirror_price where price_kopecks = 7770000 and lost_at is null',
  );
  expect(priced.map(({ id }) => id)).toContain(organizations.at(-2)!.id);
  expect(priced.map(({ id }) => id)).not.toContain(last().id);
});

test('[MIR-44] staff can accept rows held back, and a recovery ends the notification', async () => {
  const before = await livePrices();
  await answerWithoutPrices();
  const { runId } = await importMenu(fixture, menuId);
  const held = (await notified())?.open;
  await control('answer', { endpoint: MENU });
  await control('bump-revision', { menuId: '9001' });
  await importMenu(fixture, menuId);
  const healed = (await notified())?.open;

  await answerWithoutPrices();
  await addRow(fixture.db, 'sync_shrink_acceptance', {
    externalMenuId: menuId,
    refusedRunId: runId,
    runId,
    percent: 100,
    vanished: 0,
    before: 0,
    reason: 'this restaurant closes',
    expiresAt: fromNow('1 hour'),
  });
  const { outcome } = await importMenu(fixture, menuId, 'FULL');

  expect([held, healed]).toEqual([true, false]);
  expect(outcome?.outcome).toBe('APPLIED');
  expect(before).toHaveProperty(String(last().id));
  expect(await livePrices()).not.toHaveProperty(String(last().id));
});

test('[MIR-44] an import fails if more than half of the restaurants would lose their prices', async () => {
  await control('answer', { endpoint: MENU });
  await control('bump-revision', { menuId: '9001' });
  await importMenu(fixture, menuId, 'FULL');
  const before = await livePrices();
  const half = new Set(organizations.slice(0, 7).map(({ erpId }) => erpId));
  await answerSpoilt((key, value) =>
    key === 'organizations' ? (value as string[]).filter((id) => !half.has(id)) : value,
  );

  const { outcome } = await importMenu(fixture, menuId);

  expect(outcome).toMatchObject({ outcome: 'SUSPICIOUS_SHRINK', organization: { percent: 100 } });
  expect(await livePrices()).toEqual(before);
});

describe('[MIR-63] dishes that would lose all their modifiers', () => {
  const SPOILT = [
    (key: string, value: unknown) => (key === 'modifierGroups' ? [] : value),
    (key: string, value: unknown) => (key === 'modifierGroups' ? undefined : value),
  ];

  test.each(SPOILT)('stop a full run: %s', async (spoilt) => {
    const before = await links();
    await answerSpoilt(spoilt);

    const { outcome } = await importMenu(fixture, menuId, 'FULL');

    expect(outcome).toMatchObject({
      outcome: 'SUSPICIOUS_SHRINK',
      modifierGroups: { percent: 100 },
    });
    expect(await links()).toBe(before);
  });

  test.each(SPOILT)('keep them in an incremental run, which succeeds', async (spoilt) => {
    const before = await links();
    expect(before).toBeGreaterThan(0);
    await answerSpoilt(spoilt);

    const { runId, outcome } = await importMenu(fixture, menuId);

    expect(outcome?.outcome).toBe('APPLIED');
    expect(await links()).toBe(before);
    expect((await getRun(fixture.db, runId)).heldBack).toMatchObject([
      { what: 'MODIFIERS', percent: 100 },
    ]);
  });
});

const links = async () =>
  (
    await fixture.db.db
      .selectFrom('mirror_modifier_group as stored')
      .innerJoin('mirror_modifier_link as link', 'link.modifierGroupId', 'stored.id')
      .where('stored.externalMenuId', '=', menuId)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

/** Answers both requests with a corrupted menu. */
async function answerSpoilt(spoilt: (key: string, value: unknown) => unknown): Promise<void> {
  await control('answer', { endpoint: MENU });
  await control('bump-revision', { menuId: '9001' });
  const { data } = await fixture.deps.erp.menu(fixture.connectionId, {
    externalMenuId: '9001',
    organizationIds: organizations.slice(0, 10).map((organization) => organization.erpId),
    asyncMode: false,
  });
  if (data.kind !== 'menu') throw new Error('the emulator answers asynchronously');
  const others = organizations.slice(10).map((organization) => organization.erpId);
  const body: unknown = JSON.parse(JSON.stringify(data.menu), (key, value: unknown) =>
    spoilt(key, key === 'organizations' && Array.isArray(value) ? [...value, ...others] : value),
  );
  await control('answer', { endpoint: MENU, body: body as object });
}

/** Answers the second request without prices for its last restaurant. */
async function answerWithoutPrices(price?: number): Promise<void> {
  await control('bump-revision', { menuId: '9001' });
  const organizationIds = organizations.slice(10).map((organization) => organization.erpId);
  const { data } = await fixture.deps.erp.menu(fixture.connectionId, {
    externalMenuId: '9001',
    organizationIds,
    asyncMode: false,
  });
  if (data.kind !== 'menu') throw new Error('the emulator answers asynchronously');
  const body: unknown = JSON.parse(JSON.stringify(data.menu), (key, value: unknown) =>
    key === 'organizations' && Array.isArray(value)
      ? value.filter((entry) => entry !== last().erpId)
      : key === 'price' && price !== undefined
        ? price
        : value,
  );
  await control('answer', { endpoint: MENU, organizationId: last().erpId, body: body as object });
}
