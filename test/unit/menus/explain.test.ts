import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { explain, type ExplainedProduct } from '../../../modules/menus/rules/snapshot/explain.ts';
import type { MenuFacts } from '../../../modules/menus/rules/snapshot/facts.ts';
import {
  group,
  link,
  menuFacts,
  modifier,
  offer,
  product,
  stopRow,
  stops,
  uuid,
  variant,
} from './facts-builder.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const size = (id: number) => ({ id, itemSizeId: id, itemErpId: uuid(id), sizeErpId: '' });
const explained = (
  facts: MenuFacts | null,
  { isPinned = false, ...given }: Partial<ExplainedProduct> & { isPinned?: boolean } = {},
) =>
  explain(
    facts,
    { id: 1, status: 'PUBLISHED', variants: [size(1)], offers: [], ...given },
    { isPinned, isOpen: () => true, digest },
  );
const reasons = (...given: Parameters<typeof explained>) =>
  explained(...given).variants.map(({ id, reason }) => [id, reason]);
/** The checks by first letters: `+` passed, `-` failed, a dot does not decide. */
const marks = (checks: Readonly<Record<string, boolean | null>>) =>
  Object.values(checks)
    .map((holds) => (holds === null ? '.' : holds ? '+' : '-'))
    .join('');

test('a sold product has the values of the menu, and all conditions are met', () => {
  const facts = menuFacts({
    groups: [group(1, 1, { min: 1 }), group(2, 1, { groupKey: 'extras' })],
    links: [link(1, 7), link(2, 8)],
    modifiers: [modifier(7), modifier(8)],
  });
  const { variants, ...verdict } = explained(facts);

  expect(verdict).toEqual({
    inMenu: true,
    checks: {
      ORGANIZATION_ACTIVE: true,
      IN_PINNED_REVISION: null,
      PUBLISHED: true,
      VISIBLE_HERE: true,
      PLACED: true,
      HAS_MAIN_IMAGE: true,
      SOLD_HERE: true,
    },
  });
  expect(variants).toEqual([
    {
      id: 1,
      inMenu: true,
      available: true,
      priceKopecks: 25_000,
      offer: offer(1),
      checks: {
        IN_CONTENT: true,
        PRICED: true,
        SHOWN_BY_ERP: true,
        LIVE: true,
        NOT_STOPPED: true,
        IN_HOURS: true,
        MODIFIERS_LEFT: true,
      },
      reason: 'AVAILABLE',
      // Explains only groups that guests must choose from.
      requiredGroups: [
        expect.objectContaining({
          min: 1,
          modifiers: [expect.objectContaining({ id: uuid(7), available: true })],
        }),
      ],
    },
  ]);
});

test('a stopped product stays in the menu and is not available, nor are its modifiers', () => {
  const facts = menuFacts({
    groups: [group(1, 1, { min: 1 })],
    links: [link(1, 7), link(1, 8)],
    modifiers: [modifier(7), modifier(8)],
    stops: stops({ rows: [stopRow(uuid(1)), stopRow(uuid(8))] }),
  });
  const [verdict] = explained(facts).variants;

  expect(verdict).toMatchObject({
    inMenu: true,
    available: false,
    priceKopecks: 25_000,
    reason: 'NOT_STOPPED',
  });
  expect(verdict!.requiredGroups[0]!.modifiers.map((entry) => entry.available)).toEqual([
    true,
    false,
  ]);
});

describe('the reason why a product is not in a menu', () => {
  const facts = menuFacts();
  test.each<[string, MenuFacts | null, Parameters<typeof explained>[1], string, string]>([
    ['the organization has none', null, {}, '-......', 'ORGANIZATION_ACTIVE'],
    [
      'it is not published',
      menuFacts({ products: [] }),
      { status: 'DRAFT' },
      '+.-....',
      'PUBLISHED',
    ],
    ['staff hide it here', menuFacts({ products: [] }), {}, '+.+-...', 'VISIBLE_HERE'],
    [
      'a pinned revision does not have it',
      menuFacts({ products: [] }),
      { isPinned: true },
      '+-.....',
      'IN_PINNED_REVISION',
    ],
    ['it has no place', { ...facts, placements: [] }, {}, '+.++-..', 'PLACED'],
    ['it has no picture', { ...facts, media: [] }, {}, '+.+++-.', 'HAS_MAIN_IMAGE'],
    ['it is not sold here', { ...facts, offers: [] }, {}, '+.++++-', 'PRICED'],
  ])('%s', (_, menu, given, checks, reason) => {
    const verdict = explained(menu, given);

    expect([verdict.inMenu, marks(verdict.checks)]).toEqual([false, checks]);
    expect(verdict.variants).toMatchObject([
      { inMenu: false, available: false, priceKopecks: null, reason, requiredGroups: [] },
    ]);
  });

  test('concerns this product only', () => {
    const two = menuFacts({ products: [product(1), product(2, { mainImageId: null })] });

    expect(marks(explained(two).checks)).toBe('+.+++++');
    expect(marks(explained(two, { id: 2, variants: [size(2)] }).checks)).toBe('+.+++-.');
  });

  test('names the visibility set by staff, regardless of others', () => {
    expect(marks(explained(menuFacts({ products: [product(2)] })).checks)).toBe('+.+-...');
  });

  test('follows the pinned revision alone for a product of it', () => {
    const verdict = explained(facts, { isPinned: true, status: 'ARCHIVED' });

    expect([verdict.inMenu, marks(verdict.checks)]).toEqual([true, '++..+++']);
  });
});

