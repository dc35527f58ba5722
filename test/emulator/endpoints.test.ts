import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import {
  DEMO_API_LOGIN,
  DEMO_API_LOGIN_SECOND,
  startEmulator,
  toApiLogin,
} from '../../packages/erp-emulator/server.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';
import { listItems, login, menu, organizationIds, post } from './client.ts';
import type { MenuBody } from './client.ts';

const FORM_A = { correlationId: expect.any(String), errorDescription: expect.any(String) };

let emulator: Emulator;
let token: string;
let ids: string[];
beforeAll(async () => {
  emulator = await startEmulator({ size: 'small' });
});
beforeEach(async () => {
  await emulator.control('reset', { seed: 1 });
  await emulator.control('token-life', { seconds: 3600 });
  token = await login(emulator);
  ids = await organizationIds(emulator);
});
afterAll(() => emulator.stop());

describe('the access token', () => {
  it('belongs to the login that the emulator names, in every data set', () => {
    expect([emulator.apiLogin, DEMO_API_LOGIN]).toEqual([
      'demo-api-login-7f3c',
      'demo-api-login-7f3c',
    ]);
  });

  it('lasts one hour by its own claims', async () => {
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, number>;

    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
  });

  it('can be requested with the three-field format too', async () => {
    const body = { apiKey: emulator.apiLogin, appId: ids[0], clientSecret: 'any' };

    const reply = await post(emulator, '/api/v2/access_token', body);

    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ correlationId: expect.any(String), token: expect.any(String) });
  });

  test.each([
    ['an unknown login', { apiLogin: 'nobody' }, 401],
    ['neither form', {}, 400],
    ['half of the three-field form', { apiKey: 'x' }, 400],
  ])('cannot be requested with %s', async (_, body, status) => {
    const reply = await post(emulator, '/api/v2/access_token', body);

    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject(FORM_A);
  });

  test.each([
    ['missing', undefined],
    ['unknown', 'x.y.z'],
  ])('causes 401 when it is %s', async (_, wrong) => {
    const reply = await post(emulator, '/api/1/organizations', {}, wrong);

    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject(FORM_A);
  });

  it('expires at the end of its lifetime', async () => {
    await emulator.control('token-life', { seconds: 0 });
    const expired = await login(emulator);

    expect((await post(emulator, '/api/2/menu', {}, expired)).status).toBe(401);
    expect((await post(emulator, '/api/2/menu', {}, token)).status).toBe(200);
  });

  it('stops working when tokens are revoked', async () => {
    await emulator.control('revoke-tokens');

    expect((await post(emulator, '/api/2/menu', {}, token)).status).toBe(401);
    expect((await post(emulator, '/api/2/menu', {}, await login(emulator))).status).toBe(200);
  });
});

