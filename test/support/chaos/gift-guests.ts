import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { readEnv } from '../../../modules/env.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { adminClient } from '../admin-client.ts';
import { signInCustomer } from '../../../packages/demo/seed/sign-in-customer.ts';
import { eventually } from '../processes.ts';
import type { Dice } from './dice.ts';
import type { ChaosProduct } from './fixture.ts';

type GiftGuest = {
  phone: string;
  customerId: string;
  clientId: string;
  byStaff: number;
  written: number;
};

/** A customer who places an order, reserved until `leave` is called. */
export type SignedIn = { phone: string; token: string; leave: () => void };

export type GiftGuests = {
  readonly guests: readonly GiftGuest[];
  readonly itemIds: readonly string[];
  counts: { promisedByStaff: number; signedIn: number; edits: number };
  /** Returns a customer with gifts, or undefined for a guest without an account. */
  next: () => Promise<SignedIn | undefined>;
  stop(): Promise<void>;
};

const SHARE_SIGNED_IN = 0.4;
/** Customers per order; each customer places about two orders. */
const GUESTS_PER_ORDER = 0.2;
const FEWEST = 6;
const BLOCK = (name: string): string => `[COMP]${name}[/COMP]`;

/**
 * Signs up customers with gifts from all sources while operators edit their cards. The restaurant
 * switches from category markers to comments after half of the orders.
 */
export async function startGiftGuests(
  { product, apiUrl }: ChaosProduct,
  { issuer, orders, dice }: { issuer: string; orders: number; dice: Dice },
): Promise<GiftGuests> {
  const { db, emulator, administrator, env } = product;
  const staff = () => adminClient(apiUrl, administrator.email, administrator.password);
  type Chain = { dictionaries: { guestCategories: { id: string; isActive: boolean }[] } };
  const { dictionaries } = await emulator.control<Chain>('state');
  const categories = dictionaries.guestCategories
    .filter(({ isActive }) => isActive)
    .map(({ id }) => id);
  const admin = await staff();
  const { items: rewards } = await admin.get<{
    items: { id: number; name: string; erpItemId: string; version: number }[];
  }>('/rewards');
  for (const [at, { id, version }] of rewards.entries())
    await admin.patch(`/rewards/${id}`, { version, categoryId: categories[at] });
  // Scheduled checks of the items are paused between two tests.
  for (const { id } of rewards) await admin.post(`/rewards/${id}/check`, {});
  const set = async (key: string, value: unknown): Promise<void> => {
    const { items } = await (
      await staff()
    ).get<{ items: { key: string; version: number }[] }>('/settings');
    const version = items.find((item) => item.key === key)?.version ?? 0;
    await (await staff()).patch(`/settings/${key}`, { version, value });
  };
  await set('compensation_grants_per_day', 500);
  await set('gifts_per_client', 'SEVERAL');
  await set('gift_markers', { usual: 'CATEGORY', connections: {} });

  const secrets = createSecretBox(readEnv(env).ENCRYPTION_KEYS);
  const connection = await db.db.selectFrom('connection').select('id').executeTakeFirstOrThrow();
  const guests: GiftGuest[] = [];
  const counts = { promisedByStaff: 0, signedIn: 0, edits: 0 };
  for (let at = 0; at < Math.max(FEWEST, Math.ceil(orders * GUESTS_PER_ORDER)); at += 1) {
    const phone = `+7988${String(1_000_000 + at)}`;
    const reward = dice.pick(rewards);
    const way = (['STAFF', 'CATEGORY', 'COMMENT'] as const)[at % 3]!;
    const { guest } = await emulator.control<{ guest: { id: string } }>('put-customer', {
      phone,
      name: 'Гость',
      ...(way === 'CATEGORY' ? { categoryIds: [categories[rewards.indexOf(reward)]] } : {}),
      ...(way === 'COMMENT' ? { comment: `Звонить заранее. ${BLOCK(reward.name)}` } : {}),
    });
    const keys = { connectionId: connection.id, phone };
    const clientId = await db.transaction((tx) => ensureClient(tx, { secrets }, keys));
    if (way === 'STAFF') {
      const right = {
        clientPhone: phone,
        connectionId: connection.id,
        rewardId: reward.id,
        reason: 'SERVICE_ERROR',
      };
      await admin.post('/compensations', right, { 'idempotency-key': randomUUID() });
      counts.promisedByStaff += 1;
    }
    const isByStaff = way === 'STAFF';
    guests.push({
      phone,
      customerId: guest.id,
      clientId,
      byStaff: Number(isByStaff),
      written: Number(!isByStaff),
    });
  }

  const edits: ((guest: GiftGuest) => object)[] = [
    () => ({ append: ' Не звонить в дверь.' }),
    () => ({ append: ' [9 этаж]' }),
    () => ({ comment: 'Домофон не работает.' }),
    () => ({ comment: null, removeCategoryIds: categories }),
    (guest) => ((guest.written += 1), { append: ` ${BLOCK(dice.pick(rewards).name)}` }),
    (guest) => (
      (guest.written += 1),
      { addCategoryIds: [categories[dice.between(0, rewards.length - 1)]] }
    ),
  ];
  let isOver = false;
  const editing = (async () => {
    while (!isOver) {
      const guest = dice.pick(guests);
      await emulator.control('edit-customer', { id: guest.customerId, ...dice.pick(edits)(guest) });
      counts.edits += 1;
      await delay(dice.between(100, 400));
    }
  })();

  const busy = new Set<string>();
  let asked = 0;
  let isChanged: Promise<unknown> | undefined;
  return {
    guests,
    itemIds: rewards.map(({ erpItemId }) => erpItemId),
    counts,
    async next() {
      asked += 1;
      if (asked > orders / 2)
        isChanged ??= eventually('comments are read', async () => {
          // The API may be down.
          await set('gift_markers', { usual: 'COMMENT', connections: {} });
          return true;
        });
      const idle = guests.filter(({ phone }) => !busy.has(phone));
      if (dice.roll() >= SHARE_SIGNED_IN || idle.length === 0) return undefined;
      const { phone } = dice.pick(idle);
      busy.add(phone);
      counts.signedIn += 1;
      return { phone, token: await signInCustomer(issuer, phone), leave: () => busy.delete(phone) };
    },
    async stop() {
      isOver = true;
      await editing;
      await isChanged;
    },
  };
}
