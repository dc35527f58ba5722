import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { applyCard } from '../../../modules/gifts/cards/apply-card.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { moveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { readAudit } from '../../support/audit.ts';
import { type AdminClient, adminClient, newcomerClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { holdTable } from '../../support/races.ts';
import { GRANTER, rightsFixture } from '../../support/rights.ts';
import { deleteRows, selectRows, updateRows } from '../../support/rows.ts';

type Conflict = {
  id: number;
  clientId: string;
  kind: string;
  status: string;
  reward: { id: number };
  compensationId: string | null;
};
type Page = { items: Conflict[]; total: number };

let api: TestApi;
let admin: AdminClient;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
let place: { organizationId: number };
const categories = [randomUUID(), randomUUID()] as const;
let rewards: number[];
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  fixture = await rightsFixture(api.deps.db);
  place = { organizationId: (await fixture.rows.organization(fixture.connectionId)).id };
  rewards = [
    await fixture.reward({ category_id: categories[0] }),
    await fixture.reward({ category_id: categories[1] }),
  ];
});
afterAll(() => api.stop());

let clientId: string;
let erpId: string;
beforeEach(async () => {
  erpId = randomUUID();
  clientId = await fixture.client({ erpCustomerId: erpId });
});

const card = async (...ids: string[]): Promise<void> => {
  // A card reading counts only if it began at least a millisecond after the previous reading.
  await new Promise((resolve) => setTimeout(resolve, 2));
  const [clock] = await api.deps.db.query<{ now: Date }>('select clock_timestamp() as now');
  await api.deps.db.transaction((tx) =>
    applyCard(tx, {
      clientId,
      source: 'ERP_CATEGORY',
      customer: {
        id: erpId,
        comment: null,
        categories: ids.map((id) => ({ id, name: null, isActive: true })),
      },
      organizationId: place.organizationId,
      askedAt: clock!.now,
      onlyOneRight: true,
      clears: null,
    }),
  );
};
const open = async (): Promise<Conflict[]> =>
  (await admin.get<Page>('/compensation-conflicts?status=OPEN')).items.filter(
    (item) => item.clientId === clientId,
  );
const resolve = async (id: number, decision: string, reason = 'The guest waited twice') => {
  const answer = await admin.raw('POST', `/compensation-conflicts/${id}/resolve`, {
    decision,
    reason,
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
};
const rights = () =>
  selectRows(
    api.deps.db,
    'compensation',
    ['id', 'status', 'rewardId as reward', 'grantedBy as granted'],
    { clientId },
    { orderBy: 'grantedAt' },
  );

describe('two promises at the first reading', () => {
  beforeEach(() => card(...categories));

  test('[CMP-45] appear with their meaning, and staff grant one and ignore the other', async () => {
    const [roll, tart] = (await open()).toSorted((a, b) => b.reward.id - a.reward.id);
    expect(tart).toMatchObject({
      kind: 'SECOND_RIGHT',
      status: 'OPEN',
      source: 'ERP_CATEGORY',
      clientId,
      reward: { id: rewards[0], code: expect.any(String), name: 'Тарт' },
      compensationId: null,
      reason: null,
      closedAt: null,
    });
    const given = await resolve(tart!.id, 'GRANT');
    const ignored = await resolve(roll!.id, 'IGNORE');

    const [right, ...others] = await rights();
    expect([given.status, ignored.status, others]).toEqual([200, 200, []]);
    expect(right).toMatchObject({ status: 'GRANTED', reward: rewards[0], granted: 'STAFF' });
    expect(given.body).toMatchObject({
      status: 'GRANTED',
      compensationId: right!.id,
      closedBy: { id: expect.any(Number), name: expect.any(String) },
    });
    expect(ignored.body).toMatchObject({
      status: 'IGNORED',
      compensationId: null,
      reason: 'The guest waited twice',
    });
    expect(await readAudit(api.deps, 'compensation-conflict', tart!.id)).toMatchObject([
      { action: 'grant', reason: 'The guest waited twice' },
    ]);
  });

  test('[CMP-45] stay decided when the card is read again', async () => {
    for (const { id } of await open()) await resolve(id, 'IGNORE');
    await card(...categories);

    expect(await open()).toEqual([]);
    expect(await rights()).toEqual([]);
  });

  test('[CMP-9] cannot be granted to the own phone, and count toward the daily limit', async () => {
    const query = (text: string, params?: unknown[]) => api.deps.db.query(text, params);
    const [first, second] = await open();
    const phone = '+79990300001';
    await api.deps.db.transaction((tx) =>
      ensureClient(tx, api.deps, {
        connectionId: fixture.connectionId,
        erpCustomerId: erpId,
        phone,
      }),
    );
    await updateRows(api.deps.db, 'access_user', { phone }, { id: 1 });
    const own = await resolve(first!.id, 'GRANT');
    await updateRows(api.deps.db, 'access_user', { phone: null }, { id: 1 });
    const given = await resolve(first!.id, 'GRANT');
    await query(
      `insert into setting (key, value) select 'compensation_grants_per_day', to_jsonb(count(*)) from compensation where granted_by_user_id = 1`,
    );
    const full = await resolve(second!.id, 'GRANT');
    await deleteRows(api.deps.db, 'setting', { key: 'compensation_grants_per_day' });

    expect(own).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'decision', code: 'own_phone' }] },
    });
    expect(given).toMatchObject({ status: 200 });
    expect(full).toMatchObject({ body: { type: '/problems/grant-limit-reached' } });
    expect(await rights()).toHaveLength(1);
  });

  test.each([
    ['is switched off', 'is_active = false', 'not_found'],
    ['cannot be given anywhere', `health_state = 'BROKEN'`, 'reward_broken'],
  ])('[CMP-45] cannot become a gift that %s', async (_what, change, code) => {
    const [first] = await open();
    await api.deps.db.query(`update reward set ${change} where id = $1`, [first!.reward.id]);
    const given = await resolve(first!.id, 'GRANT');
    await updateRows(
      api.deps.db,
      'reward',
      { isActive: true, healthState: 'UNKNOWN' },
      { id: first!.reward.id },
    );

    expect(given).toMatchObject({ status: 422, body: { errors: [{ field: 'rewardId', code }] } });
    expect(await rights()).toEqual([]);
    expect(await open()).toHaveLength(2);
  });

  test('[CMP-45] cannot be decided twice in concurrent requests', async () => {
    const [conflict] = await open();
    const held = await holdTable(api.deps.db, 'compensation_conflict');
    const both = [resolve(conflict!.id, 'GRANT'), resolve(conflict!.id, 'GRANT')];
    await held.waits(both.length);
    await held.release();

    expect((await Promise.all(both)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual(
      [200, 409],
    );
    expect(await rights()).toHaveLength(1);
  });

  test('cannot be decided after they disappeared in the ERP, without a reason, or if unknown', async () => {
    const [first, second] = await open();
    const blank = await resolve(first!.id, 'GRANT', ' \u200b ');
    await card();

    expect(blank).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'reason', code: 'required' }] },
    });
    expect(await resolve(second!.id, 'GRANT')).toMatchObject({ status: 409 });
    expect(await resolve(999_999, 'GRANT')).toMatchObject({ status: 404 });
    expect(await open()).toEqual([]);
  });
});

