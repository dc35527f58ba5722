import { setTimeout as delay } from 'node:timers/promises';
import { readAlwaysOpenRestaurant } from '../product.ts';
import { adminClient } from '../admin-client.ts';
import { PublicApi } from '../../../packages/client/src/storefront.ts';
import { deliveredHouses } from '../delivered-house.ts';
import { NO_ORDER_LIMITS } from '../order-limits.ts';
import { eventually, startEntry } from '../processes.ts';
import { QUIET_SCHEDULES } from '../quiet-schedules.ts';
import { agreement, rest } from './agreement.ts';
import { leftBehind } from './aftermath.ts';
import { createDice } from './dice.ts';
import { startErpWeather } from './erp-weather.ts';
import { startForeignOrders, type ForeignOrders } from './foreign-orders.ts';
import { giftSheet, type GiftSheet } from './gift-accounts.ts';
import { startIntegrations, type IntegrationCounts } from './integrations.ts';
import { giftCounts, giftDifferences } from './gift-aftermath.ts';
import { startGiftGuests, type GiftGuests } from './gift-guests.ts';
import { orderClients, type OrderClients } from './order-clients.ts';
import { orderDifferences } from './order-aftermath.ts';
import type { Part } from './supervise.ts';
import { killEverything, type ChaosProduct, type Kills } from './fixture.ts';
import { countRows } from '../rows.ts';

export type OrderChaosReport = {
  seed: number;
  seconds: { chaos: number; convergence: number };
  parts: Record<string, Part['counts']>;
  cuts: Record<string, { cuts: number; connectionsLost: number }>;
  weather: Record<string, number>;
  placed: number;
  clients: OrderClients['counts'];
  refused: Record<string, number>;
  orders: Record<string, number>;
  problems: string[];
  differences: string[];
  gifts: {
    rights: Record<string, number>;
    counts: GiftGuests['counts'];
    foreign: ForeignOrders['counts'];
    sheet: GiftSheet;
  };
  integrations: IntegrationCounts;
  /** Changes of the circuit, with the request and the second of the run. */
  circuit: string[];
  left: Record<string, number | string>;
};

/** Disables imports. Orders are tracked every 2 s, and calls time out after 1 s. */
export const ORDERS_ONLY = {
  ...QUIET_SCHEDULES,
  ORDER_WATCH_EVERY: '2s',
  RECONCILE_EVERY: '2s',
  TEMPORAL_STICKY_TIMEOUT: '1s',
  ERP_CONNECT_TIMEOUT: '1s',
  ERP_READ_TIMEOUT: '1s',
  DATABASE_STATEMENT_TIMEOUT: '2s',
};

/** Delivery fee in rubles, and number of addresses. */
const [FEE, HOUSES] = [149.5, 4];

export type OrderChaosOptions = Kills & {
  seed: number;
  orders: number;
  atOnce: number;
  cutsEach: number;
  workers: number;
  issuer: string;
};

/**
 * Guests order while parts are killed, connections are cut and the ERP fails. Then waits until
 * everything agrees with the ERP.
 */
