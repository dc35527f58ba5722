import { expect, test } from '@jest/globals';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { firstIds } from '../../../modules/ordering/restore/lost-orders.ts';
import { PLAIN_ORDER } from '../../support/erp-orders.ts';

const created = (id: string, movedFrom: string | null): ErpDelivery => ({
  id,
  organizationId: 'restaurant',
  timestamp: 1,
  creation: 'SUCCESS',
  status: 'Unconfirmed',
  isCooked: false,
  number: 1,
  externalNumber: null,
  sum: 100,
  terminalGroupId: null,
  movedTo: null,
  movedFrom,
  content: { ...PLAIN_ORDER, lines: [], createdAt: null, customerId: null, phone: null },
});
const listFirstIds = (facts: readonly ErpDelivery[]) =>
  firstIds(facts).map(({ orderId, fact }) => [orderId, fact.id]);

test('[ORD-113] an order that was moved is named by its first id, in its last state', () => {
  expect(
    listFirstIds([created('b', 'a'), created('a', null), created('c', 'b'), created('d', null)]),
  ).toEqual([
    ['a', 'c'],
    ['d', 'd'],
  ]);
});

test('[ORD-113] a moved order uses its first stored id if the ERP omits the former one', () => {
  expect(listFirstIds([created('b', 'a')])).toEqual([['a', 'b']]);
});

test('[ORD-113] orders that the ERP reports as moved in a circle are omitted', () => {
  expect(listFirstIds([created('a', 'b'), created('b', 'a')])).toEqual([]);
});
