import { expect, test } from '@jest/globals';
import {
  reachedLimits,
  listScopes,
  type OrderOrigin,
} from '../../../modules/ordering/rules/order-limits.ts';
import { NO_ORDER_LIMITS } from '../../support/order-limits.ts';

const HOME = { city: 'Омск', street: 'Садовая улица', house: '1', building: '2', flat: '7' };
const GUEST: OrderOrigin = {
  customerId: null,
  phone: '+79990001122',
  address: HOME,
  clientAddress: '203.0.113.7',
  organizationId: 3,
};
const findScopeText = (scope: string, change: Partial<OrderOrigin> = {}) =>
  listScopes({ ...GUEST, ...change }).find((by) => by.scope === scope)?.text;
const findDoor = (change: Partial<typeof HOME>) =>
  findScopeText('ADDRESS', { address: { ...HOME, ...change } });

test('[ORD-121] orders of guests are counted in four scopes, orders of customers by account', () => {
  expect(listScopes(GUEST).map(({ scope }) => scope)).toEqual([
    'GUEST',
    'ADDRESS',
    'NETWORK',
    'POINT',
  ]);
  expect(listScopes({ ...GUEST, clientAddress: null }).map(({ scope }) => scope)).toEqual([
    'GUEST',
    'ADDRESS',
    'POINT',
  ]);
  expect(listScopes({ ...GUEST, phone: null, address: null }).map(({ scope }) => scope)).toEqual([
    'NETWORK',
    'POINT',
  ]);
  expect(listScopes({ ...GUEST, customerId: 'anna' })).toEqual([
    { scope: 'CUSTOMER', text: 'anna' },
  ]);
});

test.each<[string, Partial<typeof HOME>]>([
  ['a short form of the street', { street: 'ул. Садовая' }],
  ['the building in the house', { house: '1 к2', building: '' }],
  ['words around the flat', { flat: 'кв. 7' }],
  ['the case and the kind of the city', { city: 'г. ОМСК' }],
])('[ORD-121] the key of an address is the same with %s', (_, change) => {
  expect(findDoor(change)).toBe(findDoor({}));
});

test.each<[string, Partial<typeof HOME>]>([
  ['flat', { flat: '8' }],
  ['house', { house: '11' }],
  ['street', { street: 'Садовый проезд' }],
  ['city', { city: 'Томск' }],
])('[ORD-121] the key of an address differs with another %s', (_, change) => {
  expect(findDoor(change)).not.toBe(findDoor({}));
});

test.each([
  ['words', { street: null }],
  ['a flat', { flat: null }],
  ['a number or a word in the flat', { flat: ' - ' }],
])('[ORD-121] an address without %s is not counted', (_, change) => {
  expect(findScopeText('ADDRESS', { address: { ...HOME, ...change } })).toBeUndefined();
});

test('[ORD-121] a network is the /24 of IPv4 or the /64 of IPv6, counted in each restaurant', () => {
  const findNetwork = (clientAddress: string) => findScopeText('NETWORK', { clientAddress });

  expect(findNetwork('203.0.113.200')).toBe(findNetwork('203.0.113.7'));
  expect(findNetwork('203.0.114.7')).not.toBe(findNetwork('203.0.113.7'));
  expect(findNetwork('2001:db8:1:2::/64')).not.toBe(findNetwork('2001:db8:1:3::/64'));
  expect(findScopeText('NETWORK', { organizationId: 4 })).not.toBe(findScopeText('NETWORK'));
});

test('[ORD-121] a limit is reached by the number of orders that it allows, and 0 means no limit', () => {
  const limits = { ...NO_ORDER_LIMITS, GUEST: { open: 3, day: 10 }, POINT: { open: 0, day: 5 } };

  expect(reachedLimits([{ scope: 'GUEST', open: 2, day: 9 }], limits)).toEqual([]);
  expect(reachedLimits([{ scope: 'GUEST', open: 3, day: 9 }], limits)).toEqual([
    { scope: 'GUEST', period: 'OPEN' },
  ]);
  expect(reachedLimits([{ scope: 'GUEST', open: 2, day: 10 }], limits)).toEqual([
    { scope: 'GUEST', period: 'DAY' },
  ]);
  expect(reachedLimits([{ scope: 'POINT', open: 99, day: 4 }], limits)).toEqual([]);
  expect(reachedLimits([{ scope: 'NETWORK', open: 99, day: 99 }], limits)).toEqual([]);
});
