import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import { startEmulator } from '../../packages/erp-emulator/server.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';
import { eventually } from '../support/processes.ts';
import { listItems, login, menu, organizationIds, post } from './client.ts';
import type { MenuBody } from './client.ts';

type TruthSize = {
  productId: string;
  sizeId: string | null;
  price: number | null;
  hidden: boolean;
  stopped: boolean;
  name: string;
  sku: string;
};
type Truth = {
  revision: number;
  sizes: TruthSize[];
  modifiers: { id: string; price: number | null; stopped: boolean }[];
};

const MENU = { menuId: '9001' };
const UUID = (digit: string): string => `00000000-0000-4000-8000-${digit.repeat(12)}`;

let emulator: Emulator;
let ids: string[];
let before: MenuBody;
beforeAll(async () => {
  emulator = await startEmulator({ size: 'small' });
});
beforeEach(async () => {
  await emulator.control('reset', { seed: 1 });
  ids = await organizationIds(emulator);
  before = await menu(emulator);
});
afterAll(() => emulator.stop());

const readTruth = (organizationId = ids[0]): Promise<Truth> =>
  emulator.control<Truth>(`truth?menuId=9001&organizationId=${organizationId}`);

const productIds = (body: MenuBody): string[] => body.products.map(({ id }) => id);

/** A visible, priced dish of several sizes. */
async function someSize(): Promise<TruthSize> {
  const { sizes } = await readTruth();
  const found = sizes.find((size) => !size.hidden && (size.price ?? 0) > 0 && size.sizeId !== null);
  if (!found) throw new Error('no priced size');
  return found;
}

