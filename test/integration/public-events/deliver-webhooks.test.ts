import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { systemActor } from '../../../kernel/actor.ts';
import { deliverWebhooks } from '../../../modules/events/deliveries/deliver-webhooks.ts';
import {
  listDeliveries,
  replayEvents,
  retryDelivery,
} from '../../../modules/events/deliveries/manage-deliveries.ts';
import {
  createEndpoint,
  editEndpoint,
  getEndpoint,
} from '../../../modules/events/deliveries/manage-endpoints.ts';
import { numberEvents } from '../../../modules/events/number-events.ts';
import { recordEvents } from '../../../modules/events/record-events.ts';
import { nextAttemptMs } from '../../../modules/events/deliveries/webhook-queue.ts';
import { createLog } from '../../../platform/log.ts';
import type { WebhookRequest } from '../../../platform/webhook-sender.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import {
  addRow,
  ago,
  deleteRows,
  fromNow,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

const EVENTS = 40;
const CALLS = 4;
const HOUR_MS = 3_600_000;
const PACE = { pausesMs: [HOUR_MS], warnMs: HOUR_MS, giveUpMs: 72 * HOUR_MS };
const actor = systemActor('test');

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('[EVT-12] concurrent calls add one delivery for each event', async () => {
  const { db } = database;
  const receiver = { url: 'https://receiver.example/' };
  const { id } = await createEndpoint(
    { db, secrets: testSecrets, allowsPrivateReceivers: false },
    actor,
    receiver,
  );
  await recordEvents(
    db,
    'product.published',
    Array.from({ length: EVENTS }, (_, at) => ({
      id: at + 1,
      organizationId: null,
      data: { productId: at + 1 },
    })),
  );
  await numberEvents(db);
  const deps = {
    db,
    secrets: testSecrets,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
    sendWebhook: async () => ({ status: 503, error: null, durationMs: 1 }),
    failpoint: () => undefined,
  };
  const call = () => deliverWebhooks(deps, id, PACE, new AbortController().signal);
  // Every call has begun before the first may change the endpoint.
  let calls: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.db
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .execute();
    calls = Array.from({ length: CALLS }, call);
    await eventually('all calls wait', async () =>
      (await waitingSessions(db)) === CALLS ? true : undefined,
    );
  });
  await Promise.all(calls);
  const deliveries = await selectRows(
    db,
    'webhook_delivery',
    ['eventId'],
    { endpointId: id },
    { orderBy: 'eventId' },
  );
  const events = await selectRows(db, 'public_event', ['id as eventId'], {}, { orderBy: 'id' });

  expect(deliveries).toEqual(events);
  expect(events).toHaveLength(EVENTS);
});

describe('[EVT-11] the events of one subject', () => {
  /** An endpoint with five events, whose receiver answers `statuses` in turn. */
  async function fiveEvents(...statuses: number[]) {
    const { db } = database;
    await deleteRows(db, 'webhook_endpoint');
    const { id } = await createEndpoint(
      { db, secrets: testSecrets, allowsPrivateReceivers: false },
      actor,
      {
        url: 'https://receiver.example/',
        types: ['product.unpublished'],
      },
    );
    const data = { productId: 7, reason: null };
    for (let at = 0; at < 5; at += 1)
      await recordEvents(db, 'product.unpublished', [{ id: 7, organizationId: null, data }]);
    await numberEvents(db);
    const sent: string[] = [];
    const deps = {
      db,
      secrets: testSecrets,
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
      sendWebhook: async ({ headers }: WebhookRequest) => {
        sent.push(headers['webhook-id']!);
        return { status: statuses[sent.length - 1] ?? 204, error: null, durationMs: 1 };
      },
      failpoint: () => undefined,
    };
    const deliver = () => deliverWebhooks(deps, id, PACE, new AbortController().signal);
    const rows = () =>
      selectRows(
        db,
        'webhook_delivery',
        ['id', 'eventId', 'isPending'],
        { endpointId: id },
        { orderBy: 'id' },
      );
    return { sent, deliver, rows };
  }

  test('wait behind an event that failed', async () => {
    const { sent, deliver, rows } = await fiveEvents(204, 503);
    const { waitMs } = await deliver();
    const deliveries = await rows();

    expect(sent).toEqual(deliveries.slice(0, 2).map(({ eventId }) => `evt_${eventId}`));
    expect(deliveries.map(({ isPending }) => isPending)).toEqual([false, true, true, true, true]);
    expect(waitMs).toBeGreaterThan(HOUR_MS / 2);
  });

  test('wait for a pausing event, also when an earlier one is sent again', async () => {
    const { sent, deliver, rows } = await fiveEvents(204, 503);
    await deliver();
    const [first] = await rows();
    await retryDelivery({ db: database.db }, actor, first!.id);
    await deliver();

    expect(sent.slice(2)).toEqual([`evt_${first!.eventId}`]);
  });

  test('keep their order and are recorded together', async () => {
    const { sent, deliver, rows } = await fiveEvents();
    await deliver();
    const deliveries = await rows();

    expect(sent).toEqual(deliveries.map(({ eventId }) => `evt_${eventId}`));
    expect(deliveries.every(({ isPending }) => !isPending)).toBe(true);
  });
});

