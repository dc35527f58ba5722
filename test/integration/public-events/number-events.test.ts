import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listEvents } from '../../../modules/events/list-events.ts';
import { numberEvents } from '../../../modules/events/number-events.ts';
import { recordEvents } from '../../../modules/events/record-events.ts';
import type { PublicEventView } from '../../../modules/events/schemas/events.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { addRow, ago, deleteRows, selectRows } from '../../support/rows.ts';
import type { Database } from '../../support/text-database.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = database.db;
});
beforeEach(() => deleteRows(db, 'public_event'));
afterAll(() => database.close());

const product = (id: number) => ({ id, organizationId: null, data: { productId: id } });
const record = (...ids: number[]) => recordEvents(db, 'product.published', ids.map(product));
const subjects = (events: readonly PublicEventView[]) => events.map(({ subject }) => subject);

describe('the numbers of events', () => {
  test('[EVT-2] exclude an event of a failed transaction', async () => {
    const failed = db.transaction(async (tx) => {
      await recordEvents(tx, 'product.published', [product(1)]);
      throw new Error('fails');
    });
    await expect(failed).rejects.toThrow('fails');

    expect((await listEvents(db, { after: 0, limit: 10 })).items).toEqual([]);
    expect(await selectRows(db, 'public_event', ['seq'])).toEqual([]);
  });

  test('[EVT-3] order an event that commits late behind visible ones', async () => {
    const { promise: isRecorded, resolve: recorded } = Promise.withResolvers<void>();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const late = db.transaction(async (tx) => {
      await recordEvents(tx, 'product.published', [product(1)]);
      recorded();
      await mayCommit;
    });
    await isRecorded;
    await record(2);
    const before = await listEvents(db, { after: 0, limit: 10 });
    commit();
    await late;
    const after = await listEvents(db, { after: before.after, limit: 10 });

    expect([subjects(before.items), subjects(after.items)]).toEqual([['product/2'], ['product/1']]);
    expect(after.items[0]!.id).toBeGreaterThan(before.items[0]!.id);
  });

  test('[EVT-3] let a reader miss no event of transactions that commit in another order', async () => {
    const [writers, rounds] = [6, 25];
    let isOver = false;
    const write = async (writer: number) => {
      for (let round = 0; round < rounds; round += 1)
        await db.transaction(async (tx) => {
          await recordEvents(tx, 'product.published', [product(writer * 1_000 + round)]);
          await delay(Math.random() * 4);
        });
    };
    const number = async () => {
      while (!isOver) await numberEvents(db);
    };
    const read = async (): Promise<string[]> => {
      const found: string[] = [];
      let after = 0;
      for (;;) {
        const wasOver = isOver;
        const page = await listEvents(db, { after, limit: 7 });
        found.push(...subjects(page.items));
        after = page.after;
        if (wasOver && page.items.length === 0) return found;
      }
    };
    const numbering = [number(), number()];
    const reading = [read(), read()];
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer + 1)));
    isOver = true;
    await Promise.all(numbering);

    for (const found of await Promise.all(reading)) {
      expect(found).toHaveLength(writers * rounds);
      expect(new Set(found).size).toBe(writers * rounds);
    }
  });

  test('[EVT-3] remain unique in concurrent calls', async () => {
    await record(...Array.from({ length: 500 }, (_, at) => at + 1));
    // Every call has begun before the first may number an event.
    let calls: Promise<number>[] = [];
    await db.transaction(async (tx) => {
      await tx.db
        .selectFrom('public_event')
        .select('seq')
        .orderBy('seq')
        .limit(1)
        .forUpdate()
        .execute();
      calls = Array.from({ length: 4 }, () => numberEvents(db));
      await eventually('all calls wait', async () =>
        (await waitingSessions(db)) === 4 ? true : undefined,
      );
    });
    const counts = await Promise.all(calls);

    expect(counts.reduce((sum, count) => sum + count)).toBe(500);
  });

  test('[EVT-4] preserve the order of changes of one subject', async () => {
    for (let round = 0; round < 20; round += 1) {
      await record(1);
      await recordEvents(db, 'product.unpublished', [
        { id: 1, organizationId: null, data: { productId: 1, reason: null } },
      ]);
    }
    const { items } = await listEvents(db, { after: 0, limit: 100 });

    expect(items.map(({ type }) => type)).toEqual(
      Array.from({ length: 20 }, () => ['product.published', 'product.unpublished']).flat(),
    );
  });

  test('[EVT-6] show the oldest event that is kept', async () => {
    await addRow(db, 'public_event', {
      type: 'product.published',
      version: 1,
      subject: 'product/1',
      data: { productId: 1 },
      occurredAt: ago('29 days'),
    });
    const { items, oldestId } = await listEvents(db, { after: 0, limit: 10 });

    expect(oldestId).toBe(items[0]!.id);
  });
});