export async function runOrderChaos(
  fixture: ChaosProduct,
  options: OrderChaosOptions,
): Promise<OrderChaosReport> {
  const { seed, log } = options;
  const { product, apiUrl, api, ways } = fixture;
  const { emulator, db } = product;
  const dice = createDice(seed);
  const workers = Array.from({ length: options.workers }, (_, at) =>
    fixture.superviseWorker(`worker ${at + 1}`, () => ORDERS_ONLY),
  );
  const closing = workers.map((worker) => () => worker.stop());
  try {
    await Promise.all([api, ...workers].map((part) => part.up()));
    await fixture.seeded();
    await startEntry('schedules:apply', 'workers/schedules-apply.ts', [], {
      ...product.env,
      ...ORDERS_ONLY,
    }).exited;
    const { shop, terminalGroupIds, organizationIds } = await openShop(fixture, options.orders);
    const gifts = await startGiftGuests(fixture, {
      issuer: options.issuer,
      orders: options.orders,
      dice: createDice(seed + 3),
    });
    // Before the first poll, only the daily comparison reads what operators did.
    await eventually('the first orders are asked for', async () =>
      (await countRows(db, 'order_revision')) > 0 ? true : undefined,
    );
    const integrations = await startIntegrations(fixture, {
      organizationId: shop.organizationId,
      dice: createDice(seed + 5),
      seed: seed + 6,
    });
    closing.push(() => integrations.stop());
    const parts = [...workers, api, fixture.postgres, fixture.temporal, integrations.receiver];
    // The previous test killed some parts as well.
    const before = new Map(parts.map(({ name, counts }) => [name, counts.kills]));
    log(
      `orders: ready, seed ${seed}, ${shop.menu.products.length} dishes, ${shop.houses.length} houses`,
    );

    const startedAt = Date.now();
    const weather = startErpWeather({
      emulator,
      way: ways.erp,
      terminalGroupIds,
      organizationId: shop.organizationId,
      itemIds: [
        ...gifts.itemIds,
        ...shop.menu.products.flatMap(({ variants }) => variants.map(({ erpItemId }) => erpItemId)),
      ],
      giftIds: gifts.itemIds,
      webhook: { url: `${apiUrl}/api/webhooks/erp`, token: product.env['WEBHOOK_SECRET']! },
      dice: createDice(seed + 1),
      pauseMs: [100, 500],
    });
    const foreign = startForeignOrders({
      emulator,
      organizationIds,
      terminalGroupIds,
      gifts: gifts.itemIds.map((productId) => ({ productId, productSizeId: null })),
      guests: gifts.guests,
      dice: createDice(seed + 4),
      pauseMs: [200, 600],
    });
    const cuts = (async () => {
      for (let left = options.cutsEach; left > 0;) {
        await delay(dice.between(...options.pauseMs));
        const { connectionsLost } = ways.database.counts;
        await ways.database.cut(dice.between(200, 800));
        // Repeats a cut that had no effect because PostgreSQL was down.
        if (ways.database.counts.connectionsLost > connectionsLost) left -= 1;
      }
    })();
    const [clients] = await Promise.all([
      orderClients({
        apiUrl,
        shop,
        nextGuest: gifts.next,
        count: options.orders,
        atOnce: options.atOnce,
        dice: createDice(seed + 2),
        log,
        onPlaced: integrations.watch,
      }),
      killEverything(options, dice, parts),
      cuts,
    ]);
    await gifts.stop();
    await foreign.stop();
    await weather.calm();
    await integrations.calm();
    for (const part of parts) await part.up();
    const stoppedAt = Date.now();
    log(
      `orders: ${clients.placed.size} placed, ${parts.map(({ name, counts }) => `${counts.kills} × ${name}`).join(', ')} killed; waiting for agreement`,
    );
    const differences = await agreement('orders and gifts agree with the ERP', async () => [
      ...(await orderDifferences(db, emulator, clients.placed)),
      ...(await giftDifferences(db, emulator, gifts, foreign)),
    ]);
    const unseen = await agreement(
      'a receiver and streams have everything',
      integrations.differences,
    );
    const agreedAt = Date.now();
    const left = await rest(() => leftBehind(db, fixture.client));
    const { email, password } = product.administrator;
    const admin = await adminClient(apiUrl, email, password);
    const compared = await giftSheet(
      { db, emulator },
      { temporal: fixture.client, admin, foreign },
    );
    const orders = await db.query<{ what: string; count: number }>(
      `select concat_ws(' ', state, problem) as what, count(*)::int as count from customer_order group by 1 order by 1`,
    );
    return {
      seed,
      seconds: { chaos: seconds(startedAt, stoppedAt), convergence: seconds(stoppedAt, agreedAt) },
      parts: Object.fromEntries(
        parts.map(({ name, counts }) => [
          name,
          { ...counts, kills: counts.kills - before.get(name)! },
        ]),
      ),
      cuts: { database: ways.database.counts, erp: ways.erp.counts },
      weather: weather.done,
      placed: clients.placed.size,
      clients: clients.counts,
      refused: counted(clients.refused),
      orders: Object.fromEntries(orders.map(({ what, count }) => [what, count])),
      problems: clients.problems,
      differences: [...differences, ...unseen, ...compared.differences],
      gifts: {
        rights: await giftCounts(db),
        counts: gifts.counts,
        foreign: foreign.counts,
        sheet: compared.sheet,
      },
      integrations: await integrations.counts(),
      circuit: circuitEvents(product.logs(), startedAt),
      left,
    };
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

/**
 * Opens a restaurant around the clock, with addresses, a fee and a discount for one in six orders.
 */
export async function openShop(
  { product, apiUrl }: Pick<ChaosProduct, 'product' | 'apiUrl'>,
  orders: number,
) {
  const { emulator, administrator, env } = product;
  await emulator.control('delivery-settings', { settleMs: 100, cookMs: 250 });
  await emulator.control('webhook', {
    url: `${apiUrl}/api/webhooks/erp`,
    token: env['WEBHOOK_SECRET'],
  });
  type Chain = {
    organizations: { id: string; terminalGroups: { id: string; asleep: boolean }[] }[];
  };
  const { organizations } = await emulator.control<Chain>('state');
  const organizationId = await readAlwaysOpenRestaurant(product);
  const admin = await adminClient(apiUrl, administrator.email, administrator.password);
  const discount = await admin.post<{ id: number }>('/discounts', {
    code: 'CHAOS',
    name: 'Скидка',
    percent: 10,
    needsPromocode: true,
    totalUses: Math.ceil(orders / 6),
  });
  const promocode = 'ХАОС';
  await admin.post('/promocodes', { code: promocode, discountId: discount.id });
  await admin.patch('/settings/delivery_fee', { version: 0, value: FEE });
  await admin.patch('/settings/order_limits', { version: 0, value: NO_ORDER_LIMITS });
  const storefront = new PublicApi({ baseUrl: apiUrl });
  const menu = await eventually('a menu with dishes', async () => {
    const { data } = await storefront.getMenu({ organization_id: organizationId });
    return data.products.length === 0 ? undefined : data;
  });
  return {
    shop: {
      organizationId,
      menu,
      houses: await deliveredHouses(apiUrl, organizationId, HOUSES),
      promocode,
    },
    organizationIds: organizations.map(({ id }) => id),
    terminalGroupIds: organizations.flatMap(({ terminalGroups }) =>
      terminalGroups.filter(({ asleep }) => !asleep).map(({ id }) => id),
    ),
  };
}

function circuitEvents(logs: string, startedAt: number): string[] {
  return logs
    .split('\n')
    .filter((line) => line.includes('the circuit of a connection is'))
    .map(
      (line) =>
        JSON.parse(line) as { time: string; msg: string; service: string; activity?: string },
    )
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .map(
      ({ time, msg, service, activity }) =>
        `${seconds(startedAt, Date.parse(time))} s: ${msg.split(' ').at(-1)} (${activity ?? service})`,
    );
}

function counted(list: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Map.groupBy(list, (text) => text)
      .entries()
      .map(([what, all]) => [what, all.length]),
  );
}

const seconds = (from: number, to: number): number => Math.round((to - from) / 1000);
