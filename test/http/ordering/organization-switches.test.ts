import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OrderSending } from '../../../modules/delivery/schemas/order-sending.ts';
import type { OrderingStatus } from '../../../modules/delivery/schemas/hours.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { findingIn } from '../../support/findings.ts';
import { eventually } from '../../support/processes.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { updateRows } from '../../support/rows.ts';

const fixture = await orderingFixture();
const { api, db, place, makeCart, preflight, pickup } = fixture;
let admin: AdminClient;
beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(fixture.stop);
beforeEach(async () => {
  await fixture.empty('order_sending', 'discount');
  await switched({});
});

const switched = (raw: object) =>
  updateRows(db, 'mirror_organization', { raw }, { id: place.organizationId });
const path = `/connections/${place.connectionId}/order-sending`;
const deliver = async () =>
  (await preflight(await makeCart(), { fulfillment: { type: 'DELIVERY', slotId: 'asap' } })).body;

describe('[ORD-158] an ERP that does not accept an order type', () => {
  test('closes only pickup if only couriers are allowed', async () => {
    await switched({ deliveryServiceType: 'CourierOnly' });
    const { body } = await preflight(await makeCart(), { fulfillment: pickup() });

    expect(findingIn(body, 'PICKUP_NOT_ACCEPTING')).toMatchObject({ reason: 'DISABLED' });
    expect((await deliver()).blockers.map(({ code }) => code)).toEqual(['ADDRESS_REQUIRED']);
  });

  test('closes only delivery if only self-service is allowed, in the status of guests too', async () => {
    await switched({ deliveryServiceType: 'SelfServiceOnly' });

    expect(findingIn(await deliver(), 'DELIVERY_NOT_ACCEPTING')).toMatchObject({
      reason: 'DISABLED',
    });
    const status = await eventually('guests see it', async () => {
      const { body } = await fixture.ask<OrderingStatus>(
        'GET',
        `/organizations/${place.organizationErpId}/status`,
      );
      return body.delivery.reason === 'DISABLED' ? body : undefined;
    });
    expect(status.pickup.accepting).toBe(true);
  });

  test('accepts deliveries once staff have chosen the required marketing source', async () => {
    await switched({ marketingSourceRequiredInDelivery: true });
    const closed = await deliver();
    const lacking = await admin.get<OrderSending>(path);
    const marketingSourceId = randomUUID();
    const chosen = await admin.patch<OrderSending>(path, {
      version: lacking.version,
      marketingSourceId,
    });

    expect(findingIn(closed, 'DELIVERY_NOT_ACCEPTING')).toMatchObject({ reason: 'DISABLED' });
    expect(lacking.missing).toContainEqual({
      organizationId: place.organizationId,
      what: 'MARKETING_SOURCE',
    });
    expect(chosen).toMatchObject({ marketingSourceId, missing: [] });
    expect((await deliver()).blockers.map(({ code }) => code)).toEqual(['ADDRESS_REQUIRED']);
  });
});

test('[ORD-160] a discount is rounded down to the smallest coin of the ERP', async () => {
  await fixture.rows.insert('discount', { code: 'SEVEN', name: '7 %', kind: 'PERCENT', value: 7 });
  const exact = await makeCart();
  await switched({ currencyMinimumDenomination: 1 });
  const rounded = await makeCart();

  expect([exact, rounded].map(({ discounts, total }) => [discounts[0]!.amount, total])).toEqual([
    [59.5, 790.5],
    [59, 791],
  ]);
});