describe('the content actions of the emulator', () => {
  it('change nothing but the number with bump-revision', async () => {
    await emulator.control('bump-revision', MENU);
    const after = await menu(emulator);

    expect(after).toEqual({ ...before, revision: (before.revision ?? 0) + 1 });
  });

  it('remove the same percentage of dishes and of modifiers with vanish, repeatably', async () => {
    const first = await emulator.control<{ itemIds: string[] }>('vanish', { ...MENU, percent: 50 });
    const after = await menu(emulator);
    await emulator.control('reset', {});
    const second = await emulator.control<{ itemIds: string[] }>('vanish', {
      ...MENU,
      percent: 50,
    });

    expect(second.itemIds).toEqual(first.itemIds);
    expect(after.products).toHaveLength(before.products.length / 2);
    expect(after.modifiers).toHaveLength(before.modifiers.length / 2);
    expect(
      listItems(after).every(({ productId }) => productIds(after).includes(productId ?? '')),
    ).toBe(true);
    const links = listItems(after)
      .flatMap(({ modifierGroups }) => modifierGroups ?? [])
      .flatMap(({ items }) => items);
    expect(links.every(({ id }) => after.modifiers.some((modifier) => modifier.id === id))).toBe(
      true,
    );
  });

  it('restore an item under its old id with return', async () => {
    const itemIds = productIds(before).slice(0, 1);
    await emulator.control('vanish', { ...MENU, itemIds });
    await emulator.control('return', { ...MENU, sameId: true });

    const after = await menu(emulator);

    expect({ ...after, revision: 0 }).toEqual({ ...before, revision: 0 });
    expect(after.revision).toBe((before.revision ?? 0) + 2);
  });

  it('restore an item under a new id with the same sku with return', async () => {
    const [gone] = before.products;
    await emulator.control('vanish', { ...MENU, itemIds: [gone?.id] });
    const { returned } = await emulator.control<{ returned: { newItemId: string }[] }>('return', {
      ...MENU,
      sameId: false,
    });

    const after = await menu(emulator);
    const back = after.products.find(({ sku }) => sku === gone?.sku);

    expect(back?.id).toBe(returned[0]?.newItemId);
    expect(back?.id).not.toBe(gone?.id);
  });

  it('change the name of a dish in every position with rename', async () => {
    const itemId = productIds(before)[0] ?? '';
    await emulator.control('rename', { itemId, name: 'Новое имя' });

    const after = await menu(emulator);

    const places = listItems(after).filter(({ productId }) => productId === itemId);
    expect(new Set(places.map(({ name }) => name))).toEqual(new Set(['Новое имя']));
    expect(after.revision).toBe((before.revision ?? 0) + 1);
  });

  it('set one price of one organization with reprice', async () => {
    const { productId, sizeId } = await someSize();
    await emulator.control('reprice', {
      ...MENU,
      itemId: productId,
      sizeId,
      organizationId: ids[0],
      price: 111,
    });

    const [here, there] = await Promise.all([readTruth(ids[0]), readTruth(ids[1])]);
    const priceIn = (truth: Truth): number | null | undefined =>
      truth.sizes.find((size) => size.productId === productId && size.sizeId === sizeId)?.price;

    expect(priceIn(here)).toBe(111);
    expect(priceIn(there)).not.toBe(111);
  });

  it('keep nulls and round to kopecks with reprice by percent', async () => {
    const priced = await readTruth();
    await emulator.control('reprice', { ...MENU, percent: 7 });
    const dearer = await readTruth();

    const expected = priced.sizes.map(({ price }) =>
      price === null ? null : Math.round(price * 107) / 100,
    );
    expect(dearer.sizes.map(({ price }) => price)).toEqual(expected);
  });

  it('make everything unsellable with null-prices', async () => {
    await emulator.control('null-prices', MENU);

    const { sizes, modifiers } = await readTruth();

    expect([...sizes, ...modifiers].every(({ price }) => price === null)).toBe(true);
  });

  it('create a new id and keep name and dishes with recreate-category', async () => {
    await emulator.control('recreate-category', MENU);
    const [old] = before.itemsGroups;
    const [made] = (await menu(emulator)).itemsGroups;

    expect(made).toEqual({ ...old, id: made?.id });
    expect(made?.id).not.toBe(old?.id);
  });

  it('create a separate menu and replace it with put-menu, with a new revision', async () => {
    const prices = { [ids[0]!]: 12.5, [ids[1]!]: null };
    const modifiers = [{ id: UUID('a'), name: 'Соус', sku: 'M1', prices }];
    const groups = [{ id: null, name: 'Соусы', modifierIds: [UUID('a')] }];
    const dish = {
      id: UUID('d'),
      name: 'Борщ',
      sku: 'D1',
      sizes: [{ sizeId: null, sku: 'D1', prices }],
      groups,
    };
    const put = (name: string, bump?: boolean) =>
      emulator.control<{ revision: number }>('put-menu', {
        menuId: 'own',
        modifiers,
        dishes: [{ ...dish, name }],
        categories: [{ id: 'c', name: 'Супы', dishIds: [dish.id] }],
        ...(bump === undefined ? {} : { bump }),
      });

    const revisions = [await put('Борщ'), await put('Щи'), await put('Уха', false)].map(
      ({ revision }) => revision,
    );
    const truth = await emulator.control<Truth>(`truth?menuId=own&organizationId=${ids[0]}`);
    const token = await login(emulator);
    const listed = await post(emulator, '/api/2/menu', {}, token);

    expect(revisions).toEqual([1, 2, 2]);
    expect(truth).toMatchObject({
      sizes: [{ name: 'Уха', price: 12.5 }],
      modifiers: [{ price: 12.5 }],
    });
    expect(listed.body['externalMenus']).toContainEqual({ id: 'own', name: 'own' });
  });

  it('remove a menu from the list of the key and add it again with list-menu', async () => {
    const token = await login(emulator);
    const listed = async () =>
      (await post(emulator, '/api/2/menu', {}, token)).body['externalMenus'];
    const all = await listed();

    await emulator.control('list-menu', { ...MENU, on: false });
    const without = await listed();
    await emulator.control('list-menu', MENU);

    expect(without).toEqual([]);
    expect(await listed()).toEqual(all);
  });

  it('keep the revision with bump: false and still show the change', async () => {
    const itemId = productIds(before)[0];
    await emulator.control('rename', { itemId, name: 'Тихо', bump: false });

    const after = await menu(emulator);

    expect(after.revision).toBe(before.revision);
    expect(listItems(after).some(({ name }) => name === 'Тихо')).toBe(true);
  });

  it('restore the seed with reset', async () => {
    await emulator.control('vanish', { ...MENU, percent: 90 });
    await emulator.control('reset', {});

    expect(await menu(emulator)).toEqual(before);
  });
});

