import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startRelay, type RunningRelay } from '../../../kernel/relays/relay.ts';
import { EVENTS_CHANNEL } from '../../../modules/events/deliveries/dispatch-webhooks.ts';
import { numberEvents } from '../../../modules/events/number-events.ts';
import { listenTo } from '../../../platform/db/kept-connection.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { migratedDatabase } from '../../support/database.ts';
import { parseSamples } from '../../support/metrics-text.ts';
import { eventually } from '../../support/processes.ts';
import { addRow, countRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let metrics: ReturnType<typeof createMetrics>;
const lines: string[] = [];
const log = createLog({
  service: 'test',
  level: 'warn',
  destination: { write: (line) => void lines.push(line) },
});
const running: RunningRelay[] = [];

beforeAll(async () => {
  database = await migratedDatabase();
  metrics = createMetrics('test');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((relay) => relay.stop()));
  lines.length = 0;
});
afterAll(() => database.close());

const LONG_MS = 3_600_000;
function relay(
  work: () => Promise<unknown>,
  { everyMs = LONG_MS, limitMs = 60_000 } = {},
): RunningRelay {
  const started = startRelay({ log, metrics }, { name: 'events', everyMs, limitMs, work });
  running.push(started);
  return started;
}
const event = () =>
  addRow(database.db, 'public_event', {
    type: 'order.accepted',
    version: 1,
    subject: 'order/1',
    data: {},
  });
const unnumbered = () => countRows(database.db, 'public_event', { id: null });

test('[OPS-42] an event committed by any process is numbered when PostgreSQL announces it', async () => {
  const events = relay(() => numberEvents(database.db));
  const connection = listenTo({ db: database.db, log }, EVENTS_CHANNEL, {
    announced: () => events.wake(),
    connected: () => events.wake(),
  });
  await event();
  await eventually('the first one is numbered', async () =>
    (await unnumbered()) === 0 ? true : undefined,
  );
  await event();
  await eventually('the second one is numbered', async () =>
    (await unnumbered()) === 0 ? true : undefined,
  );
  await connection.stop();

  expect(await countRows(database.db, 'public_event')).toBe(2);
});

test('[OPS-42] relays of two processes number each event once, in the order of the commits', async () => {
  const relays = [relay(() => numberEvents(database.db)), relay(() => numberEvents(database.db))];
  for (let count = 0; count < 40; count += 1) {
    await event();
    for (const each of relays) each.wake();
  }
  await eventually('all are numbered', async () => ((await unnumbered()) === 0 ? true : undefined));
  const rows = await database.db.db
    .selectFrom('public_event')
    .select(['id', 'seq'])
    .orderBy('seq')
    .execute();

  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => a! - b!));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test('[OPS-42] a failed round is logged and counted, and the next round repeats its work', async () => {
  let rounds = 0;
  relay(
    async () => {
      rounds += 1;
      if (rounds === 1) throw new Error('the database is away');
    },
    { everyMs: 10 },
  );
  await eventually('it was repeated', async () => (rounds > 1 ? true : undefined));
  const failed = parseSamples(await metrics.registry.metrics()).find(
    ({ name, labels }) =>
      name === 'carte_relay_duration_seconds_count' && labels['outcome'] === 'failed',
  );

  expect(lines.filter((line) => line.includes('a relay has failed'))).toHaveLength(1);
  expect(failed?.value).toBe(1);
});

test('[OPS-42] rounds never overlap, a signal during a round is kept, and a late round is reported', async () => {
  let [inside, most, rounds] = [0, 0, 0];
  const gate = Promise.withResolvers<void>();
  const started = relay(async () => {
    rounds += 1;
    inside += 1;
    most = Math.max(most, inside);
    if (rounds === 1) await gate.promise;
    inside -= 1;
  });
  await eventually('the first round runs', async () => (rounds === 1 ? true : undefined));
  started.wake();
  started.wake();
  gate.resolve();
  await eventually('another round follows', async () => (rounds === 2 ? true : undefined));
  relay(() => new Promise<never>(() => undefined), { limitMs: 20, everyMs: 10 });
  await eventually('the late round is reported', async () => (lines.length > 0 ? true : undefined));

  expect(most).toBe(1);
  expect(lines[0]).toContain('a relay has failed');
});
