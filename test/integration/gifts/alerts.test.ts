import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GIFT_ALERTS, raiseGiftAlerts } from '../../../modules/gifts/reconciliation/gift-alerts.ts';
import { releaseRights, reserveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { COMPARISON_ALERTS } from '../../../modules/ordering/gift-days/check-gift-days.ts';
import type { MarkerVariant } from '../../../modules/settings/schemas/settings.ts';
import { migratedDatabase } from '../../support/database.ts';
import { rightsFixture } from '../../support/rights.ts';
import {
  addRow,
  ago,
  databaseNow,
  deleteRows,
  saveSetting,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { rowTexts } from '../../support/whole-schema.ts';

const ALERTS = { ...GIFT_ALERTS, ...COMPARISON_ALERTS };
type Kind = keyof typeof ALERTS;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
let phones = 79_990_300_000;
beforeAll(async () => {
  database = await migratedDatabase();
  fixture = await rightsFixture(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  await deleteRows(database.db, 'notification');
  await deleteRows(database.db, 'client_card');
  await updateRows(database.db, 'reward', { updatedAt: ago('2 days') });
});

const evaluate = () => raiseGiftAlerts({ db: database.db }, ALERTS);
const open = async (kind: Kind) =>
  (
    await selectRows(
      database.db,
      'notification',
      '*',
      { kind, resolvedAt: null },
      { orderBy: 'subjectId' },
    )
  ).map(({ subjectType, subjectId, details, repeated }) => ({
    subjectType,
    subjectId,
    details,
    repeated,
  }));
const markers = (usual: MarkerVariant, connections: Record<string, MarkerVariant> = {}) =>
  saveSetting(database.db, 'gift_markers', { usual, connections });

type Case = { connectionId: number; clientId: string };
async function aClient(connection?: number): Promise<Case> {
  const connectionId = connection ?? (await fixture.rows.connection());
  return {
    connectionId,
    clientId: await fixture.client({ phone: `+${(phones += 1)}` }, connectionId),
  };
}

/** Causes a condition. Returns the id of its case and a function that ends the case. */
type Provocation = (of: Case) => Promise<{ id?: string; end: () => Promise<unknown> }>;

const expectDetails = (count: number, ids: string | null, cases: readonly { id?: string }[]) => ({
  count,
  oldestAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  ...(ids === null ? {} : { [ids]: expect.arrayContaining(cases.map(({ id }) => id)) }),
});

const card =
  (row: { damaged?: number; unknown?: number; withoutReward?: number }): Provocation =>
  async ({ clientId }) => {
    await addRow(database.db, 'client_card', {
      clientId,
      readAt: databaseNow(),
      promisesReadAt: databaseNow(),
      ...row,
    });
    const whole = { damaged: 0, unknown: 0, withoutReward: 0 };
    return { id: clientId, end: () => updateRows(database.db, 'client_card', whole, { clientId }) };
  };

const PROVOCATIONS: Readonly<
  Record<Kind, { variant?: MarkerVariant; ids: string | null; provoke: Provocation }>
> = {
  GIFT_RESERVED_TOO_LONG: {
    ids: 'compensationIds',
    provoke: async ({ clientId }) => {
      const [id, orderId] = [await fixture.grant({ clientId }), randomUUID()];
      const { db } = database;
      await db.transaction((tx) => reserveRights(tx, { orderId, rights: [id] }));
      await updateRows(db, 'compensation', { reservedAt: ago('61 minutes') }, { id });
      const end = () =>
        db.transaction((tx) => releaseRights(tx, orderId, 'CANCELLED', { at: new Date() }));
      return { id, end };
    },
  },
  GIFT_STOPPED: {
    ids: 'rewardIds',
    provoke: async ({ connectionId, clientId }) => {
      const [{ id: organizationId }, erpItemId] = [
        await fixture.rows.organization(connectionId),
        randomUUID(),
      ];
      const rewardId = await fixture.reward({ erp_item_id: erpItemId });
      await fixture.grant({ clientId, rewardId });
      await fixture.rows.stop(organizationId, erpItemId);
      await updateRows(
        database.db,
        'mirror_stop_list',
        { addedAt: ago('61 minutes') },
        { itemErpId: erpItemId },
      );
      return {
        id: String(rewardId),
        end: () => deleteRows(database.db, 'mirror_stop_list', { itemErpId: erpItemId }),
      };
    },
  },
  GIFT_MARKERS_WAITING: {
    ids: 'compensationIds',
    provoke: async ({ clientId }) => {
      const id = await fixture.grant({ clientId });
      const marker = { clientId, source: 'ERP_COMMENT', subject: id, generation: 1 } as const;
      await addRow(database.db, 'client_marker', {
        ...marker,
        isPresent: true,
        compensationId: id,
        seenAt: databaseNow(),
        goneAt: null,
      });
      await addRow(database.db, 'marker_clearing', {
        compensationId: id,
        waitsSince: ago('61 minutes'),
      });
      const end = () =>
        updateRows(
          database.db,
          'marker_clearing',
          { state: 'CLEARED', clearedAt: databaseNow() },
          { compensationId: id },
        );
      return { id, end };
    },
  },
  GIFT_COMMENT_DAMAGED: { variant: 'COMMENT', ids: 'clientIds', provoke: card({ damaged: 1 }) },
  GIFT_NAME_UNKNOWN: { variant: 'COMMENT', ids: 'clientIds', provoke: card({ unknown: 2 }) },
  GIFT_CATEGORY_WITHOUT_REWARD: {
    variant: 'CATEGORY',
    ids: 'clientIds',
    provoke: card({ withoutReward: 1 }),
  },
  GIFT_CANDIDATES_WAITING: {
    ids: 'candidateIds',
    provoke: async ({ clientId }) => {
      const { id } = await addRow(database.db, 'compensation_candidate', {
        clientId,
        phrase: 'free gift',
        generation: 1,
        isPresent: true,
        foundAt: ago('25 hours'),
        seenAt: databaseNow(),
      });
      const decided = { status: 'DISMISSED', closedAt: databaseNow() } as const;
      return {
        id: String(id),
        end: () => updateRows(database.db, 'compensation_candidate', decided, { id }),
      };
    },
  },
  GIFT_HISTORIES_MISSED: {
    ids: 'clientIds',
    provoke: async ({ connectionId, clientId }) => {
      const times = { ordersFrom: ago('12 days'), ordersTo: ago('3 days'), since: ago('25 hours') };
      await addRow(database.db, 'client_history', { clientId, connectionId, ...times });
      return { id: clientId, end: () => deleteRows(database.db, 'client_history', { clientId }) };
    },
  },
  GIFTS_NOT_COMPARED: {
    ids: null,
    provoke: async ({ connectionId, clientId }) => {
      await fixture.grant({ clientId, at: new Date(Date.now() - 31 * 3_600_000) });
      const end = async () => {
        const row = {
          day: '2026-11-20',
          organizationErpId: randomUUID(),
          connectionId,
          checkedAt: databaseNow(),
        };
        const counts = { atErp: 0, redeemed: 0, unauthorized: 0, differingOrders: 0 };
        const exists = await selectRows(database.db, 'gift_reconciliation', ['day'], {
          connectionId,
        });
        if (exists.length === 0)
          await addRow(database.db, 'gift_reconciliation', { ...row, ...counts });
      };
      return { end };
    },
  },
};

describe('a condition of gifts that needs staff', () => {
  test.each(Object.entries(PROVOCATIONS) as [Kind, (typeof PROVOCATIONS)[Kind]][])(
    '[CMP-110] raises one notification %s for a connection, until its last case ends',
    async (kind, { variant = 'OFF', ids, provoke }) => {
      await markers(variant);
      const [first, other] = [await aClient(), await aClient()];
      const cases = [await provoke(first), await provoke(await aClient(first.connectionId))];
      const elsewhere = await provoke(other);
      const count = ids === null ? 1 : 2;
      await evaluate();
      await evaluate();

      const about = ({ connectionId }: Case) => ({
        subjectType: 'connection',
        subjectId: String(connectionId),
      });
      expect(await open(kind)).toEqual(
        expect.arrayContaining([
          { ...about(first), details: expectDetails(count, ids, cases), repeated: 1 },
          { ...about(other), details: expectDetails(1, ids, [elsewhere]), repeated: 1 },
        ]),
      );
      expect(await open(kind)).toHaveLength(2);

      await cases[0]!.end();
      await evaluate();
      const left = (await open(kind)).find(
        ({ subjectId }) => subjectId === String(first.connectionId),
      );
      expect(left?.details).toEqual(ids === null ? undefined : expectDetails(1, ids, [cases[1]!]));
      await cases[1]!.end();
      await evaluate();
      expect(await open(kind)).toMatchObject([about(other)]);
      await elsewhere.end();
      await evaluate();
      expect(await open(kind)).toEqual([]);
    },
  );

  test('[CMP-110] raises no notification within its time limit, nor for a marker of an erased client', async () => {
    await markers('OFF');
    const of = await aClient();
    await PROVOCATIONS.GIFT_RESERVED_TOO_LONG.provoke(of);
    await updateRows(
      database.db,
      'compensation',
      { reservedAt: ago('59 minutes') },
      { clientId: of.clientId },
    );
    await PROVOCATIONS.GIFT_STOPPED.provoke(of);
    await updateRows(database.db, 'mirror_stop_list', { addedAt: ago('59 minutes') });
    const waiting = await PROVOCATIONS.GIFT_MARKERS_WAITING.provoke(of);
    const held = { state: 'HELD', heldBy: 'CLIENT_GONE' } as const;
    await updateRows(database.db, 'marker_clearing', held, { compensationId: waiting.id! });
    await PROVOCATIONS.GIFT_CANDIDATES_WAITING.provoke(of);
    await updateRows(
      database.db,
      'compensation_candidate',
      { foundAt: ago('23 hours') },
      { clientId: of.clientId },
    );
    await PROVOCATIONS.GIFT_HISTORIES_MISSED.provoke(of);
    await updateRows(database.db, 'client_history', { since: ago('23 hours') });

    await evaluate();

    expect(await selectRows(database.db, 'notification', ['kind'])).toEqual([]);
    await updateRows(database.db, 'mirror_stop_list', { addedAt: null });
    await evaluate();
    expect(await open('GIFT_STOPPED')).toMatchObject([{ details: { count: 1, oldestAt: null } }]);
    await deleteRows(database.db, 'mirror_stop_list');
  });

  test('[CMP-110] lists at most 20 cases, the oldest first, and counts all of them', async () => {
    await markers('COMMENT');
    const { connectionId } = await aClient();
    const clients: string[] = [];
    for (let hours = 1; hours <= 22; hours += 1) {
      const { clientId } = await aClient(connectionId);
      clients.unshift(clientId);
      await addRow(database.db, 'client_card', {
        clientId,
        readAt: ago(`${hours} hours`),
        damaged: 1,
      });
    }
    await evaluate();

    expect(await open('GIFT_COMMENT_DAMAGED')).toMatchObject([
      { details: { count: 22, clientIds: clients.slice(0, 20) } },
    ]);
  });
});

describe('a card with promises that cannot be read', () => {
  const FAULTS = [
    ['GIFT_COMMENT_DAMAGED', 'COMMENT'],
    ['GIFT_NAME_UNKNOWN', 'COMMENT'],
    ['GIFT_CATEGORY_WITHOUT_REWARD', 'CATEGORY'],
  ] as const;
  const count = async (kind: Kind) => {
    await evaluate();
    return (await open(kind)).length;
  };

  test.each(FAULTS)(
    '[CMP-111] causes %s for 7 days after its last reading',
    async (kind, variant) => {
      await markers(variant);
      const { clientId } = await aClient();
      await PROVOCATIONS[kind].provoke({ clientId, connectionId: 0 });
      const readAgo = (time: string) =>
        updateRows(
          database.db,
          'client_card',
          { readAt: ago(time), promisesReadAt: ago('1 hour') },
          { clientId },
        );

      await readAgo('167 hours');
      const within = await count(kind);
      await readAgo('169 hours');

      expect([within, await count(kind)]).toEqual([1, 0]);
    },
  );

  test.each(FAULTS)(
    '[CMP-111] causes %s only in connections that read such promises',
    async (kind, variant) => {
      await markers('OFF');
      const of = await aClient();
      await PROVOCATIONS[kind].provoke(of);
      const off = await count(kind);
      await markers('OFF', { [of.connectionId]: variant });
      const here = await count(kind);
      await markers(variant, { [of.connectionId]: variant === 'COMMENT' ? 'CATEGORY' : 'COMMENT' });

      expect([off, here, await count(kind)]).toEqual([0, 1, 0]);
    },
  );

  test.each([
    ['GIFT_NAME_UNKNOWN', 0],
    ['GIFT_CATEGORY_WITHOUT_REWARD', 0],
    ['GIFT_COMMENT_DAMAGED', 1],
  ] as const)('[CMP-111] causes %s after a change of rewards: %i', async (kind, expected) => {
    await markers(PROVOCATIONS[kind].variant!);
    const { clientId } = await aClient();
    await PROVOCATIONS[kind].provoke({ clientId, connectionId: 0 });
    const before = await count(kind);
    await updateRows(database.db, 'client_card', { promisesReadAt: ago('2 hours') }, { clientId });
    await updateRows(database.db, 'reward', { updatedAt: ago('1 hour') }, { id: fixture.rewardId });

    expect([before, await count(kind)]).toEqual([1, expected]);
    await updateRows(database.db, 'client_card', { promisesReadAt: databaseNow() }, { clientId });
    expect(await count(kind)).toBe(1);
  });
});

test('[CMP-112] no notification of gifts contains the phone or the ERP id of a client', async () => {
  await markers('COMMENT');
  const erpCustomerId = randomUUID();
  const of = await aClient();
  await updateRows(database.db, 'compensation_client', { erpCustomerId }, { id: of.clientId });
  for (const { provoke } of Object.values(PROVOCATIONS).filter(
    ({ variant }) => variant === undefined,
  ))
    await provoke(of);
  await PROVOCATIONS.GIFT_COMMENT_DAMAGED.provoke(of);
  await evaluate();

  const texts = (await rowTexts(database.db, 'notification')).join('\n');
  expect(texts).toContain(of.clientId);
  expect(texts).not.toContain(String(phones));
  expect(texts).not.toContain(erpCustomerId);
});
