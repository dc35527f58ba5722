import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createMarkerActivities } from '../../activities/gifts.ts';
import { editCompensation } from '../../modules/gifts/rights/edit-terms.ts';
import {
  moveRights,
  releaseRights,
  reserveRights,
} from '../../modules/gifts/rights/move-rights.ts';
import { orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import {
  clearingState,
  giftState,
  giftRedemptionWorkflow,
} from '../../modules/gifts/messages/gifts.ts';
import { createLog } from '../../platform/log.ts';
import { testSecrets } from '../support/connection.ts';
import { BLOCK, giftDesk } from '../support/gifts/gift-desk.ts';
import { executionsWith } from '../support/guest-sinks.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { menuRows } from '../support/menu-rows.ts';
import { longTest, wholeInSoak } from '../support/repetitions.ts';
import { outcomeIn, wordIn } from '../support/workflow-outcomes.ts';
import { eventually } from '../support/processes.ts';
import { cancelCompensation, rebindCompensation } from '../../modules/gifts/rights/staff-moves.ts';
import { GRANTER, grantTo } from '../support/rights.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import {
  ago,
  databaseNow,
  deleteRows,
  not,
  selectRow,
  selectRows,
  updateRows,
} from '../support/rows.ts';
import { runStep } from '../support/upkeep.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
let gifts: Awaited<ReturnType<typeof giftDesk>>;
/** Failpoint of the next crash of the clearing, and its visit there. */
let death: { place: string; visit: number } | null = null;

beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  await importBasics(fixture);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  gifts = await giftDesk(fixture, sync);
  await fixture.emulator.control('delivery-settings', { settleMs: 20, cookMs: 0 });
  const failpoint = (place: string): void => {
    if (death?.place !== place || (death.visit -= 1) > 0) return;
    death = null;
    throw new Error(`killed at ${place}`);
  };
  const deps = { ...fixture.deps, log: createLog({ service: 'test', level: 'silent' }), failpoint };
  workers = await sync.start({ erp: createMarkerActivities(deps) });
});
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await fixture?.close();
});
afterEach(async () => {
  await fixture.emulator.control('clear-faults');
  await deleteRows(fixture.db, 'erp_circuit');
  await deleteRows(fixture.db, 'erp_hold');
});

const REMOVE = '/api/1/loyalty/erp/customer_category/remove';

type History = { events?: readonly { timerStartedEventAttributes?: unknown }[] | null };

async function countPauses(handle: { fetchHistory(): Promise<History> }): Promise<number> {
  const { events } = await handle.fetchHistory();
  return events!.filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null)
    .length;
}

/** Waits for the end of an execution that another workflow starts. */
const ends = (gift: () => { result(): Promise<unknown> }) =>
  eventually('the gift is accompanied to its end', async () => {
    await gift().result();
    return true;
  });

