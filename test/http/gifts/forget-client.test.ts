import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { dismissCandidate } from '../../../modules/gifts/cards/candidates.ts';
import { ensureClient, phoneDigest } from '../../../modules/gifts/clients/clients.ts';
import { resolveConflict } from '../../../modules/gifts/cards/conflicts.ts';
import { releaseRights, reserveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { noteCandidates } from '../../../modules/gifts/cards/note-candidates.ts';
import { settleUnauthorized } from '../../../modules/gifts/orders/unauthorized.ts';
import { readAudit } from '../../support/audit.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { holdTable, sessionsWait } from '../../support/races.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { GRANTER, grantTo, rightsFixture } from '../../support/rights.ts';
import { addRow, databaseNow, selectRow, selectRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  fixture = await rightsFixture(api.deps.db);
});
afterAll(() => api.stop());

let phones = 79_990_400_000;
let phone: string;
let clientId: string;
let right: string;
const clientIn = (connectionId: number) =>
  api.deps.db.transaction((tx) => ensureClient(tx, api.deps, { connectionId, phone }));
beforeEach(async () => {
  phone = `+${(phones += 1)}`;
  clientId = await clientIn(fixture.connectionId);
  right = await grantTo(api.deps.db, { clientId, rewardId: fixture.rewardId });
});

const sql = <T extends object>(text: string, params: unknown[] = []) =>
  api.deps.db.query<T>(text, params);
const forget = (body: object = {}) =>
  admin.raw('POST', '/clients/forget', { phone, reason: 'Asked for it on the phone', ...body });
const clientIds = async (answer: Promise<Response>) =>
  ((await (await answer).json()) as { clientIds: string[] }).clientIds;
const readRow = async (id: string) =>
  await selectRow(
    api.deps.db,
    'compensation_client',
    ['phoneDigest as digest', 'personalDataId as personal'],
    { id },
  );
const FORGOTTEN = { digest: null, personal: null };

