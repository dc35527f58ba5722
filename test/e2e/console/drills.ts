import { signIn, type AdminApi } from '../../../packages/demo/seed/admin-api.ts';
import { GUEST_PHONE } from '../../../packages/demo/seed/catalog.ts';
import type { Dish } from '../../../packages/demo/seed/products.ts';
import { ensureTroubles, placeOrder, preparedOrder } from '../../../packages/demo/seed/troubles.ts';
import type { AdminClient } from '../../support/admin-client.ts';
import type { Browser } from '../../support/browser.ts';
import { newPicture } from '../../support/pictures.ts';
import { eventually } from '../../support/processes.ts';
import type { Hands, Language } from './drill.ts';
import type { ConsoleProduct } from './product.ts';

type List<Item> = { items: Item[]; total: number };
type Versioned = { version: number };

/** A job of staff with its maximum number of clicks. */
export type Drill = {
  name: string;
  most: number;
  theme?: 'dark';
  width?: number;
  prepare(
    fixture: ConsoleProduct,
    browser: Browser,
    language: Language,
  ): Promise<(hands: Hands) => Promise<void>>;
};

const until = (what: string, holds: () => Promise<boolean>) =>
  eventually(what, async () => ((await holds()) ? true : undefined));

/** A product that the search finds first by its name and by the SKU of its dish. */
async function findable(admin: AdminClient): Promise<{ id: number; name: string; sku: string }> {
  const { items } = await admin.get<List<{ id: number; name: string }>>(
    '/products?status=PUBLISHED&size=50',
  );
  for (const { id, name } of items) {
    const variants = await admin.get<List<{ erpSku: string | null }>>(`/products/${id}/variants`);
    const sku = variants.items[0]?.erpSku;
    if (sku === null || sku === undefined) continue;
    const isFirst = async (q: string) =>
      (await admin.get<List<{ id: number }>>(`/products?size=6&q=${encodeURIComponent(q)}`))
        .items[0]?.id === id;
    if ((await isFirst(name)) && (await isFirst(sku))) return { id, name, sku };
  }
  throw new Error('There is no product that the search finds first.');
}

const dishIsMissing: Drill = {
  name: 'a dish is missing in the menu',
  most: 3,
  async prepare({ admin }, _browser, language) {
    const { id, name, sku } = await findable(admin);
    await admin.post(`/products/${id}/unpublish`);
    return async ({ find, enter, click, text }) => {
      await find(language === 'ru' ? sku : name);
      await enter();
      await click('main tbody a', text('missing.repair'));
      await click('main button', text('product.publish'));
      await until(
        'it is published',
        async () => (await admin.get<{ status: string }>(`/products/${id}`)).status === 'PUBLISHED',
      );
    };
  },
};

type Run = { id: number; status: string; reason: string | null };
const MENU = '9002';

/** Starts an import that has lost most dishes, unless an import is already held back. */
async function heldBack({ admin, product }: ConsoleProduct): Promise<number> {
  const open = await admin.get<List<{ details: { runId: number } }>>(
    '/notifications?open=true&kind=SUSPICIOUS_SHRINK',
  );
  if (open.items[0] !== undefined) return open.items[0].details.runId;
  await product.emulator.control('vanish', { menuId: MENU, percent: 70 });
  const { runId } = await admin.post<{ runId: number }>('/sync/run', {
    job: 'MENU',
    scope: MENU,
    mode: 'FULL',
  });
  await until(
    'the import is held back',
    async () => (await admin.get<Run>(`/sync/runs/${runId}`)).status === 'FAILED',
  );
  return runId;
}

const importIsStuck: Drill = {
  name: 'an import is held back',
  most: 3,
  width: 390,
  async prepare(fixture) {
    const id = await heldBack(fixture);
    return async ({ click, type, enter, text }) => {
      await click(`main a[href$="/sync/runs/${id}"]`);
      await click('main button', text('run.accept'));
      await type('Dishes of the season have ended');
      await enter();
      await until('the notification is closed', async () => {
        const open = await fixture.admin.get<List<unknown>>(
          '/notifications?open=true&kind=SUSPICIOUS_SHRINK',
        );
        return open.total === 0;
      });
    };
  },
};

const importHangs: Drill = {
  name: 'an import hangs',
  most: 3,
  async prepare({ admin, product }) {
    await product.emulator.control('fault', {
      kind: 'no-answer',
      endpoint: '/api/1/terminal_groups',
      times: 5,
    });
    const { items } = await admin.get<List<{ id: number }>>('/connections');
    const run = { job: 'TERMINALS', scope: String(items[0]!.id), mode: 'FULL' };
    const { runId } = await admin.post<{ runId: number }>('/sync/run', run);
    await until(
      'it runs',
      async () => (await admin.get<Run>(`/sync/runs/${runId}`)).status === 'RUNNING',
    );
    return async ({ click, type, enter, text }) => {
      await click(`main a[href$="/sync/runs/${runId}"]`);
      await click('main button', text('run.cancel'));
      await type('It does not answer');
      await enter();
      await until(
        'it is canceled',
        async () => (await admin.get<Run>(`/sync/runs/${runId}`)).reason === 'CANCELLED',
      );
      await product.emulator.control('clear-faults', {});
    };
  },
};