describe('a gift of an order', () => {
  test('[CMP-17, CMP-19, OPS-35] a gift workflow lasts from the reservation to the cleared marker', async () => {
    const client = await gifts.promised('ERP_COMMENT', {
      comment: ` Орехи\r\n${BLOCK}\tне звонить `,
    });
    const { start, gift } = await gifts.orderedWith(client);
    const order = await start();

    await ends(gift);
    expect(await client.isCleared()).toMatchObject({ isAsWritten: true, tries: 1, heldBy: null });
    expect((await client.card()).comment).toBe(' Орехи\r\n\tне звонить ');
    expect(await gifts.statusOf(client.right)).toBe('REDEEMED');
    expect(await gift().query(giftState)).toEqual({
      stage: 'CLEARED',
      status: 'REDEEMED',
      marker: { state: 'CLEARED', heldBy: null },
      outcome: 'CLEARED',
    });
    expect(await outcomeIn(sync.temporal, gift().workflowId)).toBe('CLEARED');
    await client.handle().result();
    expect(await client.handle().query(clearingState)).toMatchObject({
      waiting: 0,
      heldBy: null,
      retryAfterMs: null,
    });
    // The end of the gift does not end its order.
    expect((await order.describe()).status.name).toBe('RUNNING');
    await order.terminate();
  });

  longTest(
    '[OPS-109, OPS-111] shows its name, order number and restaurant in Temporal',
    async () => {
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId, announce, gift } = await gifts.orderedWith(client);
      await announce();
      await ends(gift);
      const { number } = await gifts.desk.row(orderId);
      const { name: restaurant } = await selectRow(fixture.db, 'mirror_organization', ['name'], {
        id: gifts.desk.organization.id,
      });
      const description = await gift().describe();

      expect(await description.staticSummary()).toBe(`Тарт, order ${number}, ${restaurant}`);
      expect(description.memo).toEqual({
        orderId,
        compensationId: client.right,
        orderNumber: number,
        restaurant,
        gift: 'Тарт',
      });
      expect(await wordIn(sync.temporal, gift().workflowId, 'CarteOrderNumber')).toBe(number);
      await sync.temporal.workflow.getHandle(orderWorkflow.id({ orderId })).terminate();
    },
  );

  test('[CMP-13, CMP-19] a gift returns when the ERP rejects its order, and its marker stays', async () => {
    await fixture.emulator.control('fault', { kind: 'order-error' });
    const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
    const { start, gift } = await gifts.orderedWith(client);
    await (await start()).result();

    await ends(gift);
    expect(await gift().query(giftState)).toMatchObject({
      stage: 'RETURNED',
      status: 'GRANTED',
      marker: null,
    });
    expect((await client.card()).comment).toBe(BLOCK);
    expect(await client.clearing()).toBeUndefined();
  });

  test('[CMP-14] a gift workflow outlives its order and continues as new while the marker remains', async () => {
    const client = await gifts.promised('ERP_COMMENT', { comment: `[/COMP] ${BLOCK}` });
    const { orderId } = await gifts.orderedWith(client);
    const gift = await sync.temporal.workflow.start('giftRedemption', {
      workflowId: giftRedemptionWorkflow.id({ orderId, compensationId: client.right }),
      taskQueue: sync.queues.workflows,
      args: [
        {
          compensationId: client.right,
          orderId,
          pace: { firstMs: 20, longestMs: 50, pausesPerRun: 3 },
        },
      ],
    });
    await eventually('it waits for the order', async () =>
      (await gift.query(giftState))?.stage === 'RESERVED' ? true : undefined,
    );
    await fixture.db.transaction((tx) =>
      moveRights(
        tx,
        GRANTER,
        { reservedFor: orderId },
        { move: 'REDEEM', orderId, at: new Date() },
      ),
    );
    await gift.signal('giftSettled');
    await client.isHeld('DAMAGED');
    await eventually('its history began anew', async () => {
      const { runId } = await gift.describe();
      return runId === gift.firstExecutionRunId ? undefined : true;
    });
    expect((await client.card()).comment).toBe(`[/COMP] ${BLOCK}`);

    await gifts.edit(client.customerId, { comment: `Орехи ${BLOCK}` });
    await client.wake();
    await gift.result();
    expect((await client.card()).comment).toBe('Орехи ');
  });
});

test('[CMP-108] Temporal payloads and events contain no text that staff wrote about gifts', async () => {
  const words = {
    comment: 'Гостья ждала час у двери',
    rebind: 'Тарт уронили',
    cancel: 'Гость передумал',
  };
  const deps = { db: fixture.db, secrets: testSecrets };
  const client = await gifts.promised('ERP_COMMENT', { comment: `${BLOCK}${BLOCK}` }, 2);
  const edited = await editCompensation(deps, GRANTER, client.right, {
    version: 0,
    reason: 'OTHER',
    reasonComment: words.comment,
  });
  await rebindCompensation(deps, GRANTER, client.right, {
    rewardId: edited.rewardId,
    reason: words.rebind,
  });
  const { start, gift } = await gifts.orderedWith(client);
  const order = await start();
  await ends(gift);
  await client.isCleared();
  await cancelCompensation(deps, GRANTER, client.rights[1]!, words.cancel);
  const has = (text: string) => Object.values(words).some((word) => text.includes(word));

  expect(await executionsWith(sync.temporal, has)).toEqual([]);
  // The search itself works: the id of the right is in payloads.
  expect(await executionsWith(sync.temporal, (text) => text.includes(client.right))).toContain(
    gift().workflowId,
  );
  const events = await selectRows(fixture.db, 'outbox', ['payload']);
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter(({ payload }) => has(JSON.stringify(payload)))).toEqual([]);
  await order.terminate();
});