describe('the dictionaries of the emulator', () => {
  it('contain organizations in the long format with the address at the root', async () => {
    const reply = await post(
      emulator,
      '/api/1/organizations',
      { organizationIds: null, returnAdditionalInfo: true },
      token,
    );

    expect(reply.body.organizations).toHaveLength(2);
    expect(reply.body.organizations).toMatchObject([
      {
        responseType: 'Extended',
        id: ids[0],
        restaurantAddress: expect.any(String),
        latitude: expect.any(Number),
      },
      { responseType: 'Extended', id: ids[1] },
    ]);
  });

  it('contain organizations in the short format by default', async () => {
    const reply = await post(
      emulator,
      '/api/1/organizations',
      { organizationIds: [ids[1]] },
      token,
    );

    const row = {
      responseType: 'Simple',
      id: ids[1],
      name: expect.any(String),
      code: expect.any(String),
      externalData: null,
    };
    expect(reply.body.organizations).toEqual([row]);
  });

  it('contain terminal groups by organization', async () => {
    const reply = await post(
      emulator,
      '/api/1/terminal_groups',
      { organizationIds: [ids[0], 'unknown'] },
      token,
    );

    expect(reply.body.terminalGroups).toMatchObject([
      { organizationId: ids[0], items: [{ organizationId: ids[0] }, {}] },
    ]);
    expect(reply.body.terminalGroupsInSleep).toEqual([]);
  });

  it('contain menus with text ids and price categories', async () => {
    const reply = await post(emulator, '/api/2/menu', {}, token);

    expect(reply.body.externalMenus).toEqual([{ id: '9001', name: 'Меню сайта' }]);
    expect(reply.body.priceCategories).toHaveLength(3);
  });

  it('contain for a second account only its own organizations and menu', async () => {
    const demo = await startEmulator({ size: 'demo' });
    try {
      const second = await login(demo, DEMO_API_LOGIN_SECOND);
      const [seen, menus, refused] = await Promise.all([
        post(demo, '/api/1/organizations', {}, second),
        post(demo, '/api/2/menu', {}, second),
        post(demo, '/api/menu/v3/by_id', { externalMenuId: '9001', organizationIds: ids }, second),
      ]);
      const all = await organizationIds(demo);

      expect(seen.body.organizations).toMatchObject([{ id: all[10] }, { id: all[11] }]);
      expect(menus.body.externalMenus).toMatchObject([{ id: '9002' }]);
      expect(refused.status).toBe(400);
    } finally {
      await demo.stop();
    }
  });

  it('divide a large chain among any number of credentials', async () => {
    const large = await startEmulator({ size: 'small', growth: { organizations: 7, accounts: 3 } });
    try {
      const { organizations: all } = await large.control<{ organizations: { id: string }[] }>(
        'state',
      );
      const seen = [];
      for (const account of [1, 2, 3]) {
        const reply = await post(
          large,
          '/api/1/organizations',
          {},
          await login(large, toApiLogin(account)),
        );
        seen.push((reply.body.organizations as { id: string }[]).map(({ id }) => id));
      }

      expect(seen.map((entry) => entry.length)).toEqual([3, 3, 1]);
      expect(seen.flat()).toEqual(all.map(({ id }) => id));
    } finally {
      await large.stop();
    }
  });

  it('answer a wrong path like a missing right', async () => {
    expect((await post(emulator, '/api/1/nothing', {}, token)).status).toBe(401);
  });
});

describe('a menu of the emulator', () => {
  const ask = (body: object): ReturnType<typeof post> =>
    post(emulator, '/api/menu/v3/by_id', { externalMenuId: '9001', ...body }, token);

  test.each([
    ['no organization', { organizationIds: [] }],
    [
      'more than ten organizations',
      { organizationIds: Array.from({ length: 11 }, (_, index) => `id-${index}`) },
    ],
    [
      'an organization the key does not know',
      { organizationIds: ['00000000-0000-4000-8000-000000000000'] },
    ],
    ['an unknown menu', { externalMenuId: '1', organizationIds: ['x'] }],
    ['an unknown price category', { priceCategoryId: 'x', organizationId: 'x' }],
  ])('cannot be requested with %s', async (_, body) => {
    const reply = await ask(body);

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject(FORM_A);
  });

  it('can be requested for ten organizations', async () => {
    expect((await ask({ organizationIds: Array.from({ length: 10 }, () => ids[0]) })).status).toBe(
      200,
    );
  });

  it('contains the revision and empty lists for a client that has it', async () => {
    const full = await menu(emulator);
    const reply = await ask({ organizationIds: ids, startRevision: full.revision });

    expect(full.formatVersion).toBe(3);
    expect(reply.body).toMatchObject({
      revision: full.revision,
      products: [],
      modifiers: [],
      itemsGroups: [],
    });
  });

  it('contains everything for an older and for a newer start revision', async () => {
    const full = await menu(emulator);

    for (const startRevision of [1, (full.revision ?? 0) + 100]) {
      expect(await menu(emulator, { startRevision })).toEqual(full);
    }
  });

  it('contains the plain price for a single requested organization', async () => {
    const one = await menu(emulator, { organizationIds: ids.slice(0, 1) });
    const sizes = listItems(one).flatMap((item) => item.sizePrices ?? []);

    expect(
      sizes.every(
        ({ price, prices }) => price !== undefined && (prices?.[0]?.price ?? null) === price,
      ),
    ).toBe(true);
  });

  it('uses plain v3 for a single organizationId', async () => {
    const { body } = await ask({ organizationId: ids[0], startRevision: 4182, asyncMode: true });
    const plain = body as unknown as MenuBody;
    const sizes = listItems(plain).flatMap((item) => item.sizePrices ?? []);

    expect(plain).not.toHaveProperty('revision');
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.every((size) => size.price !== undefined && !('prices' in size))).toBe(true);
  });

  it('contains prices by category, and the base price without one', async () => {
    const { priceCategories } = await emulator.control<{
      priceCategories: { id: string; factor: number }[];
    }>('state');
    const priceIn = async (priceCategoryId: string | null): Promise<number> => {
      const body = await menu(emulator, { priceCategoryId });
      const priced = body.modifiers
        .flatMap(({ sizePrices }) => sizePrices)
        .flatMap(({ prices }) => prices ?? []);
      return priced.reduce((sum, { price }) => sum + (price ?? 0), 0);
    };

    const [base, nil, cheaper, dearer] = await Promise.all([
      priceIn(null),
      ...priceCategories.map(({ id }) => priceIn(id)),
    ]);

    expect(nil).toBe(base);
    expect(cheaper).toBeLessThan(base ?? 0);
    expect(dearer).toBeGreaterThan(base ?? 0);
  });
});