type Answer = number | { status: number; retryAfterMs: number };

/**
 * A receiver that answers each message with `answer`, and keeps the request open until `answer` has
 * resolved. `calls` has every message in order.
 */
async function receiving(answer: (subject: string, isReplay: boolean) => Answer | Promise<Answer>) {
  const { db } = database;
  for (const table of ['webhook_endpoint', 'notification', 'public_event'] as const)
    await deleteRows(db, table);
  const { id } = await createEndpoint(
    { db, secrets: testSecrets, allowsPrivateReceivers: false },
    actor,
    {
      url: 'https://receiver.example/',
      types: ['product.published'],
    },
  );
  const calls: { id: number; subject: string }[] = [];
  const deps = {
    db,
    secrets: testSecrets,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
    sendWebhook: async ({ body }: WebhookRequest) => {
      const event = JSON.parse(body) as { id: number; subject: string };
      const isReplay = calls.some((call) => call.id === event.id);
      calls.push({ id: event.id, subject: event.subject });
      const said = await answer(event.subject, isReplay);
      return {
        error: null,
        durationMs: 1,
        ...(typeof said === 'number' ? { status: said } : said),
      };
    },
    failpoint: () => undefined,
  };
  const began = () => {
    const over = new AbortController();
    const call = deliverWebhooks(deps, id, PACE, over.signal);
    return {
      async end() {
        over.abort();
        return call;
      },
    };
  };
  const deliver = async () => {
    const call = began();
    await eventually('nothing is due', async () => {
      const { isDisabled, isRead, isDue } = await db.db
        .selectFrom('webhook_endpoint')
        .select([
          sql<boolean>`not is_enabled`.as('isDisabled'),
          sql<boolean>`read_to >= (select max(id) from public_event)`.as('isRead'),
          sql<boolean>`exists (select from webhook_queue where endpoint_id = ${id} and next_attempt_at <= now())`.as(
            'isDue',
          ),
        ])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return isDisabled || (isRead && !isDue) ? true : undefined;
    });
    return call.end();
  };
  const subjects = () => calls.map(({ subject }) => subject);
  const rows = () =>
    selectRows(
      db,
      'webhook_delivery',
      ['id', 'eventId', 'subject', 'isPending', 'isReplay', 'failingSince', 'failedAt'],
      { endpointId: id },
      { orderBy: 'id' },
    );
  const age = (subject: string, hours: number) =>
    updateRows(
      db,
      'webhook_delivery',
      { failingSince: ago(`${hours} hours`) },
      { endpointId: id, subject },
    );
  const attemptNow = () =>
    updateRows(db, 'webhook_queue', { nextAttemptAt: new Date() }, { endpointId: id });
  return { id, calls, subjects, deliver, began, rows, age, attemptNow };
}

async function publish(products: readonly number[], count = 1): Promise<void> {
  const events = Array.from({ length: count }, () =>
    products.map((id) => ({ id, organizationId: null, data: { productId: id } })),
  ).flat();
  await recordEvents(database.db, 'product.published', events);
  await numberEvents(database.db);
}

