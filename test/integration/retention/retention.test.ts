import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createUpkeepActivities } from '../../../activities/upkeep.ts';
import { importBasics, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';
import { syncWorker, type SyncWorker } from '../../support/sync-worker.ts';

let world: MirrorWorld;
let sync: SyncWorker;
beforeAll(async () => {
  world = await mirrorWorld();
  sync = await syncWorker(world);
}, 60_000);
afterAll(async () => {
  await sync.close();
  await world.close();
});

const remaining = async () => ({
  keys: (await world.db.query<{ key: string }>('select key from idempotency_key order by key')).map((row) => row.key),
  events: (
    await world.db.query<{ reason: string }>(`select payload ->> 'reason' as reason from outbox order by 1`)
  ).map((row) => row.reason),
  sessions: (
    await world.db.query<{ days: number }>(
      `select extract(day from now() - expires_at)::int as days from access_session order by 1`,
    )
  ).map((row) => row.days),
});

async function fill(): Promise<void> {
  await world.db.query('delete from outbox');
  await world.db.query(
    `insert into idempotency_key (scope, key, fingerprint, status, created_at)
     values ('s', 'old', 'x', 201, now() - interval '25 hours'), ('s', 'young', 'x', 201, now() - interval '23 hours')`,
  );
  await world.db.query(
    `insert into outbox (event, payload, created_at, delivered_at)
     values ('CatalogChanged', '{"reason":"delivered long ago"}', now() - interval '9 days', now() - interval '8 days'),
            ('CatalogChanged', '{"reason":"delivered lately"}', now() - interval '9 days', now() - interval '6 days'),
            ('NewerEvent', '{"reason":"not delivered"}', now() - interval '90 days', null)`,
  );
  await world.db.query(
    `with member as (insert into access_user (email, full_name) values ('a@carte.test', 'A') returning id)
     insert into access_session (id, user_id, expires_at)
     select gen_random_uuid(), member.id, now() - days * interval '1 day' from member, unnest(array[31, 29]) as days`,
  );
}
const LEFT = { keys: ['young'], events: ['delivered lately', 'not delivered'], sessions: [29] };

test('what nobody needs any more is deleted, and nothing else', async () => {
  await fill();
  const { deleteOutdated } = createUpkeepActivities(sync.upkeep);
  const call = () => new MockActivityEnvironment().run(deleteOutdated);

  expect(await call()).toMatchObject({ idempotency_key: 1, outbox: 1, access_session: 1 });
  expect(await call()).toMatchObject({ idempotency_key: 0, outbox: 0, access_session: 0 });

  expect(await remaining()).toEqual(LEFT);
});

test('the reconciler does it', async () => {
  await importBasics(world);
  await world.db.query(`update idempotency_key set created_at = now() - interval '2 days'`);
  const worker = await sync.start();
  try {
    await sync.temporal.workflow.execute('reconcile', {
      workflowId: 'reconcile',
      taskQueue: sync.queues.workflows,
      args: [],
    });
  } finally {
    await worker.stop();
  }

  expect((await remaining()).keys).toEqual([]);
});
