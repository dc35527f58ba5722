import { setTimeout as delay } from 'node:timers/promises';
import type { Product } from '../product.ts';
import { adminClient, type AdminClient } from '../admin-client.ts';
import type { Truth } from '../compare-menu.ts';
import type { Dice } from './dice.ts';

/** Confirmed edits by staff. */
export type Expected = Map<number, { name?: string; status?: string }>;

export type ChangeStream = {
  expected: Expected;
  /** Dishes that leave and rejoin the ERP's menu, and may meanwhile keep a former price. */
  leavers: readonly string[];
  done: Record<string, number>;
  refused: Record<string, number>;
  stop(): Promise<void>;
};

const LEAVERS = 2;
const REQUEST_MS = 30_000;
const WEBHOOK_MODES = ['normal', 'normal', 'duplicate', 'lose', 'reorder'] as const;

/**
 * Changes the ERP and the catalog continuously. All dishes have one price, so a menu with two
 * prices reveals a partial import.
 */
export async function startChangeStream(options: {
  product: Product;
  apiUrl: string;
  menuId: string;
  organizationIds: readonly string[];
  dice: Dice;
  pauseMs: readonly [number, number];
}): Promise<ChangeStream> {
  const { product, apiUrl, menuId, organizationIds, dice, pauseMs } = options;
  const control = <T>(path: string, body?: unknown): Promise<T> =>
    product.emulator.control<T>(path, body);
  const { sizes } = await control<Truth>(
    `truth?menuId=${menuId}&organizationId=${organizationIds[0]}`,
  );
  const itemIds = [...new Set(sizes.map(({ productId }) => productId))];
  const leavers = itemIds.slice(0, LEAVERS);
  const others = itemIds.slice(LEAVERS);
  const { email, password } = product.administrator;
  let admin: AdminClient | undefined;
  const signedIn = async (): Promise<AdminClient> =>
    (admin ??= await adminClient(apiUrl, email, password));
  const first = await signedIn();
  const products = (
    await first.get<{ items: { id: number; status: string }[] }>('/products?size=200')
  ).items;
  const expected: Expected = new Map(products.map(({ id, status }) => [id, { status }]));
  const stream: ChangeStream = { expected, leavers, done: {}, refused: {}, stop };
  let wave = 100;
  let number = 0;

  const changes: Record<string, () => Promise<unknown>> = {
    wave: () => control('reprice', { menuId, price: (wave += 1) }),
    'wave again': () => control('reprice', { menuId, price: (wave += 1) }),
    bump: () => control('bump-revision', { menuId }),
    rename: () => control('rename', { itemId: dice.pick(others), name: `Блюдо ${(number += 1)}` }),
    leave: () => control('vanish', { menuId, itemIds: [dice.pick(leavers)] }),
    'come back': () => control('return', { menuId }),
    stop: () =>
      control('stop', { organizationId: dice.pick(organizationIds), itemIds: [dice.pick(others)] }),
    'free all': () => control('unstop', { organizationId: dice.pick(organizationIds) }),
    webhooks: () => control('webhook', { mode: dice.pick(WEBHOOK_MODES) }),
    edit: async () => {
      const { id } = dice.pick(products);
      const client = await signedIn();
      const { version } = await client.get<{ version: number }>(`/products/${id}`);
      const name = `Правка ${(number += 1)}`;
      await acknowledged(id, 'name', name, () =>
        client.patch(`/products/${id}`, { version, name }),
      );
    },
    move: async () => {
      const { id } = dice.pick(products);
      const client = await signedIn();
      const [move, status] =
        dice.roll() < 0.3 ? ['unpublish', 'UNPUBLISHED'] : ['publish', 'PUBLISHED'];
      await acknowledged(id, 'status', status!, () => client.post(`/products/${id}/${move}`));
    },
    'import by hand': async () => {
      const mode = dice.pick(['FULL', 'INCREMENTAL']);
      await (await signedIn()).post('/sync/run', { job: 'MENU', scope: menuId, mode });
    },
  };

  /** Records acknowledged changes. Between a request and its answer the state is undefined. */
  async function acknowledged(
    id: number,
    field: 'name' | 'status',
    value: string,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const { [field]: _unknown, ...rest } = expected.get(id) ?? {};
    expected.set(id, rest);
    await work();
    expected.set(id, { ...rest, [field]: value });
  }

  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const name = dice.pick(Object.keys(changes));
      const patience = new AbortController();
      try {
        await Promise.race([changes[name]!(), overdue(patience.signal)]);
        stream.done[name] = (stream.done[name] ?? 0) + 1;
      } catch (error) {
        // Rejections are expected while a part is down.
        stream.refused[name] = (stream.refused[name] ?? 0) + 1;
        if (String(error).includes('answered 401')) admin = undefined;
      } finally {
        patience.abort();
      }
      await delay(dice.between(...pauseMs));
    }
  })();
  async function stop(): Promise<void> {
    isOver = true;
    await running;
  }
  return stream;
}

async function overdue(signal: AbortSignal): Promise<never> {
  await delay(REQUEST_MS, undefined, { signal });
  throw new Error('no answer');
}
