import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { hasDirtyStopLists } from '../../../app/mirror/mark-stop-lists-dirty.ts';
import { deleteOutdated } from '../../../app/retention.ts';
import { processWebhooks } from '../../../app/webhooks/process-webhooks.ts';
import { receiveWebhook } from '../../../app/webhooks/receive-webhook.ts';
import { readWebhookQueue } from '../../../app/webhooks/webhook-queue.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { importBasics, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';
import { rounds } from '../../support/rounds.ts';

let world: MirrorWorld;
let erpIds: string[];
const metrics = createMetrics('test');
beforeAll(async () => {
  world = await mirrorWorld();
  await importBasics(world);
  erpIds = (await query<{ id: string }>('select erp_id as id from mirror_organization order by id')).map(
    (row) => row.id,
  );
});
afterAll(() => world.close());
beforeEach(async () => {
  await query('delete from webhook_event');
  await query('delete from outbox');
  await query('delete from mirror_stop_list_state');
});

const query = <T extends object>(sql: string, params: unknown[] = []) => world.db.query<T>(sql, params);
const event = (organizationId: unknown) => ({
  eventType: 'StopListUpdate',
  organizationId,
  correlationId: randomUUID(),
  eventInfo: null,
});
const receive = (...organizationIds: unknown[]) =>
  receiveWebhook({ db: world.db, metrics }, organizationIds.map(event));
const outcomes = () => query('select outcome, count(*) as count from webhook_event group by outcome order by outcome');
const asked = () => query(`select payload from outbox where event = 'ErpStopListsMarked'`);
const marks = () =>
  query<{ seq: number }>('select dirty_seq as seq from mirror_stop_list_state order by organization_id');

test('events mark the stop-lists of their organizations and ask once for an import of the connection', async () => {
  await receive(erpIds[0], erpIds[1]!.toUpperCase(), erpIds[0], randomUUID(), null);
  const waiting = await readWebhookQueue(world.db);

  expect(await processWebhooks(world)).toEqual({ processed: 5 });

  expect(waiting).toMatchObject({ pending: 5, oldestAgeSeconds: expect.any(Number) });
  expect(await outcomes()).toEqual([
    { outcome: 'MARKED', count: 3 },
    { outcome: 'UNKNOWN_ORGANIZATION', count: 2 },
  ]);
  expect(await hasDirtyStopLists(world.db, world.connectionId)).toBe(true);
  expect(await asked()).toEqual([{ payload: { connectionId: world.connectionId } }]);
  expect(await readWebhookQueue(world.db)).toEqual({ pending: 0, oldestAgeSeconds: null });
});

test('a second call finds nothing', async () => {
  await receive(erpIds[0]);
  await processWebhooks(world);

  expect(await processWebhooks(world)).toEqual({ processed: 0 });
  expect(await asked()).toHaveLength(1);
});

test('events of several processors at once are each processed by one', async () => {
  for (let round = 0; round < rounds(5); round += 1) {
    await query('delete from mirror_stop_list_state');
    await Promise.all(Array.from({ length: 6 }, () => receive(erpIds[0])));
    const processed = await Promise.all(Array.from({ length: 4 }, () => processWebhooks(world)));
    await processWebhooks(world);
    const [mark] = await marks();

    expect(processed.reduce((sum, each) => sum + each.processed, 0)).toBeLessThanOrEqual(6);
    // One step raises the mark once, however many events it has: never more steps than events.
    expect(mark!.seq).toBeGreaterThanOrEqual(1);
    expect(mark!.seq).toBeLessThanOrEqual(6);
  }
  expect(await query('select 1 from webhook_event where processed_at is null')).toEqual([]);
});

test('an event that another processor has in hand is not taken twice', async () => {
  await receive(erpIds[0]);
  await world.db.transaction(async (tx) => {
    await tx.query('select 1 from webhook_event for update');

    expect(await processWebhooks(world)).toEqual({ processed: 0 });
  });
  expect(await processWebhooks(world)).toEqual({ processed: 1 });
});

test('a step that fails leaves its events pending and marks nothing', async () => {
  await receive(erpIds[0]);
  await query('alter table outbox add constraint broken check (event <> $$ErpStopListsMarked$$)');

  await expect(processWebhooks(world)).rejects.toThrow('broken');
  await query('alter table outbox drop constraint broken');

  expect(await marks()).toEqual([]);
  expect(await readWebhookQueue(world.db)).toMatchObject({ pending: 1 });
});

test('processed events are kept for a week, so that a repetition is recognized; pending ones for ever', async () => {
  await receive(erpIds[0], erpIds[0], erpIds[0]);
  await query(`update webhook_event set received_at = now() - interval '8 days'`);
  await query(
    `update webhook_event set processed_at = now(), outcome = 'MARKED' where id > (select min(id) from webhook_event)`,
  );
  await query(
    `update webhook_event set received_at = now() - interval '6 days' where id = (select max(id) from webhook_event)`,
  );

  const deleted = await deleteOutdated(world.db);

  expect(deleted['webhook_event']).toBe(1);
  expect(await query('select processed_at is null as pending from webhook_event order by id')).toEqual([
    { pending: true },
    { pending: false },
  ]);
});
