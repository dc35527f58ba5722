import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ensureClient, findClients } from '../../../modules/gifts/clients/clients.ts';
import { forgetClients } from '../../../modules/gifts/clients/forget-clients.ts';
import {
  nextMissedHistories,
  noteMissedHistory,
} from '../../../modules/gifts/clients/missed-history.ts';
import { moveRights } from '../../../modules/gifts/rights/move-rights.ts';
import type { Tx } from '../../support/text-database.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable, sessionsWait } from '../../support/races.ts';
import { GRANTER, grantTo, ownerlessPhones, rightsFixture } from '../../support/rights.ts';
import { addRow, ago, selectRow, selectRows, updateRows } from '../../support/rows.ts';
import { rowTexts } from '../../support/whole-schema.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
beforeAll(async () => {
  database = await migratedDatabase();
  fixture = await rightsFixture(database.db);
});
afterAll(() => database.close());

let phones = 79_990_000_000;
const newPhone = () => `+${(phones += 1)}`;
const readRow = async (id: string) =>
  (await database.db.db
    .selectFrom('compensation_client')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst())!;

test('a phone is one client of its account, and another client of another account', async () => {
  const phone = newPhone();
  const id = await fixture.client({ phone });

  expect(await fixture.client({ phone })).toBe(id);
  const { db } = database;
  const elsewhere = await fixture.rows.connection();
  expect(
    await db.transaction((tx) =>
      ensureClient(tx, fixture.deps, { connectionId: elsewhere, phone }),
    ),
  ).not.toBe(id);
});

test('[CMP-5] no readable column contains a phone', async () => {
  const phone = newPhone();
  const id = await fixture.client({ phone });

  const { personalDataId } = await readRow(id);
  const [client] = await rowTexts(database.db, 'compensation_client', id);
  const [data] = await rowTexts(database.db, 'personal_data', personalDataId!);
  expect(data).toContain('CLIENT');
  expect(`${client!}${data!}`).not.toContain(phone.slice(1));
});

test('a phone is found with a key that encrypted it before', async () => {
  const phone = newPhone();
  const id = await fixture.client({ phone });
  const keys = [9, 7].map((fill, at) => ({
    id: at === 0 ? 'new' : 'test@row',
    key: Buffer.alloc(32, fill),
  }));

  const found = await findClients(
    database.db,
    { secrets: createSecretBox(keys) },
    { connectionId: fixture.connectionId, phone },
  );
  expect(found.map((row) => row.id)).toEqual([id]);
});

test('[CMP-5] concurrent searches for one new client find the same client', async () => {
  const keys = { phone: newPhone(), erpCustomerId: randomUUID() };

  // All calls have read before the first may write.
  const held = await holdTable(database.db, 'compensation_client');
  const all = Array.from({ length: 4 }, () => fixture.client(keys));
  await held.waits(all.length);
  await held.release();
  const ids = await Promise.all(all);

  expect(new Set(ids).size).toBe(1);
  expect(await ownerlessPhones(database.db)).toBe(0);
});

test('[CMP-5] a phone and an ERP id of the same client are merged, with the rights of both', async () => {
  const [phone, erpCustomerId] = [newPhone(), randomUUID()];
  const [byPhone, byId] = [
    await fixture.client({ phone }),
    await fixture.client({ erpCustomerId }),
  ];
  const rights = [
    await fixture.grant({ clientId: byPhone }),
    await fixture.grant({ clientId: byId }),
  ];

  expect(await fixture.client({ phone, erpCustomerId })).toBe(byId);

  const owners = await selectRows(database.db, 'compensation', ['clientId'], { id: rights });
  expect(owners).toEqual(
    [{ clientId: byId }, { clientId: byId }].map((entry) => expect.objectContaining(entry)),
  );
  expect(await readRow(byPhone)).toBeUndefined();
  expect(await fixture.client({ phone })).toBe(byId);
});