const guestAsksForGift: Drill = {
  name: 'a guest asks for the gift',
  most: 3,
  async prepare({ admin }, browser) {
    const gifts = await admin.get<List<{ id: string; rewardId: number; status: string }>>(
      `/compensations?status=GRANTED&client=${encodeURIComponent(GUEST_PHONE)}`,
    );
    const gift = gifts.items[0]!;
    const reward = (
      await admin.get<List<Versioned & { id: number }>>('/rewards?size=100')
    ).items.find(({ id }) => id === gift.rewardId)!;
    await admin.patch(`/rewards/${reward.id}`, { version: reward.version, isActive: false });
    return async ({ find, enter, click, text }) => {
      await find(GUEST_PHONE);
      await enter();
      await click(`main a[href$="/gifts/${gift.id}"]`);
      const reason = text('giftRule.REWARD_ACTIVE');
      await browser.until(
        'the reason',
        `[...document.querySelectorAll('main li')].some((each) => each.textContent.includes(${JSON.stringify(reason)}) && each.textContent.includes(${JSON.stringify(text('missing.fails'))}))`,
      );
      const { version } = await admin.get<Versioned>(`/rewards/${reward.id}`);
      await admin.patch(`/rewards/${reward.id}`, { version, isActive: true });
    };
  },
};

type Order = { orderId: string; number: string; status: string };

const demoClient = ({ api, product: { administrator } }: ConsoleProduct): Promise<AdminApi> =>
  signIn(api.url, administrator.email, administrator.password);

async function failedOrder(fixture: ConsoleProduct): Promise<Order> {
  const { admin, product, api } = fixture;
  const failed = () => admin.get<List<Order>>('/orders?status=FAILED&size=1&sort=createdAt,desc');
  if ((await failed()).total === 0) {
    const demo = await demoClient(fixture);
    const [connection] = await demo.all<{ id: number }>('/connections');
    const place = { baseUrl: api.url, emulatorUrl: product.emulator.url };
    await ensureTroubles(demo, connection!, { dishes: await demo.all<Dish>('/erp/items'), place });
  }
  return (await failed()).items[0]!;
}

const CREATE = '/api/1/deliveries/create';

/** Sets the minutes in which an order must reach the ERP; null sets the default. */
async function setSendMinutes(admin: AdminClient, value: number | null): Promise<void> {
  const { version } = await admin.get<Versioned>('/settings/order_send_minutes');
  await admin.patch('/settings/order_send_minutes', { version, value });
}

/** Places an order that waits because the ERP accepts no orders. Returns its id. */
export async function waitingOrder(fixture: ConsoleProduct): Promise<string> {
  await fixture.product.emulator.control('fault', {
    kind: '429',
    endpoint: CREATE,
    times: 99,
    retryAfter: 0,
  });
  return acceptedOrder(fixture);
}

/** Places an order that the ERP does not accept in time. Returns its id. */
async function unsentOrder(fixture: ConsoleProduct): Promise<string> {
  const { admin, product } = fixture;
  await setSendMinutes(admin, 1);
  const orderId = await waitingOrder(fixture);
  await until(
    'its deadline passes',
    async () => (await admin.get<Order>(`/orders/${orderId}`)).status === 'FAILED',
  );
  await product.emulator.control('clear-faults', {});
  await setSendMinutes(admin, null);
  return orderId;
}

async function acceptedOrder(fixture: ConsoleProduct): Promise<string> {
  const demo = await demoClient(fixture);
  const dishes = await demo.all<Dish>('/erp/items');
  const dish = dishes.find(
    (of) => of.boundProduct !== null && of.productCategory?.name === 'Детское меню',
  );
  const place = { baseUrl: fixture.api.url, emulatorUrl: fixture.product.emulator.url };
  return placeOrder(place, await preparedOrder(demo, place, dish!));
}

const guestIsOwedGift: Drill = {
  name: 'a guest is owed a gift',
  most: 3,
  async prepare(fixture) {
    const { orderId, number } = await failedOrder(fixture);
    const granted = async () =>
      (
        await fixture.admin.get<List<{ sourceOrderId: string | null }>>('/compensations?size=100')
      ).items.filter(({ sourceOrderId }) => sourceOrderId === orderId).length;
    const before = await granted();
    return async ({ find, enter, click, text }) => {
      await find(number);
      await enter();
      await click('main a', text('order.grant'));
      await click('main form button[type=submit]', text('gifts.grant'));
      await until('it is granted', async () => (await granted()) === before + 1);
    };
  },
};

type Overview = { organizations: { organizationId: number; name: string; busy: object | null }[] };