describe('[EVT-36] the delivery of new events', () => {
  test('continues although 700 events of rejected subjects wait', async () => {
    const refused = [
      'product/1',
      'product/2',
      'product/3',
      'product/4',
      'product/5',
      'product/6',
      'product/7',
    ];
    const { subjects, deliver } = await receiving((subject) =>
      refused.includes(subject) ? 400 : 204,
    );
    await publish([1, 2, 3, 4, 5, 6, 7], 100);
    await publish([8]);
    await deliver();
    await publish([9]);
    await deliver();

    expect(subjects().filter((subject) => !refused.includes(subject))).toEqual([
      'product/8',
      'product/9',
    ]);
  });

  test('continues although 600 subjects are rejected, each once', async () => {
    const { subjects, deliver } = await receiving((subject) =>
      subject === 'product/1000' ? 204 : 404,
    );
    await publish(Array.from({ length: 600 }, (_, at) => at + 1));
    await publish([1_000]);
    await deliver();

    expect(subjects().filter((subject) => subject === 'product/1000')).toHaveLength(1);
    expect(new Set(subjects()).size).toBe(601);
  });

  test('continues while a replay waits for a slow receiver', async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { id, subjects, deliver, began, rows } = await receiving(async (_, isReplay) => {
      if (isReplay) await released;
      return 204;
    });
    await publish([1, 2, 3, 4, 5, 6], 20);
    await deliver();
    const range = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
    const { events } = await replayEvents({ db: database.db }, actor, { id, ...range });
    const again = await replayEvents({ db: database.db }, actor, { id, ...range });
    const call = began();
    await eventually('the replay has begun', async () =>
      subjects().length > 120 ? true : undefined,
    );
    await publish([6, 7]);
    const waiting = await eventually('the new events have arrived', async () => {
      const all = await rows();
      const isNewWaiting =
        all.length < 242 || all.some(({ isPending, isReplay }) => isPending && !isReplay);
      return isNewWaiting ? undefined : all.filter(({ isPending }) => isPending);
    });
    release();
    await eventually('the replay is complete', async () =>
      (await rows()).some(({ isPending }) => isPending) ? undefined : true,
    );
    await call.end();

    expect([events, again.events]).toEqual([120, 0]);
    expect(waiting.length).toBeGreaterThan(100);
    expect(subjects()).toHaveLength(242);
  });

  test('continues while the receiver does not answer retries of other subjects', async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isCured = false;
    const { subjects, deliver, began, rows, attemptNow } = await receiving(async (_, isRetry) => {
      if (isRetry && !isCured) await released;
      return isCured ? 204 : 500;
    });
    await publish([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    ]);
    await deliver();
    await attemptNow();
    const call = began();
    await eventually('retries are silent', async () => (subjects().length > 25 ? true : undefined));
    isCured = true;
    await publish([30]);
    await eventually('the new event has arrived', async () =>
      subjects().includes('product/30') ? true : undefined,
    );
    release();
    await eventually('all have arrived', async () =>
      (await rows()).some(({ isPending }) => isPending) ? undefined : true,
    );
    await call.end();

    expect(subjects().filter((subject) => subject === 'product/30')).toHaveLength(1);
  });
});

test('[EVT-11] events added while the last event of their subject is sent arrive in order', async () => {
  const { calls, deliver, rows } = await receiving(async () => {
    if (calls.length < 40) await publish([1, 2]);
    return 204;
  });
  await publish([1, 2]);
  await deliver();
  const events = await selectRows(
    database.db,
    'webhook_delivery',
    ['eventId'],
    {},
    { orderBy: 'eventId' },
  );

  for (const subject of ['product/1', 'product/2']) {
    const ids = calls.filter((call) => call.subject === subject).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  }
  expect(calls.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
    events.map(({ eventId }) => eventId),
  );
  expect((await rows()).every(({ isPending }) => !isPending)).toBe(true);
  expect(await selectRows(database.db, 'webhook_queue', ['subject'])).toEqual([]);
});

test('[EVT-14] an attempt that staff request during a failing attempt follows immediately', async () => {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { id, subjects, began, rows } = await receiving(async (_, isRetry) => {
    if (!isRetry) await released;
    return isRetry ? 204 : 500;
  });
  await publish([1]);
  const call = began();
  await eventually('the first attempt has begun', async () =>
    subjects().length > 0 ? true : undefined,
  );
  const [delivery] = await rows();
  await retryDelivery({ db: database.db }, actor, delivery!.id);
  release();
  await eventually('it is delivered', async () =>
    (await rows())[0]!.isPending ? undefined : true,
  );
  await call.end();

  expect(subjects()).toHaveLength(2);
  expect(await nextAttemptMs(database.db, id)).toBeNull();
});

