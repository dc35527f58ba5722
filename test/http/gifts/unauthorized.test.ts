import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { UnauthorizedGift } from '../../../modules/gifts/schemas/staff-decisions.ts';
import { readAudit } from '../../support/audit.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { holdTable } from '../../support/races.ts';
import { rightsFixture } from '../../support/rights.ts';
import { addRow, countRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  fixture = await rightsFixture(api.deps.db);
});
afterAll(() => api.stop());

test('[CMP-50] a gift without a right is listed, and staff decide about it once, with a reason', async () => {
  const { rows, connectionId, rewardId } = fixture;
  const organizationErpId = randomUUID();
  const organization = await rows.organization(connectionId, { erp_id: organizationErpId });
  const giftOrderId = await rows.insert('erp_gift_order', {
    connection_id: connectionId,
    erp_order_id: randomUUID(),
    organization_erp_id: organizationErpId,
    day: '2026-11-20',
    status: 'Closed',
    erp_timestamp: 1,
  });
  const line = {
    gift_order_id: giftOrderId,
    erp_item_id: randomUUID(),
    erp_size_id: '',
    name: 'Тарт',
    quantity: 2,
  };
  const id = await rows.insert('unauthorized_gift', {
    ...line,
    kind: 'NO_RIGHT',
    reward_id: rewardId,
    found_at: new Date(),
  });
  await addRow(api.deps.db, 'notification', {
    kind: 'UNAUTHORIZED_COMPENSATION',
    severity: 'CRITICAL',
    subjectType: 'unauthorized-gift',
    subjectId: String(id),
    details: {},
  });
  const list = async (query: string) =>
    (
      await admin.get<{ items: UnauthorizedGift[] }>(`/compensations/unauthorized?${query}`)
    ).items.map((item) => item.id);
  const settle = (body: object) =>
    admin.raw('POST', `/compensations/unauthorized/${id}/settle`, body);

  expect(await list('status=OPEN')).toEqual([id]);
  expect(await list(`organization_id=${organization.id}`)).toEqual([id]);
  const other = await rows.organization(connectionId);
  expect(await list(`organization_id=${other.id}`)).toEqual([]);
  const blank = await settle({ decision: 'ALLOWED', reason: '  ' });
  const held = await holdTable(api.deps.db, 'unauthorized_gift');
  const decisions = ['ALLOWED', 'NOT_ALLOWED'].map((decision) =>
    settle({ decision, reason: 'спросили управляющего' }),
  );
  await held.waits(decisions.length);
  await held.release();
  const both = await Promise.all(decisions);

  expect(blank.status).toBe(422);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const settled = (await both.find(({ status }) => status === 200)!.json()) as UnauthorizedGift;
  expect(settled).toMatchObject({
    id,
    day: '2026-11-20',
    quantity: 2,
    reason: 'спросили управляющего',
  });
  expect(await list('status=OPEN')).toEqual([]);
  expect(await readAudit(api.deps, 'unauthorized-gift')).toMatchObject([
    { action: 'settle', reason: 'спросили управляющего' },
  ]);
  expect(
    await countRows(api.deps.db, 'notification', {
      kind: 'UNAUTHORIZED_COMPENSATION',
      resolvedAt: null,
    }),
  ).toBe(0);
  expect(
    (
      await admin.raw('POST', '/compensations/unauthorized/999999/settle', {
        decision: 'ALLOWED',
        reason: 'x',
      })
    ).status,
  ).toBe(404);
});
