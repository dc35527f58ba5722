import { setTimeout as delay } from 'node:timers/promises';
import type { Emulator } from '../../../packages/erp-emulator/server.ts';
import type { Dice } from './dice.ts';
import { isForeign, ordersAtErp, type AtErp } from './erp-weather.ts';

export type GiftItem = { productId: string; productSizeId: string | null };

export type ForeignOrders = {
  counts: {
    taken: number;
    withoutARight: number;
    edited: number;
    moved: number;
    cancelled: number;
    closed: number;
  };
  /** Gift units that operators removed, by ERP order id at that time. */
  readonly takenOut: ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

const SHARE_OF_STRANGERS = 0.3;
const CLOSED_OR_GONE = ['Closed', 'Cancelled'];

/** Simulates operators who take phone orders with gifts, and change, move, cancel or close them. */
export function startForeignOrders(options: {
  emulator: Emulator;
  organizationIds: readonly string[];
  terminalGroupIds: readonly string[];
  gifts: readonly GiftItem[];
  guests: readonly { phone: string; customerId: string }[];
  dice: Dice;
  pauseMs: readonly [number, number];
}): ForeignOrders {
  const { emulator, organizationIds, terminalGroupIds, gifts, guests, dice, pauseMs } = options;
  const counts = { taken: 0, withoutARight: 0, edited: 0, moved: 0, cancelled: 0, closed: 0 };
  const takenOut = new Map<string, number>();
  const open = async (): Promise<AtErp[]> =>
    (await ordersAtErp(emulator)).filter(
      (erp) => isForeign(erp) && !CLOSED_OR_GONE.includes(erp.order?.status ?? 'Cancelled'),
    );
  const ofOne = (act: (order: AtErp) => Promise<void>) => async (): Promise<void> => {
    const orders = await open();
    if (orders.length > 0) await act(dice.pick(orders));
  };
  const status = (orderId: string, to: string) =>
    emulator.control('delivery-status', { orderId, status: to });

  const acts: Record<string, () => Promise<void>> = {
    async take() {
      const guest = dice.pick(guests);
      const isStranger = dice.roll() < SHARE_OF_STRANGERS;
      const whom =
        dice.roll() < 0.5
          ? { phone: guest.phone }
          : { phone: guest.phone, customerId: guest.customerId };
      await emulator.control('put-delivery', {
        organizationId: dice.pick(organizationIds),
        items: [{ ...dice.pick(gifts), amount: dice.between(1, 2), price: 0 }],
        ...(isStranger ? { phone: `+7977${dice.between(1_000_000, 9_999_999)}` } : whom),
      });
      counts.taken += 1;
      if (isStranger) counts.withoutARight += 1;
    },
    edit: ofOne(async ({ id, sent }) => {
      const [line] = sent.items.filter(({ deleted }) => deleted === undefined);
      if (line?.productId === undefined) return;
      const amount = dice.between(0, 3);
      if (amount < line.amount) takenOut.set(id, (takenOut.get(id) ?? 0) + line.amount - amount);
      await emulator.control('edit-delivery', { orderId: id, productId: line.productId, amount });
      counts.edited += 1;
    }),
    move: ofOne(async ({ id }) => {
      await emulator.control('move-delivery', {
        orderId: id,
        terminalGroupId: dice.pick(terminalGroupIds),
      });
      counts.moved += 1;
    }),
    cancel: ofOne(async ({ id }) => {
      if (dice.roll() < 0.5) return;
      await status(id, 'Cancelled');
      counts.cancelled += 1;
    }),
    close: ofOne(async ({ id }) => {
      await status(id, 'Closed');
      counts.closed += 1;
    }),
  };
  const usual = ['take', 'take', 'take', 'edit', 'edit', 'move', 'cancel', 'close'];
  let isOver = false;
  let next: string[] = [];
  const working = (async () => {
    while (!isOver) {
      if (next.length === 0) next = dice.shuffled(usual);
      await acts[next.pop()!]!();
      await delay(dice.between(...pauseMs));
    }
  })();

  return {
    counts,
    takenOut,
    async stop() {
      isOver = true;
      await working;
      for (const { id } of await open()) await status(id, 'Closed');
    },
  };
}