describe('the erasure of a client', () => {
  test('[CLI-6] covers every account, with the reason and without the phone', async () => {
    const elsewhere = await clientIn(await fixture.rows.connection());
    const other = await fixture.client({ phone: `+${(phones += 1)}` });
    const { organizationId } = await fixture.rows.restaurant();
    await api.deps.db.transaction((tx) =>
      noteCandidates(
        tx,
        api.deps,
        {
          clientId,
          connectionId: fixture.connectionId,
          organizationId,
          customer: { id: randomUUID(), comment: 'free gift for the canary', categories: [] },
          askedAt: new Date(),
        },
        ['free gift'],
      ),
    );
    const personal = [(await readRow(clientId)).personal, (await readRow(elsewhere)).personal];
    const kept = async () =>
      (
        await sql(`select 1 from personal_data where id = any($1::uuid[]) or purpose = 'COMMENT'`, [
          personal,
        ])
      ).length;
    const before = await kept();
    const forgotten = await clientIds(forget({ phone: `8${phone.slice(2)}` }));
    const again = await clientIds(forget());

    expect(forgotten.toSorted()).toEqual([clientId, elsewhere].toSorted());
    expect(again).toEqual([]);
    expect([before, await kept()]).toEqual([3, 0]);
    expect([await readRow(clientId), await readRow(elsewhere)]).toEqual([FORGOTTEN, FORGOTTEN]);
    expect((await readRow(other)).digest).not.toBeNull();
    expect(await selectRows(api.deps.db, 'compensation_candidate', ['id'], { clientId })).toEqual(
      [],
    );
    expect(await selectRows(api.deps.db, 'compensation', ['status'], { id: right })).toEqual([
      { status: 'GRANTED' },
    ]);
    expect(await readAudit(api.deps, 'compensation-client', clientId)).toMatchObject([
      {
        action: 'forget',
        reason: 'Asked for it on the phone',
        before: { connectionId: fixture.connectionId },
        after: null,
      },
    ]);
    expect(await clientIn(fixture.connectionId)).not.toBe(clientId);
  });

  test('[CLI-6] requires a valid phone, a reason, and no order with a reserved gift', async () => {
    const orderId = randomUUID();
    await api.deps.db.transaction((tx) => reserveRights(tx, { orderId, rights: [right] }));

    expect(await awaitRefusal(forget())).toMatchObject({
      status: 409,
      type: '/problems/compensation-taken',
      orderId,
    });
    expect(await awaitRefusal(forget({ reason: '  ' }))).toMatchObject({
      errors: [{ field: 'reason', code: 'required' }],
    });
    expect(await awaitRefusal(forget({ phone: 'call me maybe' }))).toMatchObject({
      errors: [{ field: 'phone', code: 'format' }],
    });
    expect((await readRow(clientId)).digest).not.toBeNull();
  });

  test('[CLI-6] covers orders from other channels, unless an order has reserved a gift', async () => {
    const { organizationId } = await fixture.rows.restaurant();
    const { id } = await addRow(api.deps.db, 'erp_order', {
      id: randomUUID(),
      connectionId: fixture.connectionId,
      organizationId,
      erpTimestamp: 1,
      number: '1',
      state: 'CLOSED',
      fulfillmentType: 'PICKUP',
      persons: 1,
      timeZone: 'UTC',
      placedAt: databaseNow(),
      isAsap: true,
      totalKopecks: 0,
      lines: [],
      moves: [],
      phoneDigest: phoneDigest(api.deps, phone),
    });
    const readDigest = async () =>
      (await selectRow(api.deps.db, 'erp_order', ['phoneDigest'], { id })).phoneDigest;
    const orderId = randomUUID();
    await api.deps.db.transaction((tx) => reserveRights(tx, { orderId, rights: [right] }));
    const refused = await forget();
    const kept = await readDigest();
    await api.deps.db.transaction((tx) => releaseRights(tx, orderId, 'FAILED'));
    const forgotten = await forget();
    const audited = await readAudit(api.deps, 'order', id);

    expect([refused.status, forgotten.status]).toEqual([409, 200]);
    expect([kept === null, await readDigest()]).toEqual([false, null]);
    expect(audited).toMatchObject([{ action: 'erase', reason: 'Asked for it on the phone' }]);
  });

  /** Items that require a decision of staff, with the calls that decide them. */
  const DECISIONS = {
    compensation_conflict: async (reason: string) => {
      const { id } = await addRow(api.deps.db, 'compensation_conflict', {
        kind: 'SECOND_RIGHT',
        clientId,
        source: 'ERP_CATEGORY',
        subject: randomUUID(),
        generation: 1,
        rewardId: fixture.rewardId,
        foundAt: databaseNow(),
      });
      const decision = { decision: 'IGNORE', reason, mayCancel: true } as const;
      return { id, decide: () => resolveConflict(api.deps, GRANTER, id, decision) };
    },
    compensation_candidate: async (reason: string) => {
      const { organizationId } = await fixture.rows.restaurant();
      const customer = { id: randomUUID(), comment: 'one more free gift', categories: [] };
      const reading = {
        clientId,
        connectionId: fixture.connectionId,
        organizationId,
        customer,
        askedAt: new Date(),
      };
      await api.deps.db.transaction((tx) => noteCandidates(tx, api.deps, reading, ['free gift']));
      const { id } = await selectRow(api.deps.db, 'compensation_candidate', ['id'], { clientId });
      return {
        id,
        decide: () =>
          dismissCandidate(api.deps, { type: 'USER', userId: 1, requestId: null }, id, { reason }),
      };
    },
    unauthorized_gift: async (reason: string) => {
      const order = await addRow(api.deps.db, 'erp_gift_order', {
        connectionId: fixture.connectionId,
        erpOrderId: randomUUID(),
        organizationErpId: randomUUID(),
        ownOrderId: null,
        day: '2026-11-01',
        status: 'Delivered',
        erpTimestamp: 1,
      });
      const { id } = await addRow(api.deps.db, 'unauthorized_gift', {
        kind: 'NO_RIGHT',
        giftOrderId: order.id,
        erpItemId: randomUUID(),
        erpSizeId: '',
        name: 'Тарт',
        quantity: 1,
        rewardId: fixture.rewardId,
        clientId,
        foundAt: databaseNow(),
      });
      return {
        id,
        decide: () => settleUnauthorized(api.deps, GRANTER, id, { decision: 'ALLOWED', reason }),
      };
    },
  } as const;

  test.each(['compensation_conflict', 'compensation_candidate', 'unauthorized_gift'] as const)(
    '[CMP-109] includes the texts of a concurrent decision: %s',
    async (table) => {
      const { id, decide } = await DECISIONS[table]('She called twice');
      const held = await holdTable(api.deps.db, 'audit_entry');
      const deciding = decide();
      await held.waits(1);
      const forgetting = forget();
      await held.waits(2);
      await held.release();
      await deciding;

      expect((await forgetting).status).toBe(200);
      const { reasonId } = await selectRow(api.deps.db, table, ['reasonId'], { id });
      expect(reasonId).not.toBeNull();
      expect(await selectRows(api.deps.db, 'personal_data', ['id'], { id: reasonId! })).toEqual([]);
    },
  );

  test('[CLI-6] fails if an order reserves a gift concurrently', async () => {
    const [reserved, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const orderId = randomUUID();
    const ordering = api.deps.db.transaction(async (tx) => {
      await reserveRights(tx, { orderId, rights: [right] });
      reserved.resolve();
      await over.promise;
    });
    await reserved.promise;
    const answer = forget();
    await Promise.race([sessionsWait(api.deps.db, 1), answer]);
    over.resolve();
    await ordering;

    expect(await awaitRefusal(answer)).toMatchObject({ status: 409, orderId });
    expect((await readRow(clientId)).digest).not.toBeNull();
  });

  test('[CLI-7] prevents a grant by the client id during and afterwards', async () => {
    const grant = () =>
      admin.raw(
        'POST',
        '/compensations',
        { clientId, rewardId: fixture.rewardId, reason: 'OTHER' },
        { 'idempotency-key': randomUUID() },
      );
    const held = await holdTable(api.deps.db, 'compensation_candidate');
    const forgetting = forget();
    await held.waits(1);
    const granting = grant();
    await held.waits(2);
    await held.release();

    expect((await forgetting).status).toBe(200);
    for (const answer of [granting, grant()])
      expect(await awaitRefusal(answer)).toMatchObject({
        status: 422,
        errors: [{ field: 'clientId', code: 'not_found' }],
      });
    expect(await selectRows(api.deps.db, 'compensation', ['id'], { clientId })).toHaveLength(1);
  });
});