describe('the delivery restrictions', () => {
  it('form one map for each visible organization, linked by the names of zones', async () => {
    const ask = (body: object) => post(emulator, '/api/1/delivery_restrictions', body, token);

    const reply = await ask({ organizationIds: [ids[0], '00000000-0000-4000-8000-0000000000ff'] });

    expect((await ask({})).status).toBe(400);
    const maps = reply.body.deliveryRestrictions as {
      organizationId: string;
      deliveryZones: { name: string; coordinates: object[] }[];
      restrictions: { zone: string }[];
    }[];
    expect(maps.map(({ organizationId }) => organizationId)).toEqual([ids[0]]);
    const zones = maps[0]!.deliveryZones;
    expect(new Set(maps[0]!.restrictions.map(({ zone }) => zone))).toEqual(
      new Set(zones.map(({ name }) => name.trim())),
    );
    expect(zones[0]!.coordinates[0]).toEqual({
      latitude: expect.any(Number),
      longitude: expect.any(Number),
    });
  });
});

describe('the stop-lists of the emulator', () => {
  it('nest rows in terminal groups in organizations, with sizes on request', async () => {
    await emulator.control('unstop', { organizationId: ids[0] });
    await emulator.control('stop', {
      organizationId: ids[0],
      itemIds: ['dish'],
      sizeId: 'size',
      balance: 1.5,
    });
    const ask = (extra: object): ReturnType<typeof post> =>
      post(emulator, '/api/1/stop_lists', { organizationIds: [ids[0]], ...extra }, token);

    const [plain, sized] = await Promise.all([ask({}), ask({ returnSize: true })]);
    const row = {
      productId: 'dish',
      balance: 1.5,
      sku: null,
      dateAdd: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
    };

    const list = (stop: object): object[] => [
      {
        organizationId: ids[0],
        items: [
          { terminalGroupId: expect.any(String), items: [stop] },
          { terminalGroupId: expect.any(String), items: [stop] },
        ],
      },
    ];
    expect(plain.body.terminalGroupStopLists).toEqual(list(row));
    expect(sized.body.terminalGroupStopLists).toEqual(list({ ...row, sizeId: 'size' }));
  });

  it('omit an organization without stops', async () => {
    await emulator.control('unstop', { organizationId: ids[0] });

    const reply = await post(emulator, '/api/1/stop_lists', { organizationIds: [ids[0]] }, token);

    expect(reply.body.terminalGroupStopLists).toEqual([]);
  });
});
