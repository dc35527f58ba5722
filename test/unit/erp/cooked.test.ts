import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readDeliveries } from '../../../erp/schemas/deliveries.ts';

const isCooked = (order: object): boolean | undefined => {
  const ids = { id: randomUUID(), organizationId: randomUUID(), timestamp: 1 };
  const { orders } = readDeliveries([
    { ...ids, creationStatus: 'Success', order: { status: 'Waiting', items: [], ...order } },
  ]);
  const [read] = orders;
  return read?.creation === 'SUCCESS' ? read.isCooked : undefined;
};
const item = (status: unknown, more = {}) => ({
  type: 'Product',
  product: { id: randomUUID(), name: 'Суп' },
  amount: 1,
  status,
  ...more,
});
const AT = '2026-11-26 12:28:00.000';

test.each([
  ['no date and no dish', {}, false],
  [
    'a confirmation only',
    { whenConfirmed: AT, whenCookingCompleted: null, whenPacked: null },
    false,
  ],
  ['a dish that was added only', { items: [item('Added')] }, false],
  ['a date of cooking', { whenCookingCompleted: AT, items: [item('Added')] }, true],
  ['a date of packing', { whenPacked: AT }, true],
  ['dishes that are all cooked', { items: [item('CookingCompleted'), item('Served')] }, true],
  [
    'one dish that still cooks',
    { items: [item('CookingCompleted'), item('CookingStarted')] },
    false,
  ],
  [
    'one dish that was taken out again',
    { items: [item('CookingCompleted'), item('Added', { deleted: {} })] },
    true,
  ],
  [
    'only dishes that were taken out again',
    { items: [item('CookingCompleted', { deleted: {} })] },
    false,
  ],
  ['a dish without a readable status', { items: [item('CookingCompleted'), item(null)] }, false],
  [
    'a cooked line of two halves',
    { items: [{ type: 'Compound', amount: 1, status: 'CookingCompleted' }] },
    true,
  ],
])('[ORD-31] an order with %s shows if it is cooked', (_what, order, expected) => {
  expect(isCooked(order)).toBe(expected);
});
