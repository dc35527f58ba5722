import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { hasDirtyStopLists } from '../../../modules/mirror/mark-stop-lists-dirty.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import { receiveWebhook } from '../../../modules/erp-webhooks/receive-webhook.ts';
import { readWebhookQueue } from '../../../modules/erp-webhooks/webhook-event.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { repetitions } from '../../support/repetitions.ts';
import { asOwner } from '../../support/database-roles.ts';
import { ago, countRows, deleteRows, selectRows, updateRows } from '../../support/rows.ts';

let fixture: TestFixture;
let erpIds: string[];
const metrics = createMetrics('test');
beforeAll(async () => {
  fixture = await mirrorFixture();
  await importBasics(fixture);
  erpIds = (
    await selectRows(fixture.db, 'mirror_organization', ['erpId as id'], {}, { orderBy: 'id' })
  ).map((row) => row.id);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await deleteRows(fixture.db, 'webhook_event');
  await deleteRows(fixture.db, 'outbox');
  await deleteRows(fixture.db, 'mirror_stop_list_state');
});

const owner = (sql: string) => asOwner(fixture.db, sql);
const event = (organizationId: unknown) => ({
  eventType: 'StopListUpdate',
  organizationId,
  correlationId: randomUUID(),
  eventInfo: null,
});
const receiveEvents = (events: readonly object[]) =>
  receiveWebhook({ db: fixture.db, metrics }, events, { connectionId: null });
const receive = (...organizationIds: unknown[]) => receiveEvents(organizationIds.map(event));
const outcomes = () =>
  fixture.db.db
    .selectFrom('webhook_event')
    .select((row) => ['outcome', row.fn.countAll<number>().as('count')])
    .groupBy('outcome')
    .orderBy('outcome')
    .execute();
const asked = () => selectRows(fixture.db, 'outbox', ['payload'], { event: 'ErpStopListsMarked' });
const marks = () =>
  selectRows(
    fixture.db,
    'mirror_stop_list_state',
    ['dirtySeq as seq'],
    {},
    { orderBy: 'organizationId' },
  );

test('events mark the stop-lists of their organizations as outdated and trigger one import', async () => {
  const answer = await receive(erpIds[0], erpIds[1]!.toUpperCase(), erpIds[0], randomUUID(), null);

  expect(answer).toEqual({ received: 5, stored: 5 });
  expect(await outcomes()).toEqual([
    { outcome: 'MARKED', count: 3 },
    { outcome: 'UNKNOWN_ORGANIZATION', count: 2 },
  ]);
  expect(await hasDirtyStopLists(fixture.db, fixture.connectionId)).toBe(true);
  expect(await asked()).toEqual([{ payload: { connectionId: fixture.connectionId } }]);
  expect(await readWebhookQueue(fixture.db)).toEqual({ pending: 0, oldestAgeSeconds: null });
});

test('a repeated event marks nothing and triggers nothing', async () => {
  const events = [event(erpIds[0])];
  await receiveEvents(events);
  const before = [await marks(), await asked()];

  expect(await receiveEvents(events)).toEqual({ received: 1, stored: 0 });
  expect([await marks(), await asked()]).toEqual(before);
});

test('an event about an unknown organization is stored and triggers nothing', async () => {
  await receive(randomUUID());

  expect(await outcomes()).toEqual([{ outcome: 'UNKNOWN_ORGANIZATION', count: 1 }]);
  expect([await marks(), await asked()]).toEqual([[], []]);
});

test('concurrent receivers each count, for any order of their organizations', async () => {
  for (let round = 0; round < repetitions(5); round += 1) {
    await deleteRows(fixture.db, 'mirror_stop_list_state');
    const [one, two] = [erpIds[0], erpIds[1]];
    await Promise.all(
      Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? receive(one, two) : receive(two, one))),
    );

    expect(await marks()).toEqual([{ seq: 6 }, { seq: 6 }]);
  }
  expect(await countRows(fixture.db, 'webhook_event', { processedAt: null })).toBe(0);
});

test('a call that fails stores no event and changes no counter, so its retry is no duplicate', async () => {
  const events = [event(erpIds[0])];
  await owner('alter table outbox add constraint broken check (event <> $$ErpStopListsMarked$$)');

  await expect(receiveEvents(events)).rejects.toThrow('broken');
  await owner('alter table outbox drop constraint broken');

  expect([await marks(), await outcomes()]).toEqual([[], []]);
  expect(await receiveEvents(events)).toEqual({ received: 1, stored: 1 });
  expect(await marks()).toEqual([{ seq: 1 }]);
});

test('processed events are kept for a week to detect repetitions, pending ones permanently', async () => {
  await receive(erpIds[0], erpIds[0], erpIds[0]);
  await updateRows(fixture.db, 'webhook_event', { receivedAt: ago('8 days') });
  await updateRows(
    fixture.db,
    'webhook_event',
    { processedAt: null },
    {
      id: fixture.db.db
        .selectFrom('webhook_event')
        .select((row) => row.fn.min('id').as('min'))
        .$asScalar(),
    },
  );
  await updateRows(
    fixture.db,
    'webhook_event',
    { receivedAt: ago('6 days') },
    {
      id: fixture.db.db
        .selectFrom('webhook_event')
        .select((row) => row.fn.max('id').as('max'))
        .$asScalar(),
    },
  );

  const deleted = await deleteOutdated(fixture.db);

  expect(deleted['webhook_event']).toBe(1);
  expect(
    await fixture.db.db
      .selectFrom('webhook_event')
      .select((row) => row('processedAt', 'is', null).as('pending'))
      .orderBy('id')
      .execute(),
  ).toEqual([{ pending: true }, { pending: false }]);
});
