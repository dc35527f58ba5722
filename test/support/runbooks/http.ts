import { setTimeout as delay } from 'node:timers/promises';
import { adminClient, type AdminClient } from '../admin-client.ts';
import { eventually } from '../processes.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './world.ts';

const ROUTE = '/categories';
const TABLE = 'catalog_category';

const ask = (admin: AdminClient, times: number) =>
  Promise.all(Array.from({ length: times }, async () => (await admin.raw('GET', ROUTE)).status));

/** Locks the table against all other sessions. Returns a function that unlocks it. */
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

/** Alerts on the API as guests and staff experience it. */
export const HTTP_ALERTS: Provocations = {
  CarteHttpErrors: {
    made: 'the connections of requests are ended, as a database does that is restarted',
    provoke: async (world) => {
      const { admin, scrape } = world;
      const lose = async (times: number): Promise<void> => {
        const release = await lockedTable(world);
        const asked = ask(admin, times);
        await eventually('all are lost', async () => {
          await world.sql(
            `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query ~ $1`,
            [TABLE],
          );
          return Promise.race([asked, delay(50, undefined)]);
        });
        await release();
      };
      // Prometheus sees a counter grow only after it is there.
      await lose(1);
      const before = await scrape();
      await lose(10);
      return { row: { name: (name: unknown) => String(name).startsWith('Migration') }, before };
    },
  },
  CarteHttpSlow: {
    provoke: async (world) => {
      const { admin, scrape } = world;
      await ask(admin, 1);
      const before = await scrape();
      const slow = await lockedTable(world);
      const asked = ask(admin, 25);
      await delay(2_500);
      await slow();
      await asked;
      // A request that still waits while the runbook is followed.
      const release = await lockedTable(world);
      const waiting = ask(admin, 1);
      await eventually('a request waits for the lock', async () => {
        const [row] = await world.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ $1`, [
          TABLE,
        ]);
        return row;
      });
      return {
        row: { wait_event_type: 'Lock', blocked_by: (by: unknown) => Array.isArray(by) && by.length === 1 },
        before,
        undo: async () => {
          await release();
          await waiting;
        },
      };
    },
  },
  CarteDatabasePoolExhausted: {
    provoke: async (world) => {
      const small = await world.product.startApi({ DATABASE_POOL: '4' });
      const { email, password } = world.product.administrator;
      const admin = await adminClient(small.url, email, password);
      const before = await world.scrape([small]);
      const release = await lockedTable(world);
      const waiting = ask(admin, 12);
      await eventually('callers wait for a connection', async () => {
        const { samples } = await world.scrape([small]);
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
};
