import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../../support/text-database.ts';
import { RightsModel, type ModelMove } from '../../support/gifts/rights-model.ts';
import { emptyTally, schedules } from '../../support/gifts/right-schedules.ts';
import {
  movedBy,
  perform,
  runOnDatabase,
  toOptions,
} from '../../support/gifts/rights-on-database.ts';
import { SteppedSession } from '../../support/gifts/stepped-sessions.ts';
import { migratedDatabase } from '../../support/database.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { rebuiltRights, redeemedTwice, rightsFixture, storedRights } from '../../support/rights.ts';
import { selectRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
let clientId: string;
let gifts: [number, number];
beforeAll(async () => {
  database = await migratedDatabase();
  ({ db } = database);
  const fixture = await rightsFixture(db);
  ({ clientId } = fixture);
  gifts = [fixture.rewardId, await fixture.reward()];
});
afterAll(() => database.close());

const SCHEDULES = wholeInSoak(2_000, 40);
const PATIENCE_MS = wholeInSoak(60, 1) * 60_000;

test(
  '[CMP-80] two connections that stop at every statement move rights like the model, despite crashes',
  async () => {
    const tally = { ...emptyTally(), conflicts: 0 };
    await fc.assert(
      fc.asyncProperty(schedules(4), async (schedule) => {
        const { stored, expected, rebuilt } = await runOnDatabase(
          db,
          { clientId, gifts },
          schedule,
          tally,
        );
        assert.deepEqual(stored, expected);
        assert.deepEqual(rebuilt, expected);
        assert.ok(expected.every(({ status }) => status !== 'RESERVED'));
      }),
      { numRuns: SCHEDULES, endOnFailure: true },
    );
    process.stdout.write(`${SCHEDULES} schedules on two connections: ${JSON.stringify(tally)}\n`);

    expect(Math.min(tally.redeemed, tally.waits, tally.deaths)).toBeGreaterThan(SCHEDULES / 10);
  },
  PATIENCE_MS,
);

/** Hour in which a term ends. Other moves happen an hour earlier. */
const TERM = 10;
const hourOf = (what: ModelMove['do']): number => (what === 'expire' ? TERM : TERM - 1);

const MOVES = [
  'reserve',
  'cancel',
  'confirm',
  'fail',
  'import',
  'expire',
  'staff cancel',
  'block',
  'rebind',
] as const;
type Move = (typeof MOVES)[number];

const STATES: Readonly<Record<string, 'reserve' | 'block' | null>> = {
  GRANTED: null,
  RESERVED: 'reserve',
  BLOCKED: 'block',
};

/**
 * Every relevant order of three transactions of one right. A number starts a transaction, which
 * runs until it waits or can commit; `commit` commits the only transaction that can.
 */
const ORDERS_OF_THREE = [
  [0, 1, 2, 'commit', 'commit', 'commit'],
  [0, 1, 'commit', 2, 'commit', 'commit'],
  [0, 1, 'commit', 'commit', 2, 'commit'],
  [0, 'commit', 1, 2, 'commit', 'commit'],
  [0, 'commit', 1, 'commit', 2, 'commit'],
] as const;

type Begun = { session: SteppedSession<string[]>; move: ModelMove; isReady: boolean };

async function interleave(
  state: string,
  names: readonly Move[],
  order: (typeof ORDERS_OF_THREE)[number],
) {
  const model = new RightsModel();
  const orders: string[] = [randomUUID()];
  let begun: Begun[] = [];
  let waits = 0;
  const note = (move: ModelMove, moved: readonly string[]) => {
    assert.deepEqual(
      [move.do, ...moved],
      [move.do, ...model.apply(move, hourOf(move.do))],
      JSON.stringify(names),
    );
    if (move.do === 'reserve' && moved.length > 0) orders.push(move.order);
  };
  const alone = async (move: ModelMove): Promise<string[]> => {
    const moved = await db.transaction((tx) => perform(tx, clientId, move, hourOf(move.do)));
    note(move.do === 'grant' ? { ...move, right: moved[0]! } : move, moved);
    return moved;
  };
  const [right] = (await alone({
    do: 'grant',
    right: '',
    gift: gifts[0],
    marker: null,
    term: TERM,
  })) as [string];
  /** An uncommitted order cannot be decided, so decisions refer to the last committed order. */
  const toMove = (what: Move): ModelMove => {
    if (what === 'reserve') return { do: what, order: randomUUID(), rights: [right] };
    if (what === 'import') return { do: what, order: randomUUID(), right };
    if (what === 'rebind') return { do: what, right, gift: gifts[1] };
    if (what === 'confirm' || what === 'cancel' || what === 'fail')
      return { do: what, order: orders.at(-1)! };
    return { do: what, right };
  };
  const way = STATES[state];
  if (way != null) await alone(toMove(way));

  const awaitRest = async (entry: Begun): Promise<void> => {
    entry.isReady = await entry.session.rests();
    const { ended } = entry.session;
    if (ended === null) return;
    begun = begun.filter((other) => other !== entry);
    note(entry.move, movedBy(ended)!);
  };
  /**
   * Waits until each transaction can commit or waits. An order whose gift is taken ends without a
   * commit.
   */
  const rest = async (): Promise<void> => {
    do for (const entry of begun) await awaitRest(entry);
    while (begun.length > 0 && !begun.some(({ isReady }) => isReady));
  };
  for (const what of order) {
    if (what === 'commit') {
      const next = begun.find(({ isReady }) => isReady);
      next?.session.step();
      // Records the commit before the moves that depend on it.
      if (next !== undefined) await awaitRest(next);
    } else {
      const move = toMove(names[what]!);
      const session = new SteppedSession<string[]>(db, 'commit');
      session.begin((tx) => perform(tx, clientId, move, hourOf(move.do)), toOptions(move));
      begun.push({ session, move, isReady: false });
    }
    await rest();
    waits += begun.filter(({ isReady }) => !isReady).length;
  }
  assert.equal(begun.length, 0);
  const { status, ...standing } = model.standing(right)!;
  const [stored] = await storedRights(db, [right]);
  assert.deepEqual(stored, { id: right, status, ...standing });
  return { waits, redeemed: Number(status === 'REDEEMED') };
}

test(
  '[CMP-81] three parallel moves of one right end like a sequence of them, in any wait order',
  async () => {
    const triples = MOVES.flatMap((one) =>
      MOVES.flatMap((two) => MOVES.map((three) => [one, two, three] as const)),
    );
    const all = Object.keys(STATES).flatMap((state) =>
      triples.flatMap((names) => ORDERS_OF_THREE.map((order) => ({ state, names, order }))),
    );
    // A sample with every move in every position.
    const stride = wholeInSoak(1, 127);
    const chosen = all.filter((_, at) => at % stride === 0);
    const tally = { waits: 0, redeemed: 0 };
    for (const { state, names, order } of chosen) {
      const { waits, redeemed } = await interleave(state, names, order);
      tally.waits += waits;
      tally.redeemed += redeemed;
    }
    process.stdout.write(
      `${chosen.length} of ${all.length} interleavings of three moves (${triples.length} triples, ${Object.keys(STATES).length} states): ${JSON.stringify(tally)}\n`,
    );

    expect(Math.min(tally.waits, tally.redeemed)).toBeGreaterThan(chosen.length / 10);
  },
  PATIENCE_MS,
);

// Must be the last test, because it covers the ledger of all tests above.
test('[CMP-80] no right is lost and none is redeemed twice', async () => {
  const stored = await storedRights(db);
  const granted = await selectRows(db, 'compensation_move', '*', { version: 0 });

  expect(await rebuiltRights(db)).toEqual(stored);
  expect(stored).toHaveLength(granted.length);
  expect(await redeemedTwice(db)).toEqual([]);
});