describe('the marker of a redeemed right', () => {
  test('[CMP-13] a category is removed once for every order that redeems a right', async () => {
    const client = await gifts.promised('ERP_CATEGORY', {
      categoryIds: [gifts.dessert, gifts.roll],
    });
    await client.redeem();

    expect(await client.isCleared()).toMatchObject({ isAsWritten: null });
    expect((await client.card()).categoryIds).toEqual([gifts.roll]);
    expect(await client.markers()).toEqual([[0, false]]);
  });

  test('[CMP-17] a comment that contains nothing but the marker becomes empty', async () => {
    const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
    await client.redeem();
    await client.isCleared();

    expect((await client.card()).comment ?? '').toBe('');
  });

  test('[CMP-84] only one of two equal blocks is removed, even if the answer of the ERP is lost', async () => {
    const client = await gifts.promised('ERP_COMMENT', { comment: `${BLOCK}, а завтра ${BLOCK}` });
    const write = '/api/1/loyalty/erp/customer/create_or_update';
    await fixture.emulator.control('fault', { kind: 'truncated-json', endpoint: write, times: 1 });
    await client.redeem();
    await client.isCleared();

    expect((await client.card()).comment).toBe(`, а завтра ${BLOCK}`);
    expect(await client.markers()).toEqual([[0, false]]);
  });

  test('[CMP-90] each of several equal markers is cleared at the first attempt, even concurrently', async () => {
    const client = await gifts.promised(
      'ERP_COMMENT',
      { comment: `А ${BLOCK} Б ${BLOCK} В ${BLOCK} Г` },
      3,
    );
    await client.redeemAll();
    const cleared = await Promise.all(client.rights.map((right) => client.isCleared(right)));

    expect(
      cleared.map(({ tries, heldBy, isAsWritten }) => ({ tries, heldBy, isAsWritten })),
    ).toEqual(cleared.map(() => ({ tries: 1, heldBy: null, isAsWritten: true })));
    expect((await client.card()).comment).toBe('А  Б  В  Г');
    expect(await countPauses(await client.ended())).toBe(0);
  });

  test('[CMP-90] the clearing does not wait for a blocked clearing of the same client', async () => {
    const client = await gifts.promised(
      'ERP_CATEGORY',
      { categoryIds: [gifts.dessert, gifts.roll] },
      2,
    );
    await fixture.emulator.control('fault', { kind: '400-loyalty', endpoint: REMOVE, times: 1 });
    await client.redeemAll();
    const [held, other] = await Promise.all(client.rights.map((right) => client.isCleared(right)));

    expect([held!.tries, other!.tries]).toEqual([2, 1]);
    expect(await countPauses(await client.ended())).toBe(0);
  });

  test('[CMP-16] a marker that operators have already removed causes no write', async () => {
    const client = await gifts.promised('ERP_COMMENT', { comment: `Орехи ${BLOCK}` });
    await gifts.edit(client.customerId, { comment: 'Орехи' });
    await client.redeem();

    expect(await client.isCleared()).toMatchObject({ isAsWritten: null });
    expect(await client.conflicts()).toEqual([]);
  });

  test('[CMP-17] the clearing waits during concurrent edits and preserves them', async () => {
    const client = await gifts.promised('ERP_COMMENT', { comment: `Орехи ${BLOCK}` });
    await gifts.edit(client.customerId, { append: ' и мёд', when: 'after-read' });
    await client.redeem();
    await client.isHeld('CHANGED');

    await client.wake();
    await client.isCleared();
    expect((await client.card()).comment).toBe('Орехи  и мёд');
  });

  test('[CMP-14, CMP-15] the clearing waits for the ERP, for the loyalty program and for the client', async () => {
    await fixture.emulator.control('loyalty-settings', {
      offFor: [gifts.organizationId, gifts.desk.organizationId],
    });
    const client = await gifts.promised('ERP_CATEGORY', { categoryIds: [gifts.dessert] });
    await gifts.edit(client.customerId, { isDeleted: true });
    await client.redeem();
    await eventually('it is held', async () =>
      (await client.clearing())?.state === 'HELD' ? true : undefined,
    );
    await fixture.emulator.control('loyalty-settings', { offFor: [] });
    await client.wake();
    await client.isHeld('CLIENT_GONE');
    await fixture.emulator.control('fault', {
      kind: '500',
      endpoint: REMOVE,
      times: 9,
    });
    await gifts.edit(client.customerId, { isDeleted: false });
    await client.wake();
    await client.isHeld('ERP_UNAVAILABLE');
    await eventually('its execution says so', async () => {
      const standing = await client.handle().query(clearingState);
      return standing?.waiting === 1 && standing.heldBy === 'ERP_UNAVAILABLE' ? true : undefined;
    });

    await fixture.emulator.control('clear-faults');
    await deleteRows(fixture.db, 'erp_circuit');
    await client.wake();
    await client.isCleared();
    expect((await client.card()).categoryIds).toEqual([]);
  });
});

