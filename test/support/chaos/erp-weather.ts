import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Emulator } from '../../../packages/erp-emulator/server.ts';
import type { Dice } from './dice.ts';
import type { SilentProxy } from './silent-proxy.ts';

const CREATE = '/api/1/deliveries/create';
const BY_ID = '/api/1/deliveries/by_id';
const BY_REVISION = '/api/1/deliveries/by_revision';
const LOYALTY = '/api/1/loyalty/erp/customer/info';
const WEBHOOK_MODES = ['normal', 'duplicate', 'lose', 'reorder', 'null-info'] as const;

const LOYALTY_FAILURES = 30;
/** Webhooks per flood, about orders of other systems. */
const FLOOD = 200;

const SOLD_OUT = 0.05;

export type AtErp = {
  id: string;
  organizationId: string;
  creationStatus: 'InProgress' | 'Success' | 'Error';
  order: { status: string; movedToDeliveryId: string | null } | null;
  sent: {
    /** The id in the request, which only our orders have. */
    id: string;
    payments: { sum: number }[];
    items: { productId?: string; amount: number; price?: number; deleted?: object }[];
    deliveryPoint?: object;
    sourceKey?: string;
  };
};

export const isForeign = ({ sent }: AtErp): boolean => sent.sourceKey === 'call-centre';

export const ordersAtErp = async (emulator: Emulator): Promise<AtErp[]> =>
  (await emulator.control<{ deliveries: AtErp[] }>('deliveries')).deliveries;

export type ErpWeather = {
  done: Record<string, number>;
  calm(): Promise<void>;
};

/** Causes each kind of ERP failure in turn. */
export function startErpWeather(options: {
  emulator: Emulator;
  way: SilentProxy;
  terminalGroupIds: readonly string[];
  organizationId: string;
  itemIds: readonly string[];
  giftIds: readonly string[];
  webhook: { url: string; token: string };
  dice: Dice;
  pauseMs: readonly [number, number];
}): ErpWeather {
  const {
    emulator,
    way,
    terminalGroupIds,
    organizationId,
    itemIds,
    giftIds,
    webhook,
    dice,
    pauseMs,
  } = options;
  const fault =
    (kind: string, more: object = {}) =>
    () =>
      emulator.control('fault', { kind, ...more });
  const someOrder = async (): Promise<AtErp | undefined> => {
    const going = (await ordersAtErp(emulator)).filter(
      ({ creationStatus, order }) =>
        creationStatus === 'Success' &&
        order !== null &&
        !['Closed', 'Cancelled'].includes(order.status),
    );
    return going.length === 0 ? undefined : dice.pick(going);
  };
  const terminal = (one: object, other: object) => async (): Promise<void> => {
    const terminalGroupId = dice.pick(terminalGroupIds);
    await emulator.control('terminal', { terminalGroupId, ...one });
    await delay(500);
    await emulator.control('terminal', { terminalGroupId, ...other });
  };
  /** Sends webhooks about orders that the product does not have. */
  async function foreignWebhooks(): Promise<void> {
    const events = Array.from({ length: FLOOD }, () => ({
      eventType: 'DeliveryOrderUpdate',
      eventTime: new Date().toISOString().replace('T', ' ').replace('Z', ''),
      organizationId,
      correlationId: randomUUID(),
      eventInfo: {
        id: randomUUID(),
        organizationId,
        timestamp: Date.now(),
        creationStatus: 'Success',
        order: { status: 'OnWay' },
      },
    }));
    const answer = await fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: webhook.token },
      body: JSON.stringify(events),
      // The API may be down.
    }).catch(() => null);
    await answer?.body?.cancel();
  }
  const weather: Record<string, () => Promise<unknown>> = {
    'loyalty fails': fault('500', { endpoint: LOYALTY, times: LOYALTY_FAILURES }),
    'foreign webhooks': foreignWebhooks,
    'too much data': async () => {
      await emulator.control('delivery-settings', { mostOrders: 1 });
      await delay(2_500);
      await emulator.control('delivery-settings', { mostOrders: null });
    },
    'error 500': fault('500', { endpoint: CREATE }),
    'foreign 502': fault('502-html', { endpoint: dice.pick([CREATE, BY_ID]) }),
    'too many': fault('429', { endpoint: CREATE, retryAfter: 1 }),
    'time-out of the terminal': fault('408', { endpoint: CREATE }),
    'half an answer': fault('truncated-json', { endpoint: CREATE }),
    'created without an answer': fault('no-answer', { endpoint: CREATE, delayMs: 1_500 }),
    'no answer to a look': fault('no-answer', { endpoint: BY_ID, delayMs: 1_500 }),
    'no answer to a poll': fault('no-answer', { endpoint: BY_REVISION, delayMs: 1_500 }),
    'revision too old': fault('revision-too-old'),
    'refused at once': fault('order-error', { code: 'ProductNotFound' }),
    'refused later': fault('order-error-later', { code: 'Common' }),
    stuck: fault('order-stuck'),
    'other webhooks': () => emulator.control('webhook', { mode: dice.pick(WEBHOOK_MODES) }),
    'slow terminal': terminal({ slowMs: 1_500 }, { slowMs: 0 }),
    'dead terminal': terminal({ alive: false }, { alive: true }),
    moved: async () => {
      const order = await someOrder();
      if (order === undefined) return;
      await emulator.control('move-delivery', {
        orderId: order.id,
        terminalGroupId: dice.pick(terminalGroupIds),
      });
    },
    'cancelled by the restaurant': async () => {
      const order = await someOrder();
      if (order !== undefined && dice.roll() < 0.3)
        await emulator.control('delivery-status', { orderId: order.id, status: 'Cancelled' });
    },
    'sold out': async () => {
      const some = dice.shuffled(itemIds).slice(0, Math.ceil(itemIds.length * SOLD_OUT));
      await emulator.control('stop', { organizationId, itemIds: some });
      // No webhook follows, so we may not notice the stops.
      await delay(1_000);
      await emulator.control('unstop', { organizationId, itemIds: some });
    },
    'no gifts left': async () => {
      await emulator.control('stop', { organizationId, itemIds: giftIds });
      await delay(1_500);
      await emulator.control('unstop', { organizationId, itemIds: giftIds });
    },
    'silent network': () =>
      way.cut(dice.between(300, 1_500), dice.pick(['everything', 'answers'] as const)),
  };
  const done: Record<string, number> = {};
  let isOver = false;
  const names = Object.keys(weather);
  let order = dice.shuffled(names);
  const running = (async () => {
    while (!isOver) {
      const name = order.pop()!;
      if (order.length === 0) order = dice.shuffled(names);
      await weather[name]!();
      done[name] = (done[name] ?? 0) + 1;
      await delay(dice.between(...pauseMs));
    }
  })();

  return {
    done,
    async calm() {
      isOver = true;
      await running;
      await emulator.control('clear-faults');
      await emulator.control('delivery-settings', { mostOrders: null });
      await emulator.control('webhook', { mode: 'normal' });
      for (const { id, creationStatus } of await ordersAtErp(emulator))
        if (creationStatus === 'InProgress')
          await emulator.control('settle-delivery', { orderId: id });
    },
  };
}
