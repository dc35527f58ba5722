import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { applyCard } from '../../../modules/gifts/cards/apply-card.ts';
import { ensureClient, findClients } from '../../../modules/gifts/clients/clients.ts';
import { createClientCards, type CardPlace } from '../../../modules/gifts/cards/client-cards.ts';
import { GIFT_ALERTS, raiseGiftAlerts } from '../../../modules/gifts/reconciliation/gift-alerts.ts';
import { importGiftOrders } from '../../../modules/gifts/orders/import-gift-orders.ts';
import { moveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { editReward } from '../../../modules/gifts/rewards/rewards.ts';
import {
  readCard,
  type CardDeps,
  type CardKnowledge,
} from '../../../modules/gifts/cards/read-card.ts';
import { createErpCircuits } from '../../../modules/connections/erp-calls/erp-circuits.ts';
import { probeCircuits } from '../../../modules/connections/erp-calls/watch-circuits.ts';
import { readCardOfCart } from '../../../modules/ordering/cart/card-of-cart.ts';
import type { MarkerVariant } from '../../../modules/settings/schemas/settings.ts';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { createErpClient } from '../../../erp/client.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { createLog } from '../../../platform/log.ts';
import { login } from '../../emulator/client.ts';
import { migratedDatabase } from '../../support/database.ts';
import { readLoyalty } from '../../support/erp-guests.ts';
import { openPorts } from '../../support/erp-ports.ts';
import { holdTable } from '../../support/races.ts';
import { eventually } from '../../support/processes.ts';
import { grantTo, GRANTER, ownerlessPhones, rightsFixture } from '../../support/rights.ts';
import {
  addRow,
  ago,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
  saveSetting,
} from '../../support/rows.ts';
import { rowTexts } from '../../support/whole-schema.ts';
import { PLAIN_ORDER } from '../../support/erp-orders.ts';

const INFO = '/api/1/loyalty/erp/customer/info';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
let emulator: Emulator;
let program: Awaited<ReturnType<typeof readLoyalty>>;
let ports: ReturnType<typeof openPorts>;
let erp: ReturnType<typeof createErpClient>;
type CustomerInfo = Parameters<typeof erp.customerInfo>;
let place: { connectionId: number; organizationId: number; menuId: number };
let rewards: { tart: number; roll: number };
beforeAll(async () => {
  database = await migratedDatabase();
  fixture = await rightsFixture(database.db);
  emulator = await startEmulator({ size: 'small' });
  program = await readLoyalty(emulator);
  ports = openPorts(await login(emulator));
  erp = erpClient(2_000);
  const { rows } = fixture;
  const connectionId = await rows.connection();
  const { id: organizationId } = await rows.organization(connectionId, {
    erp_id: program.organizationId,
  });
  place = { connectionId, organizationId, menuId: await rows.externalMenu(connectionId) };
  rewards = {
    tart: await gift('Тарт', 0, { category_id: program.dessert }),
    roll: await gift('Ролл', 0, { category_id: program.roll }),
  };
  await gift('Чизкейк', 30_000);
});
afterAll(async () => {
  await erp.close();
  await emulator.stop();
  await database.close();
});

const erpClient = (readMs: number) =>
  createErpClient({
    baseUrl: emulator.url,
    ...ports,
    log: createLog({ service: 'test', level: 'fatal' }),
    timeouts: { readMs },
  });

/** A reward whose item costs this much in the restaurant. */
async function gift(name: string, kopecks: number, more: object = {}): Promise<number> {
  const item = await fixture.rows.item({ name: `${name} подарочный` });
  const sizeId = await fixture.rows.size(item.id);
  await fixture.rows.offer(
    place.menuId,
    { itemId: item.id, sizeId },
    { [place.organizationId]: kopecks },
  );
  return fixture.reward({ name, erp_item_id: item.erpId, ...more });
}

let phones = 79_990_100_000;
let phone: string;
let id: string;
beforeEach(async () => {
  phone = `+${(phones += 1)}`;
  id = await program.put({ phone });
});
afterEach(async () => {
  await emulator.control('clear-faults');
  await emulator.control('loyalty-settings', { offFor: [] });
  await deleteRows(database.db, 'setting');
});

const use = (usual: MarkerVariant, more: object = {}) =>
  Promise.all(
    Object.entries({ gift_markers: { usual, connections: {} }, ...more }).map(([key, value]) =>
      saveSetting(database.db, key, value),
    ),
  );
const read = (budgetMs?: number, through: CardDeps['erp'] = erp): Promise<CardKnowledge> =>
  readCard(
    { db: database.db, erp: through, secrets: fixture.deps.secrets },
    phone,
    async () => ({ ...place, organizationErpId: program.organizationId }),
    budgetMs === undefined ? {} : { budgetMs },
  );
const rights = () =>
  database.db.db
    .selectFrom('compensation as right_')
    .innerJoin('compensation_client as client', 'client.id', 'right_.clientId')
    .where('client.erpCustomerId', '=', id)
    .select([
      'right_.id',
      'right_.status',
      'right_.rewardId as reward',
      'right_.source',
      'right_.sourceMarker as marker',
    ])
    .orderBy('right_.grantedAt')
    .orderBy('right_.sourceMarker')
    .execute();
const conflicts = () =>
  database.db.db
    .selectFrom('compensation_conflict as conflict')
    .innerJoin('compensation_client as client', 'client.id', 'conflict.clientId')
    .where('client.erpCustomerId', '=', id)
    .select(['conflict.kind', 'conflict.status', 'conflict.rewardId as reward'])
    .orderBy('conflict.id')
    .execute();
const redeem = (right: string) =>
  database.db.transaction((tx) =>
    moveRights(
      tx,
      GRANTER,
      { ids: [right] },
      { move: 'IMPORT', orderId: randomUUID(), at: new Date() },
    ),
  );
const card = async () => {
  const [row] = await database.db.db
    .selectFrom('client_card as card')
    .innerJoin('compensation_client as client', 'client.id', 'card.clientId')
    .where('client.erpCustomerId', '=', id)
    .select(['card.readAt', 'card.damaged', 'card.unknown', 'card.withoutReward as without'])
    .execute();
  return row;
};

describe('a category on a card', () => {
  beforeEach(() => use('CATEGORY'));

  /** Reads the card four times concurrently. One of its two categories is a gift. */
  async function raceOfReadings(): Promise<void> {
    await program.edit(id, { addCategoryIds: [program.dessert, program.categories[1]!.id] });
    // All readings have the ERP's answer before the first may write.
    await database.db.transaction((tx) =>
      ensureClient(tx, fixture.deps, {
        connectionId: place.connectionId,
        phone,
        erpCustomerId: id,
      }),
    );
    const held = await holdTable(database.db, 'client_marker');
    const all = [read(), read(), read(), read()];
    await held.waits(all.length);
    await held.release();
    await Promise.all(all);
  }

  test('[CMP-40] grants one right for repeated and concurrent readings', async () => {
    await raceOfReadings();
    const again = await read();

    expect(again).toEqual({ state: 'READ', readAt: expect.any(Date) });
    expect(await rights()).toEqual([
      {
        id: expect.any(String),
        status: 'GRANTED',
        reward: rewards.tart,
        source: 'ERP_CATEGORY',
        marker: `${id}/${program.dessert}/1`,
      },
    ]);
    expect(await conflicts()).toEqual([]);
  });

  test('[CMP-104] grants a right with the term and the reason of its reward', async () => {
    await updateRows(
      database.db,
      'reward',
      { defaultTermDays: 30, defaultReason: 'LATE_DELIVERY' },
      { id: rewards.tart },
    );
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    await updateRows(
      database.db,
      'reward',
      { defaultTermDays: null, defaultReason: 'OTHER' },
      { id: rewards.tart },
    );

    const [right] = await database.db.db
      .selectFrom('compensation as right_')
      .innerJoin('compensation_client as client', 'client.id', 'right_.clientId')
      .where('client.erpCustomerId', '=', id)
      .select(['right_.reason', 'right_.grantedAt', 'right_.expiresAt'])
      .execute();
    expect(right).toEqual({
      reason: 'LATE_DELIVERY',
      grantedAt: right!.grantedAt,
      expiresAt: new Date(right!.grantedAt.getTime() + 30 * 86_400_000),
    });
  });

  test('grants one right for concurrent readings, even in a card that was read before', async () => {
    await read();
    await raceOfReadings();

    expect(await rights()).toMatchObject([
      { status: 'GRANTED', marker: `${id}/${program.dessert}/1` },
    ]);
  });

  test('[CMP-44] causes a conflict in addition to a right, or a right if several are allowed', async () => {
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    await program.edit(id, { addCategoryIds: [program.roll] });
    await read();
    await read();

    expect(await conflicts()).toEqual([
      { kind: 'SECOND_RIGHT', status: 'OPEN', reward: rewards.roll },
    ]);
    expect(await rights()).toHaveLength(1);
    await program.edit(id, { removeCategoryIds: [program.roll] });
    await read();
    expect(await conflicts()).toMatchObject([{ status: 'WITHDRAWN' }]);

    await use('CATEGORY', { gifts_per_client: 'SEVERAL' });
    await program.edit(id, { addCategoryIds: [program.roll] });
    await read();
    expect((await rights()).map(({ reward, marker }) => [reward, marker?.slice(-2)])).toEqual([
      [rewards.tart, '/1'],
      [rewards.roll, '/2'],
    ]);
  });

  test('[CMP-21] increases a counter for a disabled reward, and is ignored if it belongs to no gift', async () => {
    await updateRows(database.db, 'reward', { isActive: false }, { id: rewards.tart });
    try {
      await program.edit(id, {
        addCategoryIds: [program.dessert, program.categories[1]!.id],
      });
      await read();

      expect(await card()).toMatchObject({ without: 1 });
      expect(await rights()).toEqual([]);
    } finally {
      await updateRows(database.db, 'reward', { isActive: true }, { id: rewards.tart });
    }
  });

  test('[CMP-111] notifies staff of a marker without an active reward, until one is active', async () => {
    const open = async () => {
      await raiseGiftAlerts({ db: database.db }, GIFT_ALERTS);
      return selectRows(database.db, 'notification', ['subjectId', 'details'], {
        kind: 'GIFT_CATEGORY_WITHOUT_REWARD',
        resolvedAt: null,
      });
    };
    const actor = systemActor('test');
    const toggle = async (isActive: boolean) => {
      const { version } = await selectRow(database.db, 'reward', ['version'], { id: rewards.tart });
      await editReward({ db: database.db }, actor, rewards.tart, { version, isActive });
    };
    await toggle(false);
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    const off = await open();
    await toggle(true);

    expect(off).toMatchObject([{ subjectId: String(place.connectionId), details: { count: 1 } }]);
    expect(JSON.stringify(off)).not.toContain(id);
    expect(await open()).toEqual([]);
  });

  test('[CMP-44] grants nothing if it is one of several at the first reading, until staff decide', async () => {
    await program.edit(id, { addCategoryIds: [program.dessert, program.roll] });
    await read();

    expect(await rights()).toEqual([]);
    expect((await conflicts()).map(({ status }) => status)).toEqual(['OPEN', 'OPEN']);
  });

  test('[CMP-44] keeps its right if an operator removes it, as a discrepancy that its return resolves', async () => {
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    await program.edit(id, { removeCategoryIds: [program.dessert] });
    await read();
    const [right] = await rights();

    expect(right).toMatchObject({ status: 'GRANTED' });
    expect(await conflicts()).toEqual([
      { kind: 'REMOVED_BY_HAND', status: 'OPEN', reward: rewards.tart },
    ]);
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    expect(await rights()).toEqual([right]);
    expect(await conflicts()).toMatchObject([{ status: 'WITHDRAWN' }]);
  });

  test('grants another right after the first was used, only if it was absent in between', async () => {
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    await redeem((await rights())[0]!.id);
    await read();
    expect(await rights()).toHaveLength(1);

    await program.edit(id, { removeCategoryIds: [program.dessert] });
    await read();
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    expect((await rights()).map(({ status, marker }) => [status, marker])).toEqual([
      ['REDEEMED', `${id}/${program.dessert}/1`],
      ['GRANTED', `${id}/${program.dessert}/2`],
    ]);
    expect(await conflicts()).toEqual([]);
  });
});

describe('a comment on a card', () => {
  beforeEach(() => use('COMMENT'));

  test('[CMP-40] grants a right for each block with the name of one free gift, and does not change', async () => {
    const comment =
      'Орехи [COMP] ТАРТ [/COMP][COMP]тарт[/COMP] [COMP]Ролл подарочный[/COMP] [COMP]Чизкейк[/COMP] [COMP]Пончик[/COMP]';
    await program.edit(id, { comment });
    await read();
    await read();

    const found = await rights();
    expect(found.map(({ reward, source }) => `${reward} ${source}`).toSorted()).toEqual(
      [rewards.tart, rewards.tart, rewards.roll].map((value) => `${value} ERP_COMMENT`).toSorted(),
    );
    expect(new Set(found.map(({ marker }) => marker)).size).toBe(3);
    expect(await card()).toMatchObject({ damaged: 0, unknown: 2 });
    expect((await program.read(id)).comment).toBe(comment);
  });

  test('counts as damaged, and markers that it may hide do not count as removed', async () => {
    await program.edit(id, { comment: '[COMP]Тарт[/COMP]' });
    await read();
    await redeem((await rights())[0]!.id);
    await program.edit(id, { comment: '[COMP]Тарт[/COM' });
    await read();
    expect(await card()).toMatchObject({ damaged: 1 });

    await program.edit(id, { comment: '[COMP]Тарт[/COMP]' });
    await read();
    expect(await rights()).toHaveLength(1);
  });

  test('[CMP-40] never reaches the database, like the phone', async () => {
    await program.edit(id, { comment: 'Кенарь [COMP]Тарт[/COMP] [COMP]Кенарева[/COMP]' });
    await read();
    const tables = [
      'client_card',
      'client_marker',
      'compensation_conflict',
      'compensation',
      'compensation_client',
    ];
    const texts = await Promise.all(tables.map((table) => rowTexts(database.db, table)));
    const everything = texts.flat().join('\n');

    expect(everything).toContain(id);
    expect(everything).not.toMatch(/кенар/i);
    expect(everything).not.toContain(phone);
  });
});

describe("[CMP-67] an operator's order of a customer who has never signed in", () => {
  const order = async (
    more: { phone?: string | null; customerId?: string | null } = {},
    connectionId = place.connectionId,
  ) => {
    const reward = await database.db.db
      .selectFrom('reward')
      .innerJoin('mirror_item as item', 'item.erpId', 'reward.erpItemId')
      .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
      .where('reward.id', '=', rewards.tart)
      .select(['reward.erpItemId as item', 'size.erpSizeId as size'])
      .executeTakeFirstOrThrow();
    const fact: ErpDelivery = {
      id: randomUUID(),
      organizationId: program.organizationId,
      timestamp: 1,
      creation: 'SUCCESS',
      status: 'WaitCooking',
      isCooked: false,
      number: 1,
      externalNumber: null,
      sum: 100,
      terminalGroupId: null,
      movedFrom: null,
      movedTo: null,
      content: {
        ...PLAIN_ORDER,
        lines: [
          {
            itemId: reward.item,
            sizeId: reward.size || null,
            name: 'Тарт',
            quantity: 1,
            isPaid: false,
          },
        ],
        createdAt: '2026-11-20 23:30:00.000',
        customerId: id,
        phone: null,
        ...more,
      },
    };
    await importGiftOrders(
      { db: database.db, erp, secrets: fixture.deps.secrets },
      connectionId,
      [fact],
      {
        own: new Map(),
        noteFirst: async () => undefined,
      },
    );
    return fact.id;
  };
  const unauthorized = () =>
    selectRows(
      database.db,
      'unauthorized_gift',
      ['status'],
      { rewardId: rewards.tart },
      { orderBy: 'id' },
    );
  beforeEach(() => deleteRows(database.db, 'unauthorized_gift'));

  test.each([
    ['COMMENT', { comment: 'Просил [COMP]Тарт[/COMP]' }, () => ({})],
    ['CATEGORY', { addCategoryIds: 'dessert' }, () => ({ customerId: null, phone })],
  ] as const)(
    'redeems the promise of the card (%s), and does not promise it again',
    async (variant, edit, named) => {
      await use(variant);
      await program.edit(id, 'comment' in edit ? edit : { addCategoryIds: [program.dessert] });

      const orderId = await order(named());
      await read();

      expect(await rights()).toMatchObject([{ status: 'REDEEMED', reward: rewards.tart }]);
      expect(await unauthorized()).toEqual([]);
      expect(
        await selectRows(database.db, 'compensation', ['redeemedOrderId as id'], {
          id: (await rights())[0]!.id,
        }),
      ).toEqual([{ id: orderId }]);
    },
  );

  test('[CMP-92] finds a promise even if the organization has moved to another connection', async () => {
    await use('CATEGORY');
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    const moved = await fixture.rows.connection();
    const inactive = (at: Date | null) =>
      updateRows(
        database.db,
        'mirror_organization',
        { inactiveAt: at },
        { id: place.organizationId },
      );
    await inactive(new Date());
    const there = await fixture.rows.organization(moved, { erp_id: program.organizationId });
    try {
      await order({}, moved);
    } finally {
      await deleteRows(database.db, 'mirror_organization', { id: there.id });
      await inactive(null);
    }

    expect(await rights()).toMatchObject([{ status: 'GRANTED' }]);
    expect(await unauthorized()).toMatchObject([{ status: 'OPEN' }]);
    expect(await conflicts()).toMatchObject([{ kind: 'SECOND_RIGHT', status: 'OPEN' }]);
  });

  test.each([
    ['OFF', 'the id', 'the phone'],
    ['OFF', 'the phone', 'the id'],
    ['CATEGORY', 'the id', 'the phone'],
    ['COMMENT', 'the phone', 'the id'],
  ] as const)(
    '[CMP-101] redeems, with markers %s and found by %s, the right of a client with %s',
    async (variant, by, known) => {
      await use(variant);
      const keys = known === 'the phone' ? { phone } : { erpCustomerId: id };
      const clientId = await database.db.transaction((tx) =>
        ensureClient(tx, fixture.deps, { connectionId: place.connectionId, ...keys }),
      );
      const right = await grantTo(database.db, { clientId, rewardId: rewards.tart });
      const orderId = await order(by === 'the id' ? {} : { customerId: null, phone });

      expect(
        await selectRows(database.db, 'compensation', ['status', 'redeemedOrderId'], { id: right }),
      ).toEqual([{ status: 'REDEEMED', redeemedOrderId: orderId }]);
      expect(await unauthorized()).toEqual([]);
    },
  );

  test('waits for staff if the card has no promise, or the ERP does not return the card', async () => {
    await use('COMMENT');
    await order();
    await emulator.control('fault', { kind: '500', endpoint: INFO, times: 8 });
    await program.edit(id, { comment: '[COMP]Тарт[/COMP]' });
    await order();

    expect(await unauthorized()).toEqual([{ status: 'OPEN' }, { status: 'OPEN' }]);
  });
});

describe('a card that cannot be read', () => {
  beforeEach(async () => {
    await use('CATEGORY');
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    await program.edit(id, { removeCategoryIds: [program.dessert] });
  });

  test.each([
    ['slow', { delayMs: 60_000 }, 'ABANDONED'],
    ['no-answer', {}, 'ABANDONED'],
    ['500', {}, 'FAILED'],
    ['truncated-json', {}, 'FAILED'],
    ['403', {}, 'FAILED'],
  ] as const)(
    '[CMP-42] %s: the stored card applies with its time, within the time budget of a second',
    async (kind, more, end) => {
      const existing = await card();
      await emulator.control('fault', { kind, endpoint: INFO, ...more });
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      const budgets: number[] = [];
      AbortSignal.timeout = (ms) => {
        budgets.push(ms);
        return timeout(ms);
      };
      const ends: string[] = [];
      const patient = erpClient(120_000);
      try {
        const watched = {
          customerInfo: (...[connection, organization, key, options]: CustomerInfo) =>
            patient
              .customerInfo(connection, organization, key, options)
              .finally(() => ends.push(options?.signal?.aborted === true ? 'ABANDONED' : 'FAILED')),
        };
        expect(await read(undefined, watched)).toEqual({
          state: 'LAST_KNOWN',
          readAt: existing!.readAt,
        });
      } finally {
        AbortSignal.timeout = timeout;
        await emulator.control('clear-faults');
        await patient.close();
      }

      expect({ ends, budget: budgets[0] }).toEqual({ ends: [end], budget: 1_000 });
      expect(await conflicts()).toEqual([]);
    },
  );

  test('[ERP-9] allows orders despite a reading that is too slow for the guest', async () => {
    const { connectionId } = place;
    const through = createErpClient({
      baseUrl: emulator.url,
      ...openPorts(await login(emulator)),
      circuits: createErpCircuits(database),
      log: createLog({ service: 'test', level: 'fatal' }),
    });
    await addRow(database.db, 'erp_circuit', {
      connectionId,
      endpointGroup: 'LOYALTY',
      openedAt: databaseNow(),
      openUntil: databaseNow(),
      openedTimes: 1,
    });
    await emulator.control('fault', { kind: 'slow', endpoint: INFO, delayMs: 1_500 });
    const { db } = database;
    const hurried = { db, erp: through, secrets: fixture.deps.secrets };
    const looks = [1, 2, 3].map(() =>
      readCard(
        hurried,
        phone,
        async () => ({ ...place, organizationErpId: program.organizationId }),
        {
          budgetMs: 100,
        },
      ),
    );

    expect((await Promise.all(looks)).map(({ state }) => state)).toEqual([
      'LAST_KNOWN',
      'LAST_KNOWN',
      'LAST_KNOWN',
    ]);
    await emulator.control('clear-faults');
    await expect(
      through.customerCategories(connectionId, program.organizationId),
    ).resolves.toBeDefined();
    expect(await selectRows(db, 'erp_circuit', ['openUntil'])).toEqual([{ openUntil: null }]);
    await through.close();
    await deleteRows(db, 'erp_circuit');
  });

  test('[CMP-42] proves nothing about promises without a client or a loyalty program', async () => {
    await emulator.control('loyalty-settings', { offFor: [program.organizationId] });
    expect(await read()).toEqual({ state: 'NONE' });
    await emulator.control('loyalty-settings', { offFor: [] });
    await program.edit(id, { isDeleted: true });
    expect(await read()).toEqual({ state: 'NONE' });

    expect(await conflicts()).toEqual([]);
    expect(await rights()).toMatchObject([{ status: 'GRANTED' }]);
  });

  test('creates no client from an unknown one', async () => {
    phone = '+79990000001';
    expect(await read()).toEqual({ state: 'NONE' });
  });
});

describe('[CMP-83] a phone that now belongs to another customer of the ERP', () => {
  const readGifts = async (signedIn: string) => {
    const keys = { connectionId: place.connectionId, phone: signedIn };
    const clients = await findClients(database.db, { secrets: fixture.deps.secrets }, keys);
    const rows = await selectRows(
      database.db,
      'compensation',
      ['rewardId as reward'],
      { clientId: clients.map((client) => client.id) },
      { orderBy: 'grantedAt' },
    );
    return rows.map(({ reward }) => reward);
  };
  const ownerless = () => ownerlessPhones(database.db);
  let former: string;
  beforeEach(async () => {
    await use('COMMENT');
    await program.edit(id, { comment: '[COMP]Тарт[/COMP]' });
    await read();
    former = phone;
    phone = `+${(phones += 1)}`;
  });

  test('keeps no gifts if the customer has a new phone, which then has the gifts', async () => {
    expect(await readGifts(former)).toEqual([rewards.tart]);
    await program.put({ id, phone, comment: '[COMP]Тарт[/COMP][COMP]Ролл[/COMP]' });
    expect(await read()).toEqual({ state: 'READ', readAt: expect.any(Date) });

    expect(await readGifts(phone)).toEqual([rewards.tart, rewards.roll]);
    expect(await readGifts(former)).toEqual([]);
    expect(await ownerless()).toBe(0);
  });

  test('adds a manual promise under the new phone of the customer to their gifts', async () => {
    await fixture.grant({
      clientId: await fixture.client({ phone }, place.connectionId),
      rewardId: rewards.roll,
    });
    await program.put({ id, phone, comment: '[COMP]Тарт[/COMP]' });
    await read();

    expect(await readGifts(phone)).toEqual([rewards.tart, rewards.roll]);
    expect(await readGifts(former)).toEqual([]);
    expect(await ownerless()).toBe(0);
  });

  test('shows only the gifts of the other customer who now has the old phone', async () => {
    await program.put({ id, phone, comment: '[COMP]Тарт[/COMP]' });
    const other = await program.put({ phone: former, comment: '[COMP]Ролл[/COMP]' });
    phone = former;
    await read();

    expect(await readGifts(former)).toEqual([rewards.roll]);
    id = other;
    expect(await rights()).toMatchObject([{ reward: rewards.roll }]);
  });

  test('finds the promises of a new card after the old card was deleted', async () => {
    await program.put({ id, isDeleted: true, phone: null });
    await program.put({ phone: former, comment: '[COMP]Ролл[/COMP]' });
    phone = former;
    await read();

    expect(await readGifts(former)).toEqual([rewards.roll]);
  });

  test('stays with its last customer if the ERP has no client with it', async () => {
    await program.put({ id, phone, comment: '[COMP]Тарт[/COMP]' });
    phone = former;

    expect(await read()).toEqual({ state: 'READ', readAt: expect.any(Date) });
    expect(await readGifts(former)).toEqual([rewards.tart]);
  });
});

describe('[CMP-92] a customer whose organization has moved to another connection', () => {
  let moved: number;
  beforeEach(async () => {
    await use('CATEGORY');
    await program.edit(id, { addCategoryIds: [program.dessert] });
    await read();
    moved = await fixture.rows.connection();
  });
  const readThere = () =>
    readCard({ db: database.db, erp, secrets: fixture.deps.secrets }, phone, async () => ({
      ...place,
      connectionId: moved,
      organizationErpId: program.organizationId,
    }));

  test.each(['GRANTED', 'REDEEMED'])(
    'receives no promise twice, and staff decide (%s)',
    async (status) => {
      const [before] = await rights();
      if (status === 'REDEEMED') await redeem(before!.id);
      expect(await readThere()).toEqual({ state: 'READ', readAt: expect.any(Date) });
      expect(await readThere()).toEqual({ state: 'READ', readAt: expect.any(Date) });

      expect(await rights()).toEqual([{ ...before, status }]);
      expect(await conflicts()).toEqual([
        { kind: 'SECOND_RIGHT', status: 'OPEN', reward: rewards.tart },
      ]);
    },
  );
});

test('[ERP-36] a promise is found again after an outage, although only guests make calls', async () => {
  await use('CATEGORY');
  const { connectionId } = place;
  const log = createLog({ service: 'test', level: 'fatal' });
  const through = createErpClient({
    baseUrl: emulator.url,
    ...openPorts(await login(emulator)),
    circuits: createErpCircuits(database),
    log,
  });
  await program.edit(id, { addCategoryIds: [program.dessert] });
  const cards = createClientCards(
    { db: database.db, erp: through, secrets: fixture.deps.secrets, log },
    0,
  );
  const visit = () =>
    cards.read(phone, async () => ({ ...place, organizationErpId: program.organizationId }));
  await emulator.control('fault', { kind: '500', endpoint: INFO, times: 100 });
  for (let time = 0; time < 20; time += 1) await visit();
  await emulator.control('clear-faults');
  await updateRows(database.db, 'erp_circuit', { openUntil: ago('1 ms') }, { connectionId });
  expect(await visit()).toMatchObject({ state: 'LAST_KNOWN' });

  await probeCircuits({ db: database.db, erp: through }, connectionId);

  expect(await visit()).toMatchObject({ state: 'READ' });
  expect(await rights()).toMatchObject([{ reward: rewards.tart, status: 'GRANTED' }]);
  await through.close();
  await deleteRows(database.db, 'erp_circuit');
});

test('[CMP-41] an answer older than an applied one is dropped and creates no promise', async () => {
  await use('CATEGORY');
  await program.edit(id, { addCategoryIds: [program.dessert] });
  await read();
  const [right] = await rights();
  await redeem(right!.id);
  const askedAt = new Date(
    (await database.db.query<{ now: Date }>('select clock_timestamp() as now'))[0]!.now,
  );
  await program.edit(id, { removeCategoryIds: [program.dessert] });
  await read();
  const client = await selectRow(database.db, 'compensation_client', ['id'], { erpCustomerId: id });
  const late = await database.db.transaction((tx) =>
    applyCard(tx, {
      clientId: client.id,
      source: 'ERP_CATEGORY',
      customer: {
        id,
        comment: null,
        categories: [{ id: program.dessert, name: null, isActive: true }],
      },
      organizationId: place.organizationId,
      askedAt,
      onlyOneRight: true,
      clears: null,
    }),
  );

  expect(late).toBeNull();
  expect(await rights()).toHaveLength(1);
});

test('[CMP-43] a connection without promises at the ERP reads nothing, and each uses its own setting', async () => {
  const asked = async () =>
    (await emulator.control<{ calls: object[] }>(`calls?endpoint=${INFO}`)).calls.length;
  await program.edit(id, { addCategoryIds: [program.dessert], comment: '[COMP]Тарт[/COMP]' });
  const before = await asked();
  expect(await read()).toEqual({ state: 'OFF' });
  expect(await asked()).toBe(before);

  const connections = { [place.connectionId]: 'COMMENT' };
  await use('CATEGORY', { gift_markers: { usual: 'CATEGORY', connections } });
  await read();
  expect(await rights()).toMatchObject([{ source: 'ERP_COMMENT' }]);
});

describe('[CMP-105] readings during requests of guests', () => {
  const log = createLog({ service: 'test', level: 'fatal' });
  let calls: number;
  let placeOf: () => Promise<CardPlace>;
  const cards = (freshMs?: number) => {
    const customerInfo: typeof erp.customerInfo = (...asked) => {
      calls += 1;
      return erp.customerInfo(...asked);
    };
    return createClientCards(
      { db: database.db, erp: { ...erp, customerInfo }, secrets: fixture.deps.secrets, log },
      freshMs,
    );
  };
  beforeEach(async () => {
    await use('CATEGORY');
    await program.edit(id, { addCategoryIds: [program.dessert] });
    calls = 0;
    placeOf = async () => ({ ...place, organizationErpId: program.organizationId });
  });

  test('reuse a reading that is younger than 30 seconds, in every process', async () => {
    const first = await cards().read(phone, placeOf);
    const again = await cards().read(phone, placeOf);
    await updateRows(database.db, 'client_card', { readAt: ago('31 seconds') }, {});
    const later = await cards().read(phone, placeOf);

    expect([first, again, later]).toEqual(
      Array.from({ length: 3 }, () => ({ state: 'READ', readAt: expect.any(Date) })),
    );
    expect(again).toEqual(first);
    expect(calls).toBe(2);
  });

  test('[CMP-118] reuse a reading without a card, and repeat it once it is 30 seconds old', async () => {
    const stranger = '+79990009988';
    const none = cards();
    expect(await Promise.all([none.read(stranger, placeOf), none.read(stranger, placeOf)])).toEqual(
      [{ state: 'NONE' }, { state: 'NONE' }],
    );
    expect(await none.read(stranger, placeOf)).toEqual({ state: 'NONE' });
    expect(calls).toBe(1);
    // The stored answer does not apply to other clients or to another restaurant.
    expect(await none.read(phone, placeOf)).toMatchObject({ state: 'READ' });
    await none.read(stranger, async () => ({
      ...(await placeOf()),
      organizationErpId: randomUUID(),
    }));
    expect(calls).toBe(3);

    calls = 0;
    const forgetful = cards(50);
    await eventually('the ERP is asked again', async () => {
      await forgetful.read(stranger, placeOf);
      return calls > 1 ? true : undefined;
    });
  });

  test('[CMP-118] never treat a failed reading as a missing card', async () => {
    const stranger = '+79990009977';
    const one = cards();
    await emulator.control('fault', { kind: '500', endpoint: INFO, times: 8 });
    expect(await one.read(stranger, placeOf)).toEqual({ state: 'LAST_KNOWN', readAt: null });
    await emulator.control('clear-faults');

    expect(await one.read(stranger, placeOf)).toEqual({ state: 'NONE' });
  });

  test('share a running reading', async () => {
    const one = cards(0);
    const all = await Promise.all(Array.from({ length: 5 }, () => one.read(phone, placeOf)));

    expect(new Set(all.map((knowledge) => JSON.stringify(knowledge))).size).toBe(1);
    expect(calls).toBe(1);
    await one.read(phone, placeOf);
    expect(calls).toBe(2);
  });

  test('retry a reading that the ERP did not answer', async () => {
    await emulator.control('fault', { kind: '500', endpoint: INFO, times: 8 });
    const failed = await cards().read(phone, placeOf);
    await emulator.control('clear-faults');

    expect(failed).toEqual({ state: 'LAST_KNOWN', readAt: null });
    expect(await cards().read(phone, placeOf)).toMatchObject({ state: 'READ' });
  });

  test('happen once in a session, without a delay', async () => {
    const one = cards(0);
    for (let count = 0; count < 3; count += 1) one.greet('anna', phone, placeOf);
    one.greet('boris', phone, async () => Promise.reject(new Error('broken')));
    await eventually('the card is read', async () =>
      (await rights()).length === 1 ? true : undefined,
    );

    expect(calls).toBe(1);
  });
});

describe('the evaluation of a cart or a checkout', () => {
  const customerId = 'customer-of-cards';
  let cartId: string;
  beforeEach(async () => {
    await use('CATEGORY');
    await program.edit(id, { addCategoryIds: [program.dessert] });
    cartId = randomUUID();
    await addRow(database.db, 'cart', {
      id: cartId,
      customerId,
      organizationId: place.organizationId,
      options: {} as never,
      answered: '',
    });
  });
  afterEach(() => deleteRows(database.db, 'cart'));
  const log = createLog({ service: 'test', level: 'fatal' });
  const look = (caller: object, client: typeof erp = erp) =>
    readCardOfCart(
      {
        db: database.db,
        clientCards: createClientCards(
          { db: database.db, erp: client, secrets: fixture.deps.secrets, log },
          0,
        ),
      },
      { cartId, customerId, verifiedPhone: phone, ...caller },
    );

  test.each([
    ['by its id', {}],
    ['their own one', { cartId: null }],
  ])('[CMP-43] reads the card of the customer: %s', async (_what, caller) => {
    await look(caller);
    expect(await rights()).toMatchObject([{ reward: rewards.tart }]);
  });

  test.each([
    ['a guest who has not signed in', { customerId: null }],
    ['a customer whose phone nobody vouches for', { verifiedPhone: null }],
    ['a cart that is not there', { cartId: '00000000-0000-4000-8000-000000000000' }],
  ])('[CMP-43] reads nothing for %s', async (_what, caller) => {
    await look(caller);
    expect(await rights()).toEqual([]);
  });

  test('[CMP-43] allows an order despite a failure of our own', async () => {
    await look({}, { ...erp, customerInfo: () => Promise.reject(new Error('broken')) });
    expect(await rights()).toEqual([]);
  });
});