describe('a clearing that is killed', () => {
  const everyPlace = [
    ...[1, 2, 3].map((visit) => ({ place: 'marker-read', visit })),
    ...[1, 2].map((visit) => ({ place: 'marker-remembered', visit })),
    { place: 'marker-taken-out', visit: 1 },
    { place: 'marker-verified', visit: 1 },
  ];
  const takenOut = everyPlace.filter(({ place }) => place === 'marker-taken-out');
  const remembered = everyPlace.filter(
    ({ place, visit }) => place === 'marker-remembered' && visit === 1,
  );

  test.each(wholeInSoak(everyPlace, [...remembered, ...takenOut]))(
    '[CMP-16] at $place, visit $visit, exactly one of two equal blocks is removed',
    async (where) => {
      const client = await gifts.promised('ERP_COMMENT', { comment: `А ${BLOCK} Б ${BLOCK}` }, 2);
      death = { ...where };
      await client.redeem();
      await client.isCleared();

      expect(death).toBeNull();
      expect((await client.card()).comment).toBe(`А  Б ${BLOCK}`);
      expect(await client.markers()).toEqual([
        [0, false],
        [1, true],
      ]);
      expect(await client.conflicts()).toEqual([]);
      expect(await gifts.statusOf(client.rights[1]!)).toBe('GRANTED');
    },
  );

  test.each(wholeInSoak(everyPlace, takenOut))(
    '[CMP-84] at $place, visit $visit, an equal unread block remains',
    async (where) => {
      const client = await gifts.promised('ERP_COMMENT', { comment: `А ${BLOCK} Б ${BLOCK}` });
      death = { ...where };
      await client.redeem();
      await client.isCleared();

      expect(death).toBeNull();
      expect((await client.card()).comment).toBe(`А  Б ${BLOCK}`);
      expect(await client.markers()).toEqual([[0, false]]);
    },
  );

  const placesOfCategories = everyPlace.filter(
    ({ place, visit }) => place !== 'marker-read' || visit < 3,
  );
  test.each(wholeInSoak(placesOfCategories, takenOut))(
    '[CMP-16] at $place, visit $visit, the category is removed once',
    async (where) => {
      const client = await gifts.promised('ERP_CATEGORY', { categoryIds: [gifts.dessert] });
      death = { ...where };
      await client.redeem();
      await client.isCleared();

      expect(death).toBeNull();
      expect((await client.card()).categoryIds).toEqual([]);
      expect(await client.markers()).toEqual([[0, false]]);
    },
  );
});