test('[EVT-14] a retry that competes with the recording of an attempt follows it', async () => {
  const { db } = database;
  let [isCured, release] = [false, () => {}];
  const released = new Promise<void>((resolve) => (release = resolve));
  const { subjects, began, rows } = await receiving(async (subject) => {
    await released;
    return subject === 'product/1' || isCured ? 204 : 500;
  });
  await publish([1, 2]);
  const call = began();
  await eventually('both attempts have begun', async () =>
    subjects().length === 2 ? true : undefined,
  );
  const rejected = (await rows()).find(({ subject }) => subject === 'product/2')!;
  let retry: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.db
      .selectFrom('webhook_queue')
      .select('subject')
      .where('subject', '=', 'product/1')
      .forUpdate()
      .execute();
    release();
    await eventually('the recording waits', async () =>
      (await waitingSessions(db)) === 1 ? true : undefined,
    );
    isCured = true;
    retry = retryDelivery({ db }, actor, rejected.id);
    await eventually('the retry waits', async () =>
      (await waitingSessions(db)) === 2 ? true : undefined,
    );
  });
  await retry;
  const isWaiting = async () => (await rows()).some(({ isPending }) => isPending);
  await eventually('both are delivered', async () => ((await isWaiting()) ? undefined : true));
  await call.end();

  expect(subjects()).toHaveLength(3);
});

test('[EVT-14] concurrent replays add each event once', async () => {
  const { db } = database;
  const { id, deliver, rows } = await receiving(() => 204);
  await publish([1], 3);
  await deliver();
  const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at));
  const events = (await rows()).map(({ eventId }) => eventId);
  for (const [at, eventId] of events.entries())
    await updateRows(db, 'public_event', { occurredAt: day(at) }, { id: eventId });
  let replays: Promise<{ events: number }>[] = [];
  await db.transaction(async (tx) => {
    await tx.db
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .execute();
    // Each replay has an event that the other replay lacks.
    replays = [0, 1].map((at) =>
      replayEvents({ db }, actor, { id, from: day(at), to: day(at + 2) }),
    );
    await eventually('both wait', async () =>
      (await waitingSessions(db)) === 2 ? true : undefined,
    );
  });
  const added = await Promise.all(replays);
  const replayed = (await rows()).filter(({ isReplay }) => isReplay).map(({ eventId }) => eventId);

  expect(added.map((replay) => replay.events).toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(replayed.toSorted((a, b) => a - b)).toEqual(events);
});

test('[EVT-36] deliveries without an event and queues without deliveries end', async () => {
  const { id, subjects, deliver, began, rows } = await receiving(() => 204);
  await publish([1, 2]);
  const call = began();
  await eventually('both are delivered', async () => (subjects().length === 2 ? true : undefined));
  await call.end();
  await updateRows(
    database.db,
    'webhook_delivery',
    { isPending: true },
    { endpointId: id, subject: 'product/1' },
  );
  await deleteRows(database.db, 'public_event', { subject: 'product/1' });
  for (const subject of ['product/1', 'product/3'])
    await addRow(database.db, 'webhook_queue', { endpointId: id, isReplay: false, subject });
  await deliver();

  expect((await rows()).map(({ subject }) => subject)).toEqual(['product/2']);
  expect(await selectRows(database.db, 'webhook_queue', ['subject'])).toEqual([]);
});

