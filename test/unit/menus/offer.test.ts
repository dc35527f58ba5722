import { expect, test } from '@jest/globals';
import type { OfferFact } from '../../../modules/menus/rules/offers/facts.ts';
import { chooseOffers } from '../../../modules/menus/rules/offers/choose-offers.ts';
import { offer } from './facts-builder.ts';

const menu = (externalMenuId: number, over: Partial<OfferFact> = {}) =>
  offer(1, { externalMenuId, ...over });
const chosen = (...offers: OfferFact[]) => chooseOffers(offers).get(1)?.externalMenuId;

test.each<[string, OfferFact[], number | undefined]>([
  ['the only menu speaks', [menu(7)], 7],
  ['a menu that hides it says nothing', [menu(7, { isHidden: true }), menu(8, { menuRank: 2 })], 8],
  ['nobody speaks when all hide it', [menu(7, { isHidden: true })], undefined],
  [
    'a live price comes before a lost one of a better rank',
    [menu(7, { isLive: false }), menu(8, { menuRank: 2 })],
    8,
  ],
  ['then the better rank', [menu(7, { menuRank: 2 }), menu(8)], 8],
  ['then the older menu', [menu(8), menu(7)], 7],
])('%s, in any order', (_, offers, expected) => {
  expect(chosen(...offers)).toBe(expected);
  expect(chosen(...offers.toReversed())).toBe(expected);
});