describe('the switches of the emulator', () => {
  it('put an unknown organization into price rows with unknown-organization', async () => {
    await emulator.control('unknown-organization', { ...MENU, on: true });

    const rows = listItems(await menu(emulator)).flatMap(({ sizePrices }) => sizePrices ?? []);
    const organizations = new Set(
      rows.flatMap(({ prices }) => prices ?? []).flatMap((row) => row.organizations),
    );

    expect([...organizations].filter((id) => !ids.includes(id))).toHaveLength(1);
  });

  it('return an older revision without the first organization with differing-revisions', async () => {
    await emulator.control('differing-revisions', { ...MENU, on: true });

    const [first, second] = await Promise.all(
      ids.map((id) => menu(emulator, { organizationIds: [id] })),
    );

    expect(first?.revision).toBe(before.revision);
    expect(second?.revision).toBe((before.revision ?? 0) - 1);
  });

  it('select the organizations with prices with bind-menu', async () => {
    await emulator.control('bind-menu', { ...MENU, organizationIds: ids.slice(0, 1) });

    const { sizes, modifiers } = await readTruth(ids[1]);

    expect([...sizes, ...modifiers].every(({ price }) => price === null)).toBe(true);
  });

  test.each([
    ['success', { state: 'Success' }],
    ['error', { state: 'Error', errorReason: 'MenuNotReady' }],
    ['hang', { state: 'InProgress' }],
  ])('answer a correlation id first with async-menu %s', async (mode, end) => {
    await emulator.control('async-menu', { ...MENU, mode, polls: 2 });
    const token = await login(emulator);
    const request = { externalMenuId: '9001', organizationIds: ids, asyncMode: true };

    const accepted = await post(emulator, '/api/menu/v3/by_id', request, token);
    const states: unknown[] = [];
    for (let poll = 0; poll < 3; poll += 1) {
      const poller = { organizationId: ids[0], correlationId: accepted.body.correlationId };
      states.push((await post(emulator, '/api/1/commands/status', poller, token)).body);
    }

    expect(Object.keys(accepted.body)).toEqual(['correlationId']);
    expect(states).toMatchObject([{ state: 'InProgress' }, { state: 'InProgress' }, end]);
    expect((await menu(emulator)).products).toHaveLength(before.products.length);
  });

  it('answer 410 for an unknown command', async () => {
    const poll = { organizationId: ids[0], correlationId: ids[1] };

    expect(
      (await post(emulator, '/api/1/commands/status', poll, await login(emulator))).status,
    ).toBe(410);
  });

  it('hide an organization everywhere until it is restored with remove-organization', async () => {
    const token = await login(emulator);
    const visible = async (): Promise<unknown[]> =>
      (await post(emulator, '/api/1/organizations', {}, token)).body.organizations as unknown[];

    await emulator.control('remove-organization', { organizationId: ids[0] });
    const without = await visible();
    await emulator.control('restore-organization', { organizationId: ids[0] });

    expect(without).toHaveLength(1);
    expect(await visible()).toHaveLength(2);
  });

  test.each([
    ['root-address', { address: expect.any(String), latitude: expect.any(Number) }],
    [
      'additional-info',
      { additionalInfo: { restaurantAddress: expect.any(String), longitude: expect.any(Number) } },
    ],
    ['null-name', { name: null }],
  ])('return the organization in the shape %s', async (shape, row) => {
    await emulator.control('organization-shape', { shape });

    const request = { returnAdditionalInfo: true };
    const reply = await post(emulator, '/api/1/organizations', request, await login(emulator));

    expect((reply.body.organizations as unknown[])[0]).toMatchObject(row);
  });
});

