import { keepReason } from '../../../modules/access/customers/staff-reasons.ts';
import { testSecrets } from '../../support/connection.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expireRights } from '../../../modules/gifts/rights/expire-rights.ts';
import {
  moveRights,
  redeemRights,
  releaseRights,
  reserveRights,
  RightsTaken,
  type MoveOutcome,
  type WantedMove,
} from '../../../modules/gifts/rights/move-rights.ts';
import type { Database, Tx } from '../../support/text-database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import {
  afterMove,
  COMPENSATION_MOVES,
  type CompensationMoveName,
  type CompensationStatus,
} from '../../../modules/gifts/rules/states.ts';
import { asOwner } from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import {
  GRANTER,
  rebuiltRights,
  redeemedTwice,
  rightsFixture,
  storedRights,
} from '../../support/rights.ts';
import { countRows, plus, selectRow, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
beforeAll(async () => {
  database = await migratedDatabase();
  ({ db } = database);
  fixture = await rightsFixture(db);
});
afterAll(() => database.close());

const one = async (id: string) => (await storedRights(db)).find((right) => right.id === id)!;
const audits = (id: string) =>
  db.db
    .selectFrom('audit_entry')
    .select(['action', 'before', 'after', 'reason'])
    .where('entityType', '=', 'compensation')
    .where('entityId', '=', id)
    .orderBy('id')
    .execute();

describe('an order and a right', () => {
  test.each([
    ['ended meanwhile comes back with seven days', -1, 7, 'GRANTED', 1],
    ['has not ended comes back with the same one', 1, 1, 'GRANTED', 0],
    ['has no end comes back without one', null, null, 'GRANTED', 0],
  ])('[CMP-114] a right whose term %s', async (_, endsInDays, days, status, edits) => {
    const inDays = (count: number) => new Date(Date.now() + count * 86_400_000);
    const [granted, orderId] = [inDays(-3), randomUUID()];
    const commentId = await db.transaction((tx) =>
      keepReason(tx, { secrets: testSecrets }, 'words'),
    );
    const id = await fixture.grant({
      at: granted,
      ...(endsInDays === null ? {} : { expiresAt: inDays(endsInDays) }),
      reasonCommentId: commentId,
    });
    await db.transaction((tx) => reserveRights(tx, { orderId, rights: [id], at: inDays(-2) }));
    expect(await db.transaction((tx) => releaseRights(tx, orderId, 'FAILED'))).toEqual([id]);
    expect(await db.transaction((tx) => releaseRights(tx, orderId, 'FAILED'))).toEqual([]);
    await expireRights({ db });

    expect(await one(id)).toMatchObject({ status });
    const { expiresAt, reasonCommentId } = await selectRow(
      db,
      'compensation',
      ['expiresAt', 'reasonCommentId'],
      {
        id,
      },
    );
    expect(reasonCommentId).toBe(commentId);
    const minutesOff =
      expiresAt === null ? null : (expiresAt.getTime() - inDays(days ?? 0).getTime()) / 60_000;
    expect(minutesOff === null ? null : Math.abs(Math.round(minutesOff))).toBe(
      days === null ? null : 0,
    );
    expect((await audits(id)).filter(({ action }) => action === 'edit')).toHaveLength(edits);
    expect(await rebuiltRights(db, [id])).toEqual(await storedRights(db, [id]));
  });

  test('[CMP-114] rights whose terms ended return together', async () => {
    const [before, orderId] = [new Date(Date.now() - 86_400_000), randomUUID()];
    const expiresAt = new Date(Date.now() - 1);
    const ids = [await fixture.grant({ expiresAt }), await fixture.grant({ expiresAt })];
    await db.transaction((tx) => reserveRights(tx, { orderId, rights: ids, at: before }));
    await db.transaction((tx) => releaseRights(tx, orderId, 'CANCELLED'));

    expect((await storedRights(db, ids)).map(({ status }) => status)).toEqual([
      'GRANTED',
      'GRANTED',
    ]);
    expect(await countRows(db, 'compensation', { id: ids, expiresAt })).toBe(0);
  });

  test('go through reservation and redemption together, with ledger and audit', async () => {
    const [id, orderId] = [await fixture.grant({ quantity: 2 }), randomUUID()];

    await db.transaction((tx) => reserveRights(tx, { orderId, rights: [id] }));
    expect(await one(id)).toMatchObject({
      status: 'RESERVED',
      reservedOrderId: orderId,
      version: 1,
    });
    expect(await db.transaction((tx) => redeemRights(tx, orderId))).toEqual([id]);
    expect(await db.transaction((tx) => redeemRights(tx, orderId))).toEqual([]);
    expect(await db.transaction((tx) => releaseRights(tx, orderId, 'too late'))).toEqual([]);

    expect(await one(id)).toMatchObject({
      status: 'REDEEMED',
      reservedOrderId: orderId,
      redeemedOrderId: orderId,
      version: 2,
    });
    expect(await audits(id)).toMatchObject([
      { action: 'grant', before: null, after: { status: 'GRANTED', quantity: 2 } },
      {
        action: 'reserve',
        before: { status: 'GRANTED', reservedOrderId: null },
        after: { status: 'RESERVED', reservedOrderId: orderId },
      },
      {
        action: 'redeem',
        before: { status: 'RESERVED' },
        after: { status: 'REDEEMED', redeemedOrderId: orderId },
      },
    ]);
  });

  test('separate when the order ends, and another order reserves the right', async () => {
    const [id, first, second] = [await fixture.grant(), randomUUID(), randomUUID()];
    await db.transaction((tx) => reserveRights(tx, { orderId: first, rights: [id] }));

    expect(await db.transaction((tx) => releaseRights(tx, first, 'CANCELLED'))).toEqual([id]);
    expect(await one(id)).toMatchObject({ status: 'GRANTED', reservedOrderId: null });
    await db.transaction((tx) => reserveRights(tx, { orderId: second, rights: [id] }));

    expect(await db.transaction((tx) => releaseRights(tx, first, 'CANCELLED'))).toEqual([]);
    expect(await one(id)).toMatchObject({ status: 'RESERVED', reservedOrderId: second });
  });

  test('[CMP-3] reserve both of two rights or none', async () => {
    const [free, taken] = [await fixture.grant(), await fixture.grant()];
    await db.transaction((tx) => reserveRights(tx, { orderId: randomUUID(), rights: [taken] }));

    const both = db.transaction((tx) =>
      reserveRights(tx, { orderId: randomUUID(), rights: [free, taken] }),
    );

    await expect(both).rejects.toMatchObject({ ids: [taken] });
    expect(await one(free)).toMatchObject({ status: 'GRANTED' });
  });

  test('cannot be joined after the end of the term', async () => {
    const id = await fixture.grant({ expiresAt: new Date(Date.now() - 1) });

    await expect(
      db.transaction((tx) => reserveRights(tx, { orderId: randomUUID(), rights: [id] })),
    ).rejects.toBeInstanceOf(RightsTaken);
  });

  test.each([
    ['the state of each statement', false],
    ['one state', true],
  ])(
    '[CMP-3] cause conflicts for all but one of many parallel orders that see %s',
    async (_, oneState) => {
      const id = await fixture.grant();
      const orders = Array.from({ length: 8 }, () => randomUUID());
      const order = (orderId: string) => (tx: Tx) => reserveRights(tx, { orderId, rights: [id] });

      const results = await Promise.allSettled(
        orders.map((orderId) =>
          retryConflicts(() => db.transaction(order(orderId), { oneState }), 8),
        ),
      );

      const losers = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      );
      expect(losers).toHaveLength(orders.length - 1);
      expect(losers.every((loser) => loser instanceof RightsTaken)).toBe(true);
      const winner = orders[results.findIndex((result) => result.status === 'fulfilled')];
      expect(await one(id)).toMatchObject({
        status: 'RESERVED',
        reservedOrderId: winner,
        version: 1,
      });
    },
  );
});