test('[CMP-83] older orders found for a phone later belong to the customer who has it', async () => {
  const { db } = database;
  const [phone, erpCustomerId] = [newPhone(), randomUUID()];
  const [byPhone, byId] = [
    await fixture.client({ phone }),
    await fixture.client({ erpCustomerId }),
  ];
  await fixture.grant({ clientId: byPhone });
  const from = new Date(Date.now() - 20 * 86_400_000);
  await noteMissedHistory(db, fixture.connectionId, { from, to: new Date() });

  await fixture.client({ phone, erpCustomerId });

  const missed = await nextMissedHistories(db, fixture.deps, fixture.connectionId, 1_000);
  expect(missed.filter(({ clientId }) => clientId === byId)).toMatchObject([{ phone, from }]);
});

describe('a phone that the ERP has given to another customer', () => {
  const readPersonalId = async (id: string) => (await readRow(id)).personalDataId;
  const alone = () => ownerlessPhones(database.db);

  test('[CMP-83] moves to that customer, and the first one keeps the rights without a phone', async () => {
    const phone = newPhone();
    const first = await fixture.client({ phone, erpCustomerId: randomUUID() });
    const right = await fixture.grant({ clientId: first });
    const second = await fixture.client({ phone, erpCustomerId: randomUUID() });

    expect(second).not.toBe(first);
    expect(await readRow(first)).toMatchObject({ phoneDigest: null, personalDataId: null });
    expect(await fixture.client({ phone })).toBe(second);
    const owners = await selectRows(database.db, 'compensation', ['clientId as owner'], {
      id: right,
    });
    expect(owners).toEqual([{ owner: first }]);
    expect(await alone()).toBe(0);
  });

  test('[CMP-83] replaces the former phone of that customer', async () => {
    const [former, phone, erpCustomerId] = [newPhone(), newPhone(), randomUUID()];
    const first = await fixture.client({ phone, erpCustomerId: randomUUID() });
    const second = await fixture.client({ phone: former, erpCustomerId });

    expect(await fixture.client({ phone, erpCustomerId })).toBe(second);
    expect([await readPersonalId(first), await readPersonalId(second)]).toEqual([
      null,
      expect.any(String),
    ]);
    expect(await fixture.client({ phone })).toBe(second);
    expect(await fixture.client({ phone: former })).not.toBe(second);
    expect(await alone()).toBe(0);
  });

  test('[CMP-83] belongs to one customer under concurrent reports, and no session waits permanently', async () => {
    const [phone, ids] = [newPhone(), [randomUUID(), randomUUID(), randomUUID()]];
    await Promise.all(
      ids.map((erpCustomerId) => fixture.client({ phone: newPhone(), erpCustomerId })),
    );
    const told = [...ids, ...ids].map((erpCustomerId) => fixture.client({ phone, erpCustomerId }));

    const clients = new Set(await Promise.all(told));
    expect(clients.size).toBe(3);
    expect(clients).toContain(await fixture.client({ phone }));
    expect(await alone()).toBe(0);
  });

  test('[CMP-83] stays until a concurrent grant to its former owner is committed', async () => {
    const { db } = database;
    const [phone, erpCustomerId] = [newPhone(), randomUUID()];
    const first = await fixture.client({ phone, erpCustomerId: randomUUID() });
    const [looked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const giving = db.transaction(async (tx) => {
      const clientId = await ensureClient(tx, fixture.deps, {
        connectionId: fixture.connectionId,
        phone,
      });
      looked.resolve();
      await over.promise;
      return clientId;
    });
    await looked.promise;
    const moving = fixture.client({ phone, erpCustomerId });
    await sessionsWait(db, 1);
    over.resolve();

    expect(await giving).toBe(first);
    const second = await moving;
    expect(await fixture.client({ phone })).toBe(second);
  });
});

test('[CLI-5] phones are erased after a year without activity, and promises stay', async () => {
  const { db } = database;
  const [before, lately] = [
    new Date(Date.now() - 400 * 86_400_000),
    new Date(Date.now() - 300 * 86_400_000),
  ];
  const old = async (phone = newPhone()) => {
    const id = await fixture.client({ phone });
    await updateRows(db, 'compensation_client', { createdAt: before }, { id });
    return id;
  };
  const cancelled = async (clientId: string, at: Date) => {
    const id = await fixture.grant({ clientId, at: before });
    await db.transaction((tx) =>
      moveRights(tx, GRANTER, { ids: [id] }, { move: 'CANCEL', reason: 'an error', at }),
    );
    return clientId;
  };
  const phone = newPhone();
  const forgotten = [await old(), await cancelled(await old(phone), before)];
  const [inUse, readLately] = [await old(), await old()];
  await fixture.grant({ clientId: inUse, at: before });
  await addRow(db, 'client_card', { clientId: readLately, readAt: lately });
  const kept = [
    inUse,
    readLately,
    await cancelled(await old(), lately),
    await fixture.client({ phone: newPhone() }),
  ];
  const personal = (await readRow(forgotten[1]!)).personalDataId;

  expect(await forgetClients(db, 365, 1)).toBe(1);
  expect(await forgetClients(db, 365, 1_000)).toBe(1);
  expect(await forgetClients(db, 365, 1_000)).toBe(0);

  for (const id of forgotten)
    expect(await readRow(id)).toMatchObject({ phoneDigest: null, personalDataId: null });
  for (const id of kept) expect((await readRow(id)).phoneDigest).not.toBeNull();
  expect(await selectRows(db, 'personal_data', ['id'], { id: personal! })).toEqual([]);
  expect(await selectRows(db, 'compensation', ['status'], { clientId: forgotten[1] })).toEqual([
    { status: 'CANCELLED' },
  ]);
  expect(await fixture.client({ phone })).not.toBe(forgotten[1]);
});

test('a client with a concurrent grant is not erased, and no transaction waits', async () => {
  const { db } = database;
  const id = await fixture.client({ phone: newPhone() });
  await updateRows(db, 'compensation_client', { createdAt: ago('400 days') }, { id });

  const forgotten = await db.transaction(async (tx) => {
    await grantTo(
      { ...db, transaction: (work) => work(tx) },
      { clientId: id, rewardId: fixture.rewardId },
    );
    return Promise.race([forgetClients(db, 365, 1_000), delay(2_000, 'waits')]);
  });

  expect(forgotten).toBe(0);
  expect((await readRow(id)).phoneDigest).not.toBeNull();
});

describe('a gift for a phone that is being erased', () => {
  const readOwner = async (right: string) => {
    const row = await selectRow(database.db, 'compensation', ['clientId as client'], { id: right });
    return readRow(row.client);
  };
  const grantIn = (tx: Tx, clientId: string) =>
    grantTo(
      { ...database.db, transaction: (work) => work(tx) },
      { clientId, rewardId: fixture.rewardId },
    );
  let phone: string;
  let id: string;
  beforeEach(async () => {
    phone = newPhone();
    id = await fixture.client({ phone });
    await updateRows(database.db, 'compensation_client', { createdAt: ago('400 days') }, { id });
  });
  const clientWith = (tx: Tx) =>
    ensureClient(tx, fixture.deps, { connectionId: fixture.connectionId, phone });

  test('[CLI-7] belongs to a client with that phone if the phone is erased first', async () => {
    const { db } = database;
    const [forgotten, over] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    const forgetting = db.transaction(async (tx) => {
      forgotten.resolve(await forgetClients(tx, 365, 1_000));
      await over.promise;
    });
    await forgotten.promise;
    const giving = db.transaction(async (tx) => grantIn(tx, await clientWith(tx)));
    await sessionsWait(db, 1);
    over.resolve();
    await forgetting;
    const owner = await readOwner(await giving);

    expect(await forgotten.promise).toBe(1);
    expect((await readRow(id)).phoneDigest).toBeNull();
    expect([owner.phoneDigest, owner.personalDataId]).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  test('[CLI-7] keeps the phone if its client was found first', async () => {
    const { db } = database;
    const [right, count] = await db.transaction(async (tx) => {
      const clientId = await clientWith(tx);
      const forgotten = await Promise.race([forgetClients(db, 365, 1_000), delay(2_000, 'waits')]);
      return [await grantIn(tx, clientId), forgotten] as const;
    });

    expect(count).toBe(0);
    expect(await readOwner(right)).toMatchObject({ id, phoneDigest: expect.any(String) });
  });
});
