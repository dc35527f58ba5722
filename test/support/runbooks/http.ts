import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { adminClient, type AdminClient } from '../admin-client.ts';
import type { PublicMenu } from '../compare-menu.ts';
import { eventually } from '../processes.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './fixture.ts';
import { addRow, fromNow } from '../rows.ts';

const ROUTE = '/categories';
const TABLE = 'catalog_category';

const ask = (admin: AdminClient, times: number) =>
  Promise.all(Array.from({ length: times }, async () => (await admin.raw('GET', ROUTE)).status));

/** Locks the table. Returns a function that unlocks it. */
async function lockedTable({ db }: RunbookProduct): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await tx.query(`lock table ${TABLE} in access exclusive mode`);
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, transaction]);
  return async () => {
    released.resolve();
    await transaction;
  };
}

/** Returns a variant without modifiers that costs something, because free ones have no payment. */
async function simpleDish({ api, organization }: RunbookProduct): Promise<number> {
  const answer = await fetch(`${api.url}/api/v1/menu?organization_id=${organization.erpId}`);
  const variants = ((await answer.json()) as PublicMenu).products.flatMap(
    (product) => product.variants,
  );
  return variants.find(
    ({ available, price, modifierGroupIds }) =>
      available && price > 0 && modifierGroupIds.length === 0,
  )!.id;
}

const postTo = async <T>(api: { url: string }, path: string, body: object): Promise<T> => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const answer = await fetch(`${api.url}/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
};

export const HTTP_ALERTS: Provocations = {
  CarteHttpErrors: {
    made: 'the connections of requests are ended, as a database does that is restarted',
    provoke: async (fixture) => {
      const { admin, scrape } = fixture;
      const lose = async (times: number): Promise<void> => {
        const release = await lockedTable(fixture);
        const asked = ask(admin, times);
        await eventually('all are lost', async () => {
          await fixture.sql(
            `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query ~ $1`,
            [TABLE],
          );
          return Promise.race([asked, delay(50, undefined)]);
        });
        await release();
      };
      // Prometheus detects an increase only after the counter exists.
      await lose(1);
      const before = await scrape();
      await lose(10);
      return { row: { name: (name: unknown) => String(name).startsWith('Migration') }, before };
    },
  },
  CarteHttpSlow: {
    provoke: async (fixture) => {
      const { admin, scrape } = fixture;
      await ask(admin, 1);
      const before = await scrape();
      const slow = await lockedTable(fixture);
      const asked = ask(admin, 25);
      await delay(2_500);
      await slow();
      await asked;
      // A request that waits while the runbook is followed.
      const release = await lockedTable(fixture);
      const waiting = ask(admin, 1);
      await eventually('a request waits for the lock', async () => {
        const [row] = await fixture.sql(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ $1`,
          [TABLE],
        );
        return row;
      });
      return {
        row: {
          wait_event_type: 'Lock',
          blocked_by: (by: unknown) => Array.isArray(by) && by.length === 1,
        },
        before,
        undo: async () => {
          await release();
          await waiting;
        },
      };
    },
  },
  CarteDatabasePoolExhausted: {
    provoke: async (fixture) => {
      const small = await fixture.product.startApi({ DATABASE_POOL: '4' });
      const { email, password } = fixture.product.administrator;
      const admin = await adminClient(small.url, email, password);
      const before = await fixture.scrape([small]);
      const release = await lockedTable(fixture);
      const waiting = ask(admin, 12);
      await eventually('callers wait for a connection', async () => {
        const { samples } = await fixture.scrape([small]);
        return samples.find(
          ({ name, labels, value }) =>
            name === 'carte_database_connections' && labels['state'] === 'waiting' && value > 0,
        );
      });
      return {
        row: { application_name: 'carte-api', state: 'active', wait_event_type: 'Lock' },
        before,
        scraped: [small],
        undo: async () => {
          await release();
          await waiting;
          await small.stop();
        },
      };
    },
  },
  CarteCartsLarge: {
    made: 'the size of the table, a million times what it is',
    provoke: async (fixture) => {
      const lines = [{ variantId: await simpleDish(fixture), quantity: 1, modifiers: [] }];
      await postTo(fixture.api, '/cart', { organizationId: fixture.organization.erpId, lines });
      return {
        row: [{ is_guest: true }, { carts: (count: unknown) => Number(count) > 0 }],
        seen: (scrape) => ({
          ...scrape,
          samples: scrape.samples.map((sample) =>
            sample.name === 'carte_cart_bytes' ? { ...sample, value: sample.value * 1e6 } : sample,
          ),
        }),
      };
    },
  },
  CarteCheckoutsLimited: {
    made: 'an order that has taken a place within the limits',
    provoke: async (fixture) => {
      const { admin, db, organization, product, scrape } = fixture;
      // More orders than one client address may send.
      const api = await product.startApi({ RATE_LIMIT_ORDERING: 'off' });
      const { version } = await admin.get<{ version: number }>('/settings/guest_order_sum');
      await admin.patch('/settings/guest_order_sum', { version, value: 1 });
      const lines = [{ variantId: await simpleDish(fixture), quantity: 1, modifiers: [] }];
      const cart = await postTo<{ cartId: string; version: number }>(api, '/cart', {
        organizationId: organization.erpId,
        lines,
      });
      const refused = async (times: number): Promise<void> => {
        for (let left = times; left > 0; left -= 1) {
          const answer = await postTo<{ reasons?: string[] }>(api, '/orders', {
            cartId: cart.cartId,
            cartVersion: cart.version,
            fulfillment: { type: 'PICKUP', organizationId: organization.erpId, slotId: 'asap' },
            paymentMethod: 'CASH',
            customer: { name: 'Guest', phone: '+79990001122' },
          });
          if (answer.reasons?.includes('SIGN_IN_REQUIRED') !== true)
            throw new Error(`the order was not limited: ${JSON.stringify(answer)}`);
        }
      };
      // Prometheus detects an increase only after the counter exists.
      await refused(1);
      const before = await scrape([api]);
      await refused(25);
      await addRow(db, 'order_claim', { key: 'canary', orderId: randomUUID() });
      return {
        row: { key: 'canary' },
        before,
        scraped: [api],
        undo: async () => {
          await api.stop();
          const now = await admin.get<{ version: number }>('/settings/guest_order_sum');
          await admin.patch('/settings/guest_order_sum', { version: now.version, value: null });
        },
      };
    },
  },
  CarteGeocoderBudgetSpent: {
    made: 'a known answer of the geocoder',
    provoke: async (fixture) => {
      const { db, emulator, product, scrape } = fixture;
      await addRow(db, 'geocoder_answer', {
        key: 'canary',
        places: [],
        expiresAt: fromNow('1 day'),
      });
      const asking = await product.startApi({
        GEOCODER: 'photon',
        GEOCODER_URL: `${emulator.url}/photon`,
        GEOCODER_DAILY_CALLS: '1',
      });
      const ask = (house: number) =>
        postTo(asking, '/delivery/resolve', {
          address: { city: 'Москва', street: 'Садовая улица', house: `${house}` },
        });
      await ask(1);
      await ask(2);
      const before = await scrape([asking]);
      await ask(3);
      return {
        row: { answers: (count: unknown) => Number(count) > 0 },
        before,
        scraped: [asking],
        undo: () => asking.stop(),
      };
    },
  },
};
