import { describe, expect, test } from '@jest/globals';
import {
  organizationSwitches,
  type OrganizationSwitches,
} from '../../../modules/mirror/rules/organization-switches.ts';

const OPEN: OrganizationSwitches = {
  addressFormat: 'LEGACY',
  takesDelivery: true,
  takesPickup: true,
  needsMarketingSource: false,
  takesLineComments: true,
  denominationKopecks: 1,
};

describe('[MIR-94] the switches of an organization', () => {
  test.each<[string, object, Partial<OrganizationSwitches>]>([
    ['the city format of addresses', { addressFormatType: 'City' }, { addressFormat: 'CITY' }],
    ['another format of addresses', { addressFormatType: 'International' }, {}],
    ['couriers alone', { deliveryServiceType: 'CourierOnly' }, { takesPickup: false }],
    ['self-service alone, in capitals', { deliveryServiceType: 'SELFSERVICEONLY' }, { takesDelivery: false }],
    ['couriers and self-service', { deliveryServiceType: 'CourierAndSelfService' }, {}],
    ['an unknown kind of service', { deliveryServiceType: 'DroneOnly' }, {}],
    ['a required marketing source', { marketingSourceRequiredInDelivery: true }, { needsMarketingSource: true }],
    ['a required marketing source as text', { marketingSourceRequiredInDelivery: 'True' }, { needsMarketingSource: true }],
    ['an optional marketing source', { marketingSourceRequiredInDelivery: false }, {}],
    ['no comments of lines', { orderItemCommentEnabled: false }, { takesLineComments: false }],
    ['whole rubles', { currencyMinimumDenomination: 1 }, { denominationKopecks: 100 }],
    ['half a ruble as text', { currencyMinimumDenomination: '0.5' }, { denominationKopecks: 50 }],
    ['kopecks', { currencyMinimumDenomination: 0.01 }, {}],
    ['no coin', { currencyMinimumDenomination: 0 }, {}],
    ['a negative coin', { currencyMinimumDenomination: -1 }, {}],
    ['an impossible coin', { currencyMinimumDenomination: 1_000 }, {}],
    ['a list for a coin', { currencyMinimumDenomination: [5] }, {}],
  ])('follow %s', (_, raw, expected) => {
    expect(organizationSwitches(raw)).toEqual({ ...OPEN, ...expected });
  }); // oxfmt-ignore

  test.each([
    [null],
    [undefined],
    ['text'],
    [{}],
    [{ orderItemCommentEnabled: null, deliveryServiceType: null }],
  ])('restrict nothing if the organization is %j', (raw) => {
    expect(organizationSwitches(raw)).toEqual(OPEN);
  });
});