const restaurantIsOverloaded: Drill = {
  name: 'a restaurant is overloaded',
  most: 2,
  async prepare({ admin }) {
    const busy = async () =>
      (await admin.get<Overview>('/organizations/overview')).organizations.filter(
        (of) => of.busy !== null,
      );
    return async ({ click, text }) => {
      await click('nav a', text('restaurants.title'));
      await click('main tbody button', text('restaurants.plus', { minutes: 20 }));
      await until('it is busy', async () => (await busy()).length === 1);
      const [restaurant] = await busy();
      await admin.raw('DELETE', `/organizations/${restaurant!.organizationId}/busy`);
    };
  },
};

const orderIsNotSent: Drill = {
  name: 'an order did not reach the ERP',
  most: 3,
  theme: 'dark',
  async prepare(fixture) {
    const orderId = await unsentOrder(fixture);
    return async ({ click, type, enter, text }) => {
      await click(`main a[href$="/orders/${orderId}"]`);
      await click('main button', text('order.sendAgain'));
      await type('The guest waits');
      await enter();
      await until('it is at the ERP', async () => {
        const { status } = await fixture.admin.get<Order>(`/orders/${orderId}`);
        return !['FAILED', 'ACCEPTED'].includes(status);
      });
    };
  },
};

type Item = {
  itemId: string;
  productCategory: { id: string } | null;
  sizes: { priceMin: number | null }[];
};

/** A dish on the first page of new dishes, with a price and with products of its category. */
async function sellableItem(admin: AdminClient): Promise<string> {
  const known = await admin.get<List<Item>>('/erp/items?bound=true&size=200');
  const categories = new Set(known.items.map(({ productCategory }) => productCategory?.id));
  const { items } = await admin.get<List<Item>>('/erp/items?triage=NEW&size=50');
  const found = items.find(
    ({ productCategory, sizes }) =>
      categories.has(productCategory?.id) && sizes.every(({ priceMin }) => priceMin !== null),
  );
  if (found === undefined) throw new Error('There is no new dish with a price.');
  return found.itemId;
}

const newDish: Drill = {
  name: 'a new dish of the ERP goes on sale',
  most: 4,
  async prepare(fixture) {
    const { admin } = fixture;
    const picture = { name: 'dish.png', type: 'image/png', bytes: await newPicture(800, 600) };
    await (await demoClient(fixture)).upload('/media', picture, {});
    const itemId = await sellableItem(admin);
    return async ({ click, text }) => {
      await click('nav a', text('dishes.title'));
      await click(`main a[href$="/new-dishes/${itemId}"]`);
      await click(`main ul[aria-label="${text('pictures.unused')}"] button`);
      await click('main button', text('dishes.create'));
      await until('it is on sale', async () => {
        const { boundProduct } = await admin.get<{ boundProduct: { id: number } | null }>(
          `/erp/items/${itemId}`,
        );
        if (boundProduct === null) return false;
        return (
          (await admin.get<{ status: string }>(`/products/${boundProduct.id}`)).status ===
          'PUBLISHED'
        );
      });
    };
  },
};

type Availability = { organizationId: number; fulfillmentTypes: string[] };

/** Removes all settings that staff make before a restaurant opens. */
async function emptied(admin: AdminClient, id: number): Promise<void> {
  const schedule = await admin.get<Versioned>(`/organizations/${id}/schedule`);
  await admin.raw('PUT', `/organizations/${id}/schedule`, {
    version: schedule.version,
    windows: [],
  });
  const config = await admin.get<Versioned>(`/organizations/${id}/ordering`);
  const off = { version: config.version, deliveryEnabled: false, pickupEnabled: false };
  await admin.patch(`/organizations/${id}/ordering`, off);
  const methods =
    await admin.get<List<Versioned & { code: string; availability: Availability[] }>>(
      '/payment-methods',
    );
  for (const { code, version, availability } of methods.items)
    await admin.patch(`/payment-methods/${code}`, {
      version,
      availability: availability.filter(({ organizationId }) => organizationId !== id),
    });
}

const newRestaurant: Drill = {
  name: 'a new restaurant opens',
  most: 5,
  async prepare({ admin }, browser) {
    const { organizations } = await admin.get<Overview>('/organizations/overview');
    const { organizationId: id } = organizations.at(-1)!;
    await emptied(admin, id);
    return async ({ click, text }) => {
      await click('nav a[href$="/setup"]', text('setup.title'));
      await click(`main a[href$="/setup/${id}?tab=readiness"]`);
      await click('main button', text('copy.plan'));
      await click('main button', text('bulk.apply'));
      await until(
        'it is ready',
        async () =>
          (await admin.get<{ isReady: boolean }>(`/organizations/${id}/readiness`)).isReady,
      );
      await browser.until(
        'orders are accepted at noon',
        `[...document.querySelectorAll('main dd')].filter((each) => each.textContent.includes(${JSON.stringify(text('restaurants.accepting'))})).length === 2`,
      );
    };
  },
};

export const DRILLS: readonly Drill[] = [
  dishIsMissing,
  importIsStuck,
  importHangs,
  guestAsksForGift,
  guestIsOwedGift,
  restaurantIsOverloaded,
  orderIsNotSent,
  newDish,
  newRestaurant,
];