test('[CMP-12] expired rights end, and rights to an unavailable gift stay blocked until it is available', async () => {
  const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
  const reward = await selectRow(fixture.db, 'compensation', ['rewardId as id'], {
    id: client.right,
  });
  const over = await grantTo(fixture.db, {
    clientId: client.clientId,
    rewardId: reward.id,
    at: new Date(Date.now() - 60_000),
    expiresAt: new Date(Date.now() - 1_000),
  });
  const statuses = async () => [await gifts.statusOf(over), await gifts.statusOf(client.right)];
  const reconcile = () => runStep(sync.upkeep, 'reconcile-rights');
  const before = await statuses();
  await reconcile();
  const blocked = await statuses();
  // The restaurants of the connection now have its item, for free.
  await freeItem(reward.id);
  await reconcile();

  expect([before, blocked, await statuses()]).toEqual([
    ['GRANTED', 'GRANTED'],
    ['EXPIRED', 'BLOCKED'],
    ['EXPIRED', 'GRANTED'],
  ]);
});

test('[CMP-110] the reconciler reports a gift that stays reserved, and closes the report when it returns', async () => {
  const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
  const orderId = randomUUID();
  await fixture.db.transaction((tx) => reserveRights(tx, { orderId, rights: [client.right] }));
  await updateRows(
    fixture.db,
    'compensation',
    { reservedAt: ago('2 hours') },
    { id: client.right },
  );
  const notification = () =>
    selectRow(fixture.db, 'notification', ['subjectId', 'resolvedAt', 'details'], {
      kind: 'GIFT_RESERVED_TOO_LONG',
    });
  const reconcile = () => runStep(sync.upkeep, 'reconcile-rights');

  await reconcile();
  const open = await notification();
  await fixture.db.transaction((tx) => releaseRights(tx, orderId, 'CANCELLED', { at: new Date() }));
  await reconcile();

  expect(open).toMatchObject({
    subjectId: String(fixture.connectionId),
    resolvedAt: null,
    details: { count: 1, compensationIds: [client.right] },
  });
  expect((await notification()).resolvedAt).not.toBeNull();
});

/** Gives a reward an item that is free wherever guests see a restaurant. */
async function freeItem(rewardId: number): Promise<void> {
  const rows = menuRows(fixture.db);
  const menu = await selectRow(fixture.db, 'mirror_external_menu', ['id'], {}, { orderBy: 'id' });
  const organizations = await selectRows(fixture.db, 'mirror_organization', ['id']);
  const item = await rows.item({ name: 'Тарт подарочный' });
  const sizeId = await rows.size(item.id);
  const prices = Object.fromEntries(organizations.map(({ id }) => [id, 0]));
  await rows.offer(menu.id, { itemId: item.id, sizeId }, prices);
  await updateRows(fixture.db, 'reward', { erpItemId: item.erpId }, { id: rewardId });
}

test('[CMP-20] pending markers and gifts of orders resume from their rows without executions', async () => {
  const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
  const { orderId, gift } = await gifts.orderedWith(client);
  const reserved = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
  const open = await gifts.orderedWith(reserved);
  await fixture.db.transaction(async (tx) => {
    const at = new Date(Date.now() - 60_000);
    await moveRights(tx, GRANTER, { reservedFor: orderId }, { move: 'REDEEM', orderId, at });
    // Simulates lost events: marked as delivered in the same transaction, the events are never
    // visible.
    await tx.db
      .updateTable('outbox')
      .set({ deliveredAt: new Date() })
      .where('deliveredAt', 'is', null)
      .execute();
  });
  await updateRows(
    fixture.db,
    'compensation',
    { reservedAt: ago('1 minute') },
    { reservedAt: not(null) },
  );

  await runStep(sync.upkeep, 'reconcile-gifts');

  await client.isCleared();
  await ends(gift);
  expect((await client.card()).comment ?? '').toBe('');
  expect((await open.gift().describe()).status.name).toBe('RUNNING');
  await open.gift().terminate();
});