describe('a marker at the ERP', () => {
  test('[CMP-4] grants one right, also in concurrent readings', async () => {
    const marker = { source: 'ERP_CATEGORY', sourceMarker: randomUUID() } as const;

    const granted = await Promise.allSettled(
      Array.from({ length: 4 }, () => fixture.grant(marker)),
    );

    expect(granted.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const reasons = granted.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(['Error: The marker has granted a right before']));
    expect(await fixture.grant({ ...marker, source: 'ERP_COMMENT' })).toEqual(expect.any(String));
  });
});

describe('two concurrent moves of one right', () => {
  const MOVES = Object.keys(COMPENSATION_MOVES) as CompensationMoveName[];
  const TERM = new Date('2030-01-01T00:00:00Z');
  const buildMove = (
    move: CompensationMoveName,
    reservedFor: string,
    rewardId: number,
  ): WantedMove => ({
    move,
    at: new Date(TERM.getTime() + (move === 'EXPIRE' ? 1 : -1)),
    orderId: move === 'REDEEM' || move === 'RELEASE' ? reservedFor : randomUUID(),
    reason: 'because',
    ...(move === 'REBIND' ? { rewardId } : {}),
  });

  const WAYS: Partial<Record<CompensationStatus, CompensationMoveName>> = {
    RESERVED: 'RESERVE',
    BLOCKED: 'BLOCK',
  };

  async function rightThatIs(status: CompensationStatus, orderId: string): Promise<string> {
    const id = await fixture.grant({ expiresAt: TERM });
    const way = WAYS[status];
    if (way !== undefined)
      await db.transaction((tx) =>
        moveRights(
          tx,
          GRANTER,
          { ids: [id] },
          { ...buildMove(way, orderId, fixture.rewardId), orderId },
        ),
      );
    return id;
  }

  /** Starts the second move before the first has committed. */
  async function race(
    id: string,
    [first, second]: [WantedMove, WantedMove],
  ): Promise<[MoveOutcome, MoveOutcome]> {
    const move = (wanted: WantedMove) => (tx: Tx) => moveRights(tx, GRANTER, { ids: [id] }, wanted);
    const started = Promise.withResolvers<number>();
    let late: Promise<MoveOutcome> | undefined;
    const early = await db.transaction(async (tx) => {
      const outcome = await move(first)(tx);
      late = db.transaction(async (other) => {
        const [row] = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
        started.resolve(row!.pid);
        return move(second)(other);
      });
      late.catch(() => undefined);
      const pid = await started.promise;
      await Promise.race([late, blocked(pid)]);
      return outcome;
    });
    return [early, await late!];
  }

  async function blocked(pid: number): Promise<void> {
    for (;;) {
      const [row] = await db.query<{ waits: boolean }>(
        'select cardinality(pg_blocking_pids($1)) > 0 as waits',
        [pid],
      );
      if (row?.waits === true) return;
    }
  }

  test('[CMP-2] end like a sequence of them, in every pair and from every state', async () => {
    const other = await fixture.reward();
    let pairs = 0;
    for (const status of ['GRANTED', 'RESERVED', 'BLOCKED'] as const)
      for (const first of MOVES)
        for (const second of MOVES) {
          const orderId = randomUUID();
          const id = await rightThatIs(status, orderId);
          const wanted = [buildMove(first, orderId, other), buildMove(second, orderId, other)] as [
            WantedMove,
            WantedMove,
          ];
          const before = await one(id);

          const outcomes = await race(id, wanted);

          let expected = before.status;
          let reservedOrderId = before.reservedOrderId;
          for (const [index, { move, at, orderId: by = null, reason = null }] of wanted.entries()) {
            const right = { status: expected, expiresAt: TERM.getTime(), reservedOrderId };
            const after = afterMove(right, move, { at: at.getTime(), orderId: by, reason });
            const { moved, refused } = outcomes[index]!;
            expect({ status, first, second, moved: moved.length, refused: refused.length }).toEqual(
              {
                status,
                first,
                second,
                moved: 'to' in after ? 1 : 0,
                refused: 'to' in after ? 0 : 1,
              },
            );
            if (!('to' in after)) continue;
            expected = after.to;
            reservedOrderId =
              after.to === 'RESERVED' ? by : after.to === 'REDEEMED' ? reservedOrderId : null;
          }
          expect(await one(id)).toMatchObject({ status: expected, reservedOrderId });
          pairs += 1;
        }
    expect(await redeemedTwice(db)).toEqual([]);
    process.stdout.write(`${pairs} pairs of moves raced on two connections\n`);
  });
});