describe('the truth of the emulator', () => {
  it('equals the answer of the menu, size by size', async () => {
    for (const organizationId of ids) {
      const answer = await menu(emulator, { organizationIds: [organizationId] });
      const sent = new Map(
        listItems(answer).flatMap((item) =>
          (item.sizePrices ?? []).map(
            (size) => [`${item.productId}/${size.sizeId}`, size.price ?? null] as const,
          ),
        ),
      );
      const { sizes } = await readTruth(organizationId);

      expect(
        new Map(sizes.map((size) => [`${size.productId}/${size.sizeId}`, size.price])),
      ).toEqual(sent);
    }
  });

  it('follows stops: no balance means stopped, a balance does not', async () => {
    const { productId } = await someSize();
    const [modifier] = before.modifiers;
    await emulator.control('unstop', { organizationId: ids[0] });
    await emulator.control('stop', { organizationId: ids[0], itemIds: [productId, modifier?.id] });
    const stopped = await readTruth();
    await emulator.control('stop', { organizationId: ids[0], itemIds: [productId], balance: 2.5 });
    const limited = await readTruth();

    const isStopped = (truth: Truth): boolean[] =>
      truth.sizes.filter((size) => size.productId === productId).map((size) => size.stopped);
    expect(isStopped(stopped)).not.toContain(false);
    expect(stopped.modifiers.filter((entry) => entry.stopped).map(({ id }) => id)).toEqual([
      modifier?.id,
    ]);
    expect(isStopped(limited)).not.toContain(true);
  });

  it('may contain a stop of one size, or of one terminal', async () => {
    const { productId, sizeId } = await someSize();
    const { organizations } = await emulator.control<{
      organizations: { terminalGroups: { id: string }[] }[];
    }>('state');
    const terminalGroupId = organizations[0]?.terminalGroups[1]?.id;
    await emulator.control('unstop', { organizationId: ids[0] });
    await emulator.control('stop', {
      organizationId: ids[0],
      itemIds: [productId],
      sizeId,
      terminalGroupId,
    });

    const { sizes } = await readTruth();

    const stopped = sizes.filter((size) => size.stopped);
    expect(stopped.map((size) => [size.productId, size.sizeId])).toEqual([[productId, sizeId]]);
  });

  it('shows a dish as hidden if its category, its only position or the size is hidden', async () => {
    const { sizes } = await readTruth();
    const staff =
      before.itemsGroups
        .find(({ isHidden }) => isHidden)
        ?.items.map(({ productId }) => productId) ?? [];

    expect(sizes.some(({ hidden }) => hidden)).toBe(true);
    expect(
      sizes.filter(({ productId }) => staff.includes(productId)).every(({ hidden }) => hidden),
    ).toBe(true);
  });
});

describe('the log of calls', () => {
  it('contains endpoint, status, organizations and account without secrets', async () => {
    const token = await login(emulator);
    const { calls } = await emulator.control<{ calls: { sequence: number }[] }>('calls');
    const since = calls.at(-1)?.sequence ?? 0;
    await post(emulator, '/api/1/stop_lists', { organizationIds: ids }, token);
    await post(emulator, '/api/v2/access_token', { apiLogin: emulator.apiLogin });

    const log = await emulator.control<{ calls: object[] }>(`calls?since=${since}`);

    expect(log.calls).toMatchObject([
      {
        endpoint: '/api/1/stop_lists',
        status: 200,
        organizationIds: ids,
        account: 'main',
        durationMs: expect.any(Number),
      },
      {
        endpoint: '/api/v2/access_token',
        status: 200,
        request: { apiLogin: '***' },
        account: 'main',
      },
    ]);
    expect(JSON.stringify(log)).not.toContain(emulator.apiLogin);
  });

  it('shows token requests that overlap', async () => {
    const endpoint = '/api/v2/access_token';
    await emulator.control('fault', { kind: 'slow', endpoint, times: 2, delayMs: 3_600_000 });
    const logins = Promise.all([login(emulator), login(emulator)]);
    const calls = await eventually('both have come', async () => {
      const found = await emulator.control<{ calls: { inFlight: number }[] }>(
        `calls?endpoint=${endpoint}`,
      );
      return found.calls.at(-1)?.inFlight === 2 ? found.calls : undefined;
    });
    await emulator.control('clear-faults');
    await logins;

    expect(calls.slice(-2).map(({ inFlight }) => inFlight)).toEqual([1, 2]);
  });
});

describe('the control interface', () => {
  test.each([
    ['vanish', { menuId: '1', percent: 5 }, 'no menu 1'],
    ['vanish', MENU, 'percent: number expected'],
    ['vanish', { ...MENU, itemIds: ['x'] }, 'x is not in the menu'],
    ['rename', { itemId: 'x', name: 'y' }, 'x is in no menu'],
    ['fault', { kind: 'flood' }, 'kind: one of'],
    ['stop', { organizationId: 'x', itemIds: [] }, 'no organization x'],
    [
      'put-menu',
      { menuId: 'x', categories: [{ id: 'c', name: 'c', dishIds: ['y'] }] },
      'dishIds: y is not stated',
    ],
    ['put-menu', { menuId: 'x', dishes: ['y'] }, 'dishes: list of objects expected'],
    ['list-menu', { menuId: 'x' }, 'no menu x'],
    ['dance', {}, 'There is no POST'],
  ])('rejects %s %j', async (action, body, text) => {
    await expect(emulator.control(action, body)).rejects.toThrow(text);
  });
});
