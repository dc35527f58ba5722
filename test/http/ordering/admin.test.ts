import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { OrderSending } from '../../../modules/delivery/schemas/order-sending.ts';
import type {
  CompositionAnswer,
  Discount,
  Promocode,
  PromocodeBulkResult,
  ServiceRole,
} from '../../../modules/ordering/schemas/requests.ts';
import { useDiscounts } from '../../../modules/ordering/promotions/discount-uses.ts';
import { readAudit } from '../../support/audit.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { addRow, selectRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let dish: { variantId: number; erpId: string };
let soy: { variantId: number; erpId: string };
let organizationId: number;
let organizationErpId: string;
let connectionId: number;
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  const rows = menuRows(api.deps.db);
  const place = await rows.restaurant();
  ({ organizationId, organizationErpId, connectionId } = place);
  dish = await rows.dish({ ...place, prices: { [organizationId]: 50_000 } });
  soy = await rows.dish({ ...place, prices: { [organizationId]: 3_000 } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

const refused = (method: string, path: string, body?: object) =>
  awaitRefusal(admin.raw(method, path, body));
const generateCode = () => `c${randomUUID()}`.slice(0, 20);

describe('the ERP values of orders', () => {
  const [cash, card, other] = [randomUUID(), randomUUID(), randomUUID()];
  const path = () => `/connections/${connectionId}/order-sending`;

  test('[ORD-54] come from the ERP until staff choose one with the current version, audited', async () => {
    const nothing = await admin.get<OrderSending>(path());
    const type = (id: string, kind: string) => ({
      id,
      code: null,
      name: kind,
      kind,
      organizationIds: [organizationErpId],
    });
    await addRow(api.deps.db, 'erp_choices', {
      connectionId,
      paymentTypes: [type(cash, 'Cash'), type(card, 'Card'), type(other, 'Card')],
      discountTypes: [],
    });
    const ambiguous = await admin.get<OrderSending>(path());
    const chosen = await admin.patch<OrderSending>(path(), {
      version: 0,
      paymentTypes: { CARD_COURIER: other },
    });
    const late = await admin.raw('PATCH', path(), { version: 0, paymentTypes: { CASH: cash } });
    const cleared = await admin.patch<OrderSending>(path(), {
      version: 1,
      paymentTypes: { CARD_COURIER: null },
    });
    const audit = await selectRows(api.deps.db, 'audit_entry', '*', {
      entityType: 'order-sending',
    });

    expect(nothing).toMatchObject({
      paymentTypes: {},
      discountTypeId: null,
      missing: [],
      choices: null,
      version: 0,
    });
    expect(ambiguous.missing).toEqual([
      { organizationId, what: 'CARD_COURIER' },
      { organizationId, what: 'DISCOUNT' },
    ]);
    expect(chosen).toMatchObject({ paymentTypes: { CARD_COURIER: other }, version: 1 });
    expect(chosen.missing).toEqual([{ organizationId, what: 'DISCOUNT' }]);
    expect(late.status).toBe(409);
    expect(cleared).toMatchObject({ paymentTypes: {}, version: 2 });
    expect(audit).toHaveLength(2);
  });

  test('[ORD-54] must be in the lists of the ERP', async () => {
    expect(
      await refused('PATCH', path(), { version: 2, paymentTypes: { CASH: randomUUID() } }),
    ).toMatchObject({
      status: 422,
      errors: [{ field: 'paymentTypes.CASH', code: 'not_found' }],
    });
    expect((await admin.raw('GET', '/connections/999999/order-sending')).status).toBe(404);
  });
});

describe('a discount', () => {
  test('[ORD-25] can be created in rubles and hours, read, changed and deleted', async () => {
    const code = generateCode();
    const created = await admin.post<Discount>('/discounts', {
      code,
      name: ' Обед ',
      amount: 99.9,
      minSubtotal: 500,
      weekdays: [1, 2],
      fromTime: '22:00',
      toTime: '02:00',
      organizationIds: [organizationId],
    });
    const changed = await admin.patch<Discount>(`/discounts/${created.id}`, {
      version: 1,
      percent: 10,
      weekdays: null,
    });
    const listed = await admin.get<{ items: Discount[] }>('/discounts');
    await admin.raw('DELETE', `/discounts/${created.id}`);

    expect(created).toMatchObject({
      code: code.toUpperCase(),
      name: 'Обед',
      percent: null,
      amount: 99.9,
      minSubtotal: 500,
      fromTime: '22:00',
      toTime: '02:00',
      isCombinable: false,
      isActive: true,
    });
    expect(changed).toMatchObject({
      percent: 10,
      amount: null,
      weekdays: null,
      fromTime: '22:00',
      version: 2,
    });
    expect(listed.items.map(({ id }) => id)).toContain(created.id);
    expect((await admin.raw('GET', `/discounts/${created.id}`)).status).toBe(404);
  });

  test('[ORD-86] applies until midnight if its hours end there, and not on the next day', async () => {
    const hours = { fromTime: '18:00', toTime: '00:00' };
    const { id, ...created } = await admin.post<Discount>('/discounts', {
      code: generateCode(),
      name: 'x',
      percent: 5,
      ...hours,
    });
    const changed = await admin.patch<Discount>(`/discounts/${id}`, { version: 1, fromTime: null });

    expect(created).toMatchObject(hours);
    expect(changed).toMatchObject({ fromTime: null, toTime: '00:00' });
  });

  test.each<[string, object, string, string]>([
    ['midnight twice', { percent: 5, fromTime: '00:00', toTime: '00:00' }, 'toTime', 'invalid'],
    ['nothing to take off', {}, 'percent', 'required'],
    ['two things to take off', { percent: 5, amount: 5 }, 'amount', 'invalid'],
    ['a fraction of a kopeck', { amount: 0.015 }, 'amount', 'invalid'],
    ['more than everything', { percent: 101 }, 'percent', 'max'],
    [
      'an end before the beginning',
      { percent: 5, startsAt: '2026-02-01T00:00:00Z', endsAt: '2026-01-01T00:00:00Z' },
      'endsAt',
      'invalid',
    ],
    [
      'hours that end when they begin',
      { percent: 5, fromTime: '10:00', toTime: '10:00' },
      'toTime',
      'invalid',
    ],
    ['a day twice', { percent: 5, weekdays: [1, 1] }, 'weekdays', 'duplicate'],
    [
      'an unknown organization',
      { percent: 5, organizationIds: [999_999] },
      'organizationIds.0',
      'not_found',
    ],
  ])('[ORD-25] cannot have %s', async (_, body, field, code) => {
    expect(
      await refused('POST', '/discounts', { code: generateCode(), name: 'x', ...body }),
    ).toMatchObject({
      status: 422,
      errors: [{ field, code }],
    });
  });

  test('requires a unique code, and an edit requires the current version', async () => {
    const code = generateCode();
    const { id } = await admin.post<Discount>('/discounts', { code, name: 'x', percent: 5 });

    expect(
      await refused('POST', '/discounts', { code: code.toUpperCase(), name: 'y', percent: 5 }),
    ).toMatchObject({
      status: 409,
    });
    expect(await refused('PATCH', `/discounts/${id}`, { version: 2, percent: 6 })).toMatchObject({
      status: 409,
    });
  });
});

describe('a promo code', () => {
  test('[ORD-25] requires a discount that needs promo codes, and that cannot change while it has one', async () => {
    const discount = await admin.post<Discount>('/discounts', {
      code: generateCode(),
      name: 'x',
      percent: 5,
      needsPromocode: true,
    });
    const open = await admin.post<Discount>('/discounts', {
      code: generateCode(),
      name: 'x',
      percent: 5,
    });
    // Some devices write й as two characters.
    const written = 'Новый2026'.normalize('NFD');
    const created = await admin.post<Promocode>('/promocodes', {
      code: written,
      discountId: discount.id,
    });

    expect(created).toMatchObject({ code: 'НОВЫЙ2026', customerId: null, isActive: true });
    expect(
      await refused('POST', '/promocodes', { code: 'новый2026', discountId: discount.id }),
    ).toMatchObject({
      status: 409,
    });
    expect(await refused('POST', '/promocodes', { code: 'X', discountId: open.id })).toMatchObject({
      errors: [{ field: 'discountId', code: 'not_supported' }],
    });
    expect(await refused('DELETE', `/discounts/${discount.id}`)).toMatchObject({ status: 409 });
    expect(await admin.get(`/promocodes?discount_id=${discount.id}`)).toMatchObject({ total: 1 });
    await admin.raw('DELETE', `/promocodes/${created.id}`);
    expect((await admin.raw('DELETE', `/discounts/${discount.id}`)).status).toBe(204);
  });

  test('[ORD-184] shows the used and available uses of its discount, like the discount', async () => {
    const limited = await withCode({ totalUses: 3 });
    const unlimited = await withCode();
    for (const discountId of [limited.discount.id, unlimited.discount.id])
      for (let orders = 0; orders < 2; orders += 1) {
        const order = { organizationId, connectionId, number: generateCode() };
        const { id: orderId } = await addRow(api.deps.db, 'customer_order', order);
        await useDiscounts(api.deps.db, { orderId, customerId: null, discountIds: [discountId] });
      }
    const discounts = await admin.get<{ items: Discount[] }>('/discounts?size=200');
    const counts = (rows: { id: number; uses: number; usesLeft: number | null }[], id: number) =>
      rows.filter((row) => row.id === id).map(({ uses, usesLeft }) => [uses, usesLeft]);

    expect(limited.promocode).toMatchObject({ uses: 0, usesLeft: 3 });
    expect(counts(discounts.items, limited.discount.id)).toEqual([[2, 1]]);
    expect(counts(discounts.items, unlimited.discount.id)).toEqual([[2, null]]);
    for (const { discount, promocode } of [limited, unlimited]) {
      const { uses, usesLeft } = await admin.get<Discount>(`/discounts/${discount.id}`);
      const { items } = await admin.get<{ items: Promocode[] }>(
        `/promocodes?discount_id=${discount.id}`,
      );
      expect(await admin.get(`/promocodes/${promocode.id}`)).toMatchObject({ uses, usesLeft });
      expect(counts(items, promocode.id)).toEqual([[uses, usesLeft]]);
    }
  });
});

async function withCode(more: object = {}): Promise<{ discount: Discount; promocode: Promocode }> {
  const fields = { name: 'x', percent: 5, needsPromocode: true, ...more };
  const discount = await admin.post<Discount>('/discounts', { code: generateCode(), ...fields });
  return {
    discount,
    promocode: await admin.post('/promocodes', { code: generateCode(), discountId: discount.id }),
  };
}

describe('a request for many promo codes', () => {
  const bulk = (body: object, headers?: Record<string, string>) =>
    admin.raw('POST', '/promocodes/bulk', body, headers);
  async function made(
    body: object,
    headers?: Record<string, string>,
  ): Promise<PromocodeBulkResult> {
    const response = await bulk(body, headers);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as PromocodeBulkResult;
  }

  test('[ORD-183] creates each code once, also concurrently, and lists the others by row', async () => {
    const { discount, promocode } = await withCode();
    const fresh = Array.from({ length: 50 }, () => generateCode().toUpperCase());
    const codes = [...fresh, promocode.code, fresh[0]!.toLowerCase()];
    const dry = await made({ discountId: discount.id, codes, dryRun: true });
    const untouched = await admin.get(`/promocodes?discount_id=${discount.id}`);
    const results = await Promise.all(
      Array.from({ length: 3 }, () => made({ discountId: discount.id, codes })),
    );
    const [first] = results[0]!.created;

    expect(dry.created).toEqual(fresh.map((code) => ({ id: null, code })));
    expect(dry.failed).toEqual([
      { row: 50, code: promocode.code, reason: 'DUPLICATE' },
      { row: 51, code: fresh[0], reason: 'REPEATED' },
    ]);
    expect(untouched).toMatchObject({ total: 1 });
    expect(results.flatMap(({ created }) => created.map(({ code }) => code)).toSorted()).toEqual(
      fresh.toSorted(),
    );
    expect(
      results.every(({ created, failed }) => created.length + failed.length === codes.length),
    ).toBe(true);
    expect(await admin.get(`/promocodes?discount_id=${discount.id}`)).toMatchObject({ total: 51 });
    const id = first?.id ?? (await readId(fresh[0]!));
    expect(await readAudit(api.deps, 'promocode', String(id))).toMatchObject([
      { action: 'create' },
    ]);
  });
  const readId = async (code: string) =>
    (await selectRows(api.deps.db, 'promocode', ['id'], { code }))[0]!.id;

  test('[ORD-183] lists codes that a single request would reject', async () => {
    const { discount } = await withCode();
    const code = generateCode().toUpperCase();
    const { created, failed } = await made({
      discountId: discount.id,
      codes: ['\u115F', code, 'ß'.repeat(50)],
    });

    expect(created.map((each) => each.code)).toEqual([code]);
    expect(failed.map(({ row, reason }) => [row, reason])).toEqual([
      [0, 'INVALID'],
      [2, 'INVALID'],
    ]);
  });

  test('[ORD-183, HTTP-25] distinguishes Latin letters from a Cyrillic prefix', async () => {
    const { discount } = await withCode();
    const cyrillic = await made({
      discountId: discount.id,
      count: 5,
      prefix: 'ЛЕТО',
      length: 6,
      dryRun: true,
    });
    const alike = await made({
      discountId: discount.id,
      count: 5,
      prefix: 'АВС',
      length: 6,
      dryRun: true,
    });

    for (const { code } of cyrillic.created) expect(code).toMatch(/^ЛЕТО-[A-Z\d]{6}$/);
    for (const { code } of alike.created) expect(code).toMatch(/^ABC[A-Z\d]{6}$/);
  });

  test('[ORD-183] generates random codes of unambiguous letters, once per idempotency key', async () => {
    const { discount } = await withCode();
    const request = {
      discountId: discount.id,
      count: 10_000,
      prefix: 'summer-',
      length: 7,
      isActive: false,
    };
    const headers = { 'idempotency-key': randomUUID() };
    const drawn = await made(request, headers);
    const again = await made(request, headers);

    expect(drawn.failed).toEqual([]);
    expect(new Set(drawn.created.map(({ code }) => code)).size).toBe(10_000);
    expect(
      drawn.created.filter(({ code }) => !/^SUMMER-[ACDEFGHJKMNPQRTVWXY34679]{7}$/.test(code)),
    ).toEqual([]);
    expect(again).toEqual(drawn);
    expect(await admin.get(`/promocodes?discount_id=${discount.id}&size=1`)).toMatchObject({
      total: 10_001,
      items: [{ isActive: expect.any(Boolean) }],
    });
  });

  test.each([
    ['neither codes nor a count', {}, 'codes', 'required'],
    ['both', { codes: ['A'], count: 1 }, 'codes', 'required'],
    ['a prefix of listed codes', { codes: ['A'], prefix: 'B' }, 'prefix', 'not_supported'],
    ['an unknown discount', { discountId: 999_999, count: 1 }, 'discountId', 'not_found'],
  ])('[ORD-183] fails with %s', async (_, body, field, code) => {
    const { discount } = await withCode();
    expect(
      await refused('POST', '/promocodes/bulk', { discountId: discount.id, ...body }),
    ).toMatchObject({
      errors: [{ field, code }],
    });
  });
});

describe('the roles of service items', () => {
  const put = (items: object[]) => admin.raw('PUT', '/service-roles', { items });

  test('[ORD-26] refer to an item or a variant each, and are replaced completely', async () => {
    await put([{ role: 'FREE_SOY', erpItemId: dish.erpId }]);
    const answer = (await (await put([{ role: 'PAID_SOY', variantId: soy.variantId }])).json()) as {
      items: ServiceRole[];
    };

    expect(answer).toMatchObject({
      items: [
        { role: 'PAID_SOY', variantId: soy.variantId, erpItemId: null, name: expect.any(String) },
      ],
      total: 1,
    });
    expect(await admin.get('/service-roles')).toEqual(answer);
  });

  test('share one version, so one of two concurrent replacements is a conflict', async () => {
    const { version } = await admin.get<{ version: number }>('/service-roles');
    const replace = (role: string) =>
      admin.raw('PUT', '/service-roles', { version, items: [{ role, variantId: soy.variantId }] });
    const answers = await Promise.all([replace('SUGAR'), replace('CUTLERY')]);

    const [taken, late] = answers.toSorted((a, b) => a.status - b.status);
    expect([taken!.status, late!.status]).toEqual([200, 409]);
    expect(await late!.json()).toMatchObject({ currentVersion: version + 1 });
    expect(await taken!.json()).toMatchObject({ version: version + 1, total: 1 });
  });

  test.each<[string, () => object[], string, string]>([
    ['neither', () => [{ role: 'SUGAR' }], 'items.0', 'invalid'],
    [
      'both',
      () => [{ role: 'SUGAR', erpItemId: dish.erpId, variantId: dish.variantId }],
      'items.0',
      'invalid',
    ],
    [
      'an unknown item',
      () => [{ role: 'SUGAR', erpItemId: randomUUID() }],
      'items.0.erpItemId',
      'not_found',
    ],
    [
      'an unknown variant',
      () => [{ role: 'SUGAR', variantId: 999_999 }],
      'items.0.variantId',
      'not_found',
    ],
    [
      'one role twice',
      () => [
        { role: 'SUGAR', variantId: dish.variantId },
        { role: 'SUGAR', variantId: soy.variantId },
      ],
      'items.1.role',
      'duplicate',
    ],
    [
      'one item twice',
      () => [
        { role: 'SUGAR', variantId: dish.variantId },
        { role: 'CUTLERY', variantId: dish.variantId },
      ],
      'items.1',
      'duplicate',
    ],
  ])('[ORD-26] cannot have %s', async (_, items, field, code) => {
    expect(await refused('PUT', '/service-roles', { items: items() })).toMatchObject({
      errors: [{ field, code }],
    });
  });
});

describe('the composition of an order', () => {
  test('[ORD-27] comes from the rules of staff and the values of variants', async () => {
    await admin.raw('PUT', '/service-roles', {
      items: [{ role: 'PAID_SOY', variantId: soy.variantId }],
    });
    await admin.patch(`/variants/${dish.variantId}`, {
      version: 1,
      personCount: 2,
      personSplittingEnabled: true,
      toolCount: 3,
    });
    const ask = () =>
      admin.post<CompositionAnswer>('/composition-rules/calculate', {
        lines: [
          { variantId: dish.variantId, quantity: 2 },
          { variantId: soy.variantId, quantity: 3 },
        ],
        cutlery: 9,
        leaveAtDoor: true,
      });
    const before = await ask();
    const rule = await admin.post<{ id: number }>('/composition-rules', {
      role: 'FREE_SOY',
      everyPersons: 2,
      freeUnits: 1,
    });
    const after = await ask();
    await admin.raw('DELETE', `/composition-rules/${rule.id}`);

    expect(before).toEqual({
      persons: 5,
      units: [
        { role: 'CUTLERY', quantity: 6, isHidden: false },
        { role: 'FREE_SOY', quantity: 1, isHidden: false },
        { role: 'FREE_WASABI', quantity: 2, isHidden: false },
        { role: 'LEAVE_AT_DOOR', quantity: 1, isHidden: true },
      ],
      freeUnits: [{ variantId: soy.variantId, quantity: 3 }],
    });
    expect(after).toMatchObject({ freeUnits: [{ variantId: soy.variantId, quantity: 2 }] });
    expect(after.units.map(({ role }) => role)).toEqual([
      'CUTLERY',
      'FREE_WASABI',
      'LEAVE_AT_DOOR',
    ]);
    expect(await ask()).toEqual(before);
  });

  test('allows one rule per role, and fails for unknown variants', async () => {
    const rule = { role: 'SUGAR', everyPersons: 1, freeUnits: 0 };
    const { id } = await admin.post<{ id: number }>('/composition-rules', rule);

    expect(await refused('POST', '/composition-rules', rule)).toMatchObject({ status: 409 });
    expect(
      await refused('POST', '/composition-rules/calculate', {
        lines: [{ variantId: 999_999, quantity: 1 }],
      }),
    ).toMatchObject({
      status: 422,
    });
    await admin.raw('DELETE', `/composition-rules/${id}`);
  });
});
