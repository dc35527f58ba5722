import { setTimeout as delay } from 'node:timers/promises';
import type { EventList } from '../../../packages/client/src/admin.ts';
import {
  PublicApi,
  watchMenu,
  watchOrder,
  withAvailability,
  type Menu,
} from '../../../packages/client/src/storefront.ts';
import { adminClient, type AdminClient } from '../admin-client.ts';
import { selectRow, selectRows } from '../rows.ts';
import { receiptDifferences, separateReceiver } from '../separate-receiver.ts';
import type { Dice } from './dice.ts';
import { supervise, type Part } from './supervise.ts';
import type { ChaosProduct } from './fixture.ts';

/** A webhook receiver that is killed, and event streams of orders and a menu. */
export type Integrations = {
  receiver: Part;
  /** Follows the stream of an order until the order ends. Skips some of many orders. */
  watch: (orderId: string, token: string | undefined) => void;
  calm(): Promise<void>;
  /**
   * Lists events that the receiver lacks or got out of order, and streams without the current
   * state.
   */
  differences: () => Promise<string[]>;
  counts(): Promise<IntegrationCounts>;
  stop(): Promise<void>;
};
export type IntegrationCounts = {
  events: number;
  stored: number;
  orders: number;
  menus: number;
  edits: number;
  opened: number;
  continued: number;
};

const FAULTS_PER_ORDER = 0.1;
const MESSAGES_PER_ORDER = 8;
const MOST_WATCHED = 40;
/** Pages must read only after stream events. */
const NEVER_MS = 24 * 3_600_000;

export async function startIntegrations(
  { product, apiUrl }: Pick<ChaosProduct, 'product' | 'apiUrl'>,
  { organizationId, dice, seed }: { organizationId: string; dice: Dice; seed: number },
): Promise<Integrations> {
  const { db, administrator } = product;
  const staff = () => adminClient(apiUrl, administrator.email, administrator.password);
  const remote = await separateReceiver(seed);
  const receiver = supervise('webhook receiver', remote.start);
  const { readTo } = await subscribe(await staff());
  const chance = FAULTS_PER_ORDER / MESSAGES_PER_ORDER;
  await remote.behave({ silent: chance / 4, fail: chance, die: chance });

  /** Creates a disabled endpoint, which starts after a recorded event. */
  async function subscribe(admin: AdminClient): Promise<{ readTo: number }> {
    type Created = { id: number; secret: string; version: number };
    const { id, secret, version } = await admin.post<Created>('/webhook-endpoints', {
      url: remote.url,
      isEnabled: false,
    });
    await remote.behave({ secrets: [secret] });
    const row = await selectRow(db, 'webhook_endpoint', ['readTo'], { id });
    await admin.patch(`/webhook-endpoints/${id}`, { version, isEnabled: true });
    return row;
  }

  async function events(): Promise<{ id: number; subject: string }[]> {
    const admin = await staff();
    const all: { id: number; subject: string }[] = [];
    for (let after = readTo; ;) {
      const page = await admin.get<EventList>(`/events?after=${after}&limit=1000`);
      all.push(...page.items);
      if (page.items.length < 1_000) return all;
      after = page.after;
    }
  }

  const ended = new AbortController();
  const streams = { opened: 0, continued: 0 };
  const api = new PublicApi({
    baseUrl: apiUrl,
    fetch: (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      if (/\/stream(\?|$)/.test(url)) {
        streams.opened += 1;
        if (new Headers(init?.headers).has('last-event-id')) streams.continued += 1;
      }
      return fetch(input, init);
    },
  });
  const statuses = new Map<string, string>();
  const problems: string[] = [];
  const watching = new Set<Promise<void>>();
  function follow(what: string, work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => void problems.push(`${what} cannot be watched: ${String(error)}`))
      .finally(() => watching.delete(done));
    watching.add(done);
  }

  const options = { intervalMs: NEVER_MS, signal: ended.signal };
  let [menu, menus]: [Menu | null, number] = [null, 0];
  follow(`the menu of ${organizationId}`, async () => {
    for await (const next of watchMenu(api, organizationId, options))
      [menu, menus] = [next, menus + 1];
  });

  let [isCalm, edits] = [false, 0];
  const editing = (async () => {
    while (!isCalm) {
      await delay(dice.between(2_000, 4_000));
      // The API may be down.
      await editProduct().then(
        () => (edits += 1),
        () => undefined,
      );
    }
  })();
  async function editProduct(): Promise<void> {
    const products = await selectRows(db, 'catalog_product', ['id', 'version'], {
      status: 'PUBLISHED',
    });
    const { id, version } = dice.pick(products);
    await (await staff()).patch(`/products/${id}`, { version, subtitle: `Edit ${edits}` });
  }

  async function streamDifferences(): Promise<string[]> {
    const orders = await selectRows(db, 'customer_order', ['id', 'state'], {
      id: [...statuses.keys()],
    });
    const present = await api.getMenu({ organization_id: organizationId });
    const lists = await api.getAvailability({ organization_id: organizationId });
    const isShown =
      JSON.stringify(menu) === JSON.stringify(withAvailability(present.data, lists.data));
    return [
      ...orders
        .filter(({ id, state }) => statuses.get(id) !== state)
        .map(
          ({ id, state }) =>
            `the stream of order ${id} shows ${statuses.get(id)}, and it is ${state}`,
        ),
      ...(isShown
        ? []
        : [`the stream shows revision ${menu?.revision} of the menu, or other availability`]),
    ];
  }

  return {
    receiver,
    watch(orderId, token) {
      if (watching.size > MOST_WATCHED || statuses.has(orderId)) return;
      statuses.set(orderId, 'nothing');
      const headers: Record<string, string> =
        token === undefined ? {} : { Authorization: `Bearer ${token}` };
      follow(`order ${orderId}`, async () => {
        for await (const { status } of watchOrder(api, orderId, { ...options, headers }))
          statuses.set(orderId, status);
      });
    },
    async calm() {
      isCalm = true;
      await editing;
      await remote.behave({ silent: 0, fail: 0, die: 0 });
      await receiver.up();
    },
    differences: async () => [
      ...problems,
      ...receiptDifferences(await remote.receipts(), await events()),
      ...(await streamDifferences()),
    ],
    counts: async () => ({
      events: (await events()).length,
      stored: (await remote.receipts()).length,
      orders: statuses.size,
      menus,
      edits,
      ...streams,
    }),
    async stop() {
      isCalm = true;
      ended.abort();
      await Promise.all([...watching, editing]);
      await receiver.stop();
      await remote.remove();
    },
  };
}
