import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSnapshotActivities } from '../../../activities/snapshot.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('a worker builds two menus at once, whatever asks for more, and each of them in the end', async () => {
  const { db } = database;
  const rows = menuRows(db);
  const places = await Promise.all(Array.from({ length: 6 }, () => rows.restaurant()));
  const log = createLog({ service: 'test', level: 'silent' });
  const { buildSnapshot } = createSnapshotActivities({ db, log, metrics: createMetrics('test') });
  const build = (input: { organizationId: number }): ReturnType<typeof buildSnapshot> =>
    new MockActivityEnvironment().run(buildSnapshot, input);
  const blocked = async () => {
    const waiting = await db.query(`select pid from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting.length;
  };

  const builds = await db.transaction(async (tx) => {
    await tx.query('lock table mirror_organization in access exclusive mode');
    const asked = places.map(({ organizationId }) => build({ organizationId }));
    await eventually('builds wait for the lock', async () => ((await blocked()) >= 2 ? true : undefined));
    await delay(300);
    expect(await blocked()).toBe(2);
    return asked;
  });

  expect((await Promise.all(builds)).map((each) => each.outcome)).toEqual(Array(6).fill('PUBLISHED'));
});