test('[CMP-92] only staff grant a promise again that another connection has granted', async () => {
  await card(categories[0]);
  const [before] = await rights();
  clientId = await fixture.client({ erpCustomerId: erpId }, await fixture.rows.connection());
  await card(categories[0]);

  const [conflict, ...others] = await open();
  expect([conflict, others, await rights()]).toMatchObject([
    { kind: 'SECOND_RIGHT', status: 'OPEN' },
    [],
    [],
  ]);
  expect(await resolve(conflict!.id, 'GRANT')).toMatchObject({ status: 200 });
  const [given] = await rights();
  expect(given).toMatchObject({ status: 'GRANTED', reward: rewards[0], granted: 'STAFF' });
  expect(given!.id).not.toBe(before!.id);
  // The promise now has the granted right.
  await card();
  expect(await open()).toMatchObject([{ kind: 'REMOVED_BY_HAND', compensationId: given!.id }]);
});

describe('a promise that was removed manually', () => {
  beforeEach(async () => {
    await card(categories[0]);
    await card();
  });

  test.each([
    ['GRANT', 'GRANTED'],
    ['IGNORE', 'CANCELLED'],
  ])('%s: ends with the right %s', async (decision, status) => {
    const [conflict] = await open();
    const [right] = await rights();
    const { body } = await resolve(conflict!.id, decision);

    expect(conflict).toMatchObject({ kind: 'REMOVED_BY_HAND', compensationId: right!.id });
    expect(body).toMatchObject({ compensationId: right!.id });
    expect(await rights()).toMatchObject([{ status }]);
  });

  test('[CMP-86] can be canceled only by users who may cancel gifts', async () => {
    const account = { email: 'granter@carte.test', password: 'a granter who signs in' };
    await admin.post('/roles', {
      code: 'GRANTER',
      name: 'Gives gifts',
      permissions: ['compensations.read', 'compensations.grant'],
    });
    await admin.post('/users', { ...account, fullName: 'G', roles: ['GRANTER'] });
    const granter = await newcomerClient(api.url, account.email, account.password);
    const [conflict] = await open();
    const decide = (decision: string) =>
      granter.raw('POST', `/compensation-conflicts/${conflict!.id}/resolve`, {
        decision,
        reason: 'Not promised',
      });
    const refused = await decide('IGNORE');

    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ permission: 'compensations.manage' });
    expect(await rights()).toMatchObject([{ status: 'GRANTED' }]);
    expect((await decide('GRANT')).status).toBe(200);
  });

  test('[CMP-45] cannot be canceled while an order has the right', async () => {
    const [conflict] = await open();
    await api.deps.db.transaction((tx) =>
      moveRights(
        tx,
        GRANTER,
        { ids: [conflict!.compensationId!] },
        { move: 'RESERVE', orderId: randomUUID(), at: new Date() },
      ),
    );

    expect(await resolve(conflict!.id, 'IGNORE')).toMatchObject({ status: 409 });
    expect(await rights()).toMatchObject([{ status: 'RESERVED' }]);
    expect(await open()).toHaveLength(1);
  });
});