describe('[EVT-37] an event that was rejected for three days', () => {
  test('waits separately while others are accepted, and its subject continues', async () => {
    let isFirst = true;
    const { id, subjects, deliver, rows, age, attemptNow } = await receiving((subject) => {
      if (subject !== 'product/1' || !isFirst) return 204;
      return 400;
    });
    await publish([1, 2]);
    await deliver();
    await age('product/1', 73);
    await publish([1]);
    await attemptNow();
    const original = (await rows()).find(({ subject }) => subject === 'product/1')!;
    await deliver();
    isFirst = false;
    await attemptNow();
    await deliver();

    expect(subjects().filter((subject) => subject === 'product/1')).toHaveLength(4);
    const failed = await listDeliveries(database.db, id, { page: 1, size: 10, status: 'FAILED' });
    expect(failed.items).toMatchObject([
      { id: original.id, status: 'FAILED', nextAttemptAt: null },
    ]);
    expect(await getEndpoint(database.db, id)).toMatchObject({
      isEnabled: true,
      waiting: 0,
      failed: 1,
    });
    expect(
      await selectRows(database.db, 'notification', ['kind', 'details'], { resolvedAt: null }),
    ).toEqual([
      { kind: 'WEBHOOK_EVENT_FAILED', details: { endpointId: id, deliveryId: original.id } },
    ]);
    await retryDelivery({ db: database.db }, actor, original.id);
    await deliver();
    expect(await getEndpoint(database.db, id)).toMatchObject({ waiting: 0, failed: 0 });
  });

  test('disables the endpoint if nothing was accepted', async () => {
    const { id, deliver, age, attemptNow } = await receiving(() => 503);
    await publish([1, 2]);
    await deliver();
    await age('product/1', 73);
    await attemptNow();
    await deliver();

    expect(await getEndpoint(database.db, id)).toMatchObject({
      isEnabled: false,
      disabledReason: 'FAILING',
      failed: 0,
    });
  });

  test('keeps the endpoint enabled if another event was accepted in the same round', async () => {
    const { id, deliver, age, attemptNow } = await receiving((subject) =>
      subject === 'product/2' ? 204 : 503,
    );
    await publish([1]);
    await deliver();
    await age('product/1', 73);
    await publish([2]);
    await attemptNow();
    await deliver();

    expect(await getEndpoint(database.db, id)).toMatchObject({ isEnabled: true, failed: 1 });
  });
});

describe('[EVT-38] an endpoint that staff disable', () => {
  test('delivers immediately when it is enabled', async () => {
    const { db } = database;
    const { id, subjects, deliver, began } = await receiving(() => 500);
    await publish([1]);
    await deliver();
    const call = began();
    await eventually(
      'a call works',
      async () =>
        (await selectRow(db, 'webhook_endpoint', ['workedUntil'], { id })).workedUntil ?? undefined,
    );
    const edit = (change: object) =>
      getEndpoint(db, id).then(({ version }) =>
        editEndpoint({ db, secrets: testSecrets, allowsPrivateReceivers: false }, actor, {
          id,
          version,
          ...change,
        }),
      );
    await edit({ isEnabled: false });
    await call.end();
    await edit({ isEnabled: true });

    expect(await selectRow(db, 'webhook_endpoint', ['workedUntil'], { id })).toEqual({
      workedUntil: null,
    });
    expect(await nextAttemptMs(db, id)).toBe(0);
    await edit({ url: 'https://other.example/' });
    expect(await nextAttemptMs(db, id)).toBe(0);
    expect(subjects()).toEqual(['product/1']);
  });

  test('ends its running call with the lease', async () => {
    const { db } = database;
    const { id, deliver } = await receiving(() => 204);
    await updateRows(
      db,
      'webhook_endpoint',
      { isEnabled: false, workedUntil: fromNow('45 seconds') },
      { id },
    );

    expect(await deliver()).toEqual({ waitMs: null });
    expect(await selectRow(db, 'webhook_endpoint', ['workedUntil'], { id })).toEqual({
      workedUntil: null,
    });
  });
});

describe('[EVT-39] the notification of administrators', () => {
  test('comes after an hour of failures, and ends with them', async () => {
    let isCured = false;
    const { id, deliver, age, attemptNow } = await receiving((subject) =>
      isCured || subject === 'product/2' ? 204 : 404,
    );
    const open = () =>
      selectRows(database.db, 'notification', ['kind', 'details'], { resolvedAt: null });
    await publish([1, 2]);
    await deliver();
    expect(await open()).toEqual([]);
    await age('product/1', 2);
    await attemptNow();
    await deliver();

    expect(await open()).toMatchObject([
      { kind: 'WEBHOOK_EVENTS_REFUSED', details: { endpointId: id } },
    ]);
    isCured = true;
    await attemptNow();
    await deliver();
    expect(await open()).toEqual([]);
  });
});

test.each([
  ['longer', 2 * HOUR_MS, 2 * HOUR_MS],
  ['shorter', 1_000, HOUR_MS],
])(
  '[EVT-40] a Retry-After that is %s than the pause determines the next attempt',
  async (_, retryAfterMs, expected) => {
    const { id, deliver } = await receiving(() => ({ status: 429, retryAfterMs }));
    await publish([1]);
    await deliver();
    const waitMs = await nextAttemptMs(database.db, id);

    expect(waitMs! / expected).toBeGreaterThan(0.9);
    expect(waitMs! / expected).toBeLessThanOrEqual(1);
  },
);
