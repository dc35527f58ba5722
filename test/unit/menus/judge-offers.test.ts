import { expect, test } from '@jest/globals';
import { judgeOffers } from '../../../modules/menus/rules/offers/judge.ts';
import type { OfferFact } from '../../../modules/menus/rules/offers/facts.ts';

const SIZE = { itemSizeId: 1, itemErpId: 'pizza', sizeErpId: 'L' };
const offer = (given: Partial<OfferFact> = {}): OfferFact => ({
  itemSizeId: 1,
  externalMenuId: 1,
  menuRank: 1,
  priceKopecks: 100,
  isLive: true,
  isHidden: false,
  ...given,
});
const judged = (offers: OfferFact[], stopped: [string, string][] = []) =>
  judgeOffers(offers, (item, size) =>
    stopped.some((entry) => entry[0] === item && entry[1] === size),
  )(SIZE);

test('a size is sold if a menu prices and shows it, the offer is live, and it is not stopped', () => {
  expect(judged([offer()], [['pizza', 'S']])).toEqual({
    offer: offer(),
    checks: { PRICED: true, SHOWN_BY_ERP: true, LIVE: true, NOT_STOPPED: true },
  });
});

test.each<[string, OfferFact[], ReturnType<typeof judged>['checks']]>([
  [
    'was never priced: nothing else is known but the stop-list',
    [offer({ itemSizeId: 2 })],
    { PRICED: false, SHOWN_BY_ERP: null, LIVE: null, NOT_STOPPED: true },
  ],
  [
    'is hidden at the ERP',
    [offer({ isHidden: true })],
    { PRICED: true, SHOWN_BY_ERP: false, LIVE: null, NOT_STOPPED: true },
  ],
  [
    'is no longer listed',
    [offer({ isLive: false })],
    { PRICED: true, SHOWN_BY_ERP: true, LIVE: false, NOT_STOPPED: true },
  ],
])('a size is not sold that %s', (_, offers, checks) => {
  expect(judged(offers).checks).toEqual(checks);
});

test('a stopped size is not sold, in any menu', () => {
  expect(judged([offer()], [['pizza', 'L']]).checks).toMatchObject({
    LIVE: true,
    NOT_STOPPED: false,
  });
  expect(judged([], [['pizza', 'L']])).toMatchObject({
    offer: null,
    checks: { NOT_STOPPED: false },
  });
});