describe('the database rejects', () => {
  test.each([
    [
      '[CMP-2] another state for a redeemed right',
      `update compensation set status = 'GRANTED', redeemed_order_id = null, redeemed_at = null where id = $1`,
    ],
    [
      'another order for a redeemed right',
      'update compensation set redeemed_order_id = gen_random_uuid() where id = $1',
    ],
    ['to delete a right', 'delete from compensation where id = $1'],
    [
      'to change the ledger',
      `update compensation_move set reason = 'x' where compensation_id = $1`,
    ],
    ['to delete from the ledger', 'delete from compensation_move where compensation_id = $1'],
  ])('%s', async (_, statement) => {
    const [id, orderId] = [await fixture.grant(), randomUUID()];
    await db.transaction((tx) => reserveRights(tx, { orderId, rights: [id] }));
    await db.transaction((tx) => redeemRights(tx, orderId));

    // Triggers also reject changes by the owner of the tables.
    await expect(asOwner(db, statement, [id])).rejects.toMatchObject({ code: '23001' });
  });

  test('[CMP-2] a state without a move, and a quantity of 0', async () => {
    const id = await fixture.grant();

    await expect(
      updateRows(db, 'compensation', { status: 'CANCELLED', version: plus('version', 1) }, { id }),
    ).rejects.toMatchObject({ constraint: 'compensation_last_move' });
    await expect(
      updateRows(db, 'compensation', { status: 'CANCELLED' }, { id }),
    ).rejects.toMatchObject({
      code: '23001',
    });
    await expect(fixture.grant({ quantity: 0 })).rejects.toMatchObject({
      constraint: 'compensation_quantity_check',
    });
  });
});

// Must be the last test, because it covers the ledger of all tests above.
test('[CMP-2] the state of every right can be rebuilt from the ledger alone', async () => {
  const stored = await storedRights(db);

  expect(stored.length).toBeGreaterThan(200);
  expect(await rebuiltRights(db)).toEqual(stored);
});