describe('a variant of a product in the menu', () => {
  const sold = [variant(1, 1), variant(2, 1)];
  const needed = {
    groups: [group(10, 2, { min: 1 })],
    links: [link(10, 7)],
    modifiers: [modifier(7)],
  };

  test.each<[string, Partial<MenuFacts>, string, string]>([
    ['was never priced here', { offers: [offer(1)] }, '+-..+..', 'PRICED'],
    [
      'is hidden at the ERP',
      { offers: [offer(1), offer(2, { isHidden: true })] },
      '++-.+..',
      'SHOWN_BY_ERP',
    ],
    ['has lost its price', { offers: [offer(1), offer(2, { isLive: false })] }, '+++-++.', 'LIVE'],
    ['is stopped', { stops: stops({ rows: [stopRow(uuid(2))] }) }, '++++-+.', 'NOT_STOPPED'],
    [
      'needs a modifier that is stopped',
      { ...needed, stops: stops({ rows: [stopRow(uuid(7))] }) },
      '++++++-',
      'MODIFIERS_LEFT',
    ],
    [
      'needs a modifier that is stopped and is left out',
      { ...needed, stops: stops({ rows: [stopRow(uuid(7))] }), stoplistBehaviour: 'HIDE' },
      '++++++-',
      'MODIFIERS_LEFT',
    ],
  ])('cannot be sold because it %s, while another one is', (_, over, checks, reason) => {
    const { variants } = explained(menuFacts({ variants: sold, ...over }), {
      variants: [size(1), size(2)],
    });

    expect(variants.map((verdict) => [verdict.id, verdict.available, verdict.reason])).toEqual([
      [1, true, 'AVAILABLE'],
      [2, false, reason],
    ]);
    expect(marks(variants[1]!.checks)).toBe(checks);
  });

  test('appears as new if the content does not contain the product yet', () => {
    const given = { variants: [size(1), size(2)], offers: [offer(2)] };
    const { variants } = explained(menuFacts(), given);

    expect(variants[1]).toMatchObject({ inMenu: false, reason: 'IN_CONTENT', offer: offer(2) });
    expect(marks(variants[1]!.checks)).toBe('-+++++.');
  });

  test('follows the size of a pinned revision that shows another one', () => {
    const facts = menuFacts({
      variants: [variant(1, 1, { itemSizeId: 5, itemErpId: uuid(5) })],
      offers: [offer(5)],
    });
    const stopped = { ...facts, stops: stops({ rows: [stopRow(uuid(5))] }) };

    expect(reasons(facts, { isPinned: true })).toEqual([[1, 'AVAILABLE']]);
    expect(reasons(stopped, { isPinned: true })).toEqual([[1, 'NOT_STOPPED']]);
  });

  test('appears after the others, and not sold, if it was removed since the pin', () => {
    const facts = menuFacts({
      variants: [variant(3, 1, { isRemoved: true }), variant(1, 1), variant(9, 2)],
    });
    const { variants } = explained(facts, { isPinned: true });

    expect(variants).toMatchObject([
      { id: 1, inMenu: true, available: true, reason: 'AVAILABLE' },
      { id: 3, inMenu: true, available: false, reason: 'LIVE', priceKopecks: 25_000 },
    ]);
  });

  test('shows only one reason if it was removed and has no price', () => {
    const facts = menuFacts({
      variants: [variant(1, 1), variant(3, 1, { isRemoved: true })],
      offers: [offer(1)],
    });

    expect(marks(explained(facts, { isPinned: true }).variants[1]!.checks)).toBe('+-..+..');
  });
});

test('the offers of the organization are shown without a menu, and nothing counts as stopped', () => {
  const { variants } = explained(null, { offers: [offer(1)] });

  expect(variants).toMatchObject([{ offer: offer(1), reason: 'ORGANIZATION_ACTIVE' }]);
  expect(marks(variants[0]!.checks)).toBe('.+++++.');
});
