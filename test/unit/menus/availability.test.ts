import { describe, expect, test } from '@jest/globals';
import {
  evaluateAvailability,
  type StopIndex,
} from '../../../modules/menus/rules/snapshot/availability.ts';
import type { StopFacts } from '../../../modules/menus/rules/offers/facts.ts';
import {
  availabilityText,
  contentText,
  menuTemplate,
  menuText,
  parsePublished,
  withAvailability,
} from '../../../modules/menus/rules/snapshot/payload.ts';
import { balanceRule, stopRule } from '../../../modules/menus/rules/offers/stops.ts';
import {
  assemble,
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

const ITEM = uuid(1);
const always = () => true;
const groups = (active: string[], gone: string[] = []) =>
  new Map([...active.map((id) => [id, true] as const), ...gone.map((id) => [id, false] as const)]);

describe('[SNP-10] the stop rule', () => {
  test.each<[string, Parameters<typeof stopRow>[1][], string, boolean]>([
    ['its own row', [{ terminalGroupId: 'till-1' }], 'till-1', true],
    ['the row of another group', [{ terminalGroupId: 'till-2' }], 'till-1', false],
    ['a row of the whole organization', [{ terminalGroupId: '' }], 'till-1', true],
    ['another row, when the group is gone', [{ terminalGroupId: 'till-2' }], 'till-9', true],
  ])(
    '[ORD-62] counts, for an order served by one terminal group, %s',
    (_, rows, servedBy, isStopped) => {
      const facts = stops({
        rows: rows.map((row) => stopRow(ITEM, row)),
        terminalGroups: groups(['till-1', 'till-2']),
      });

      expect(stopRule(facts, servedBy)(ITEM, '')).toBe(isStopped);
    },
  );

  test.each<[string, Partial<StopFacts>, boolean]>([
    ['nothing listed', {}, false],
    ['balance zero', { rows: [stopRow(ITEM)] }, true],
    ['negative balance', { rows: [stopRow(ITEM, { balance: -1 })] }, true],
    ['a part of a unit', { rows: [stopRow(ITEM, { balance: 0.5 })] }, true],
    ['almost a unit', { rows: [stopRow(ITEM, { balance: 0.999 })] }, true],
    ['a whole unit', { rows: [stopRow(ITEM, { balance: 1 })] }, false],
    ['more than a unit', { rows: [stopRow(ITEM, { balance: 1.5 })] }, false],
    ['another item', { rows: [stopRow(uuid(2))] }, false],
    ['this size', { rows: [stopRow(ITEM, { sizeErpId: 'L' })] }, true],
    ['another size', { rows: [stopRow(ITEM, { sizeErpId: 'S' })] }, false],
    [
      'a group that left the ERP',
      { rows: [stopRow(ITEM)], terminalGroups: groups([], ['till-1']) },
      false,
    ],
    [
      'a group we have not seen yet',
      { rows: [stopRow(ITEM, { terminalGroupId: 'new' })], terminalGroups: groups(['till-1']) },
      true,
    ],
    [
      'a balance that is left, ALL, where no group is awake',
      { terminals: 'ALL', rows: [stopRow(ITEM, { balance: 1 })] },
      false,
    ],
    [
      'one of two groups, ANY',
      { rows: [stopRow(ITEM)], terminalGroups: groups(['till-1', 'till-2']) },
      true,
    ],
    [
      'one of two groups, ALL',
      { terminals: 'ALL', rows: [stopRow(ITEM)], terminalGroups: groups(['till-1', 'till-2']) },
      false,
    ],
    [
      'both groups, ALL, one by size',
      {
        terminals: 'ALL',
        rows: [stopRow(ITEM), stopRow(ITEM, { terminalGroupId: 'till-2', sizeErpId: 'L' })],
        terminalGroups: groups(['till-1', 'till-2']),
      },
      true,
    ],
    [
      'both groups, ALL, each in a row of its own',
      {
        terminals: 'ALL',
        rows: [stopRow(ITEM), stopRow(ITEM, { terminalGroupId: 'till-2' })],
        terminalGroups: groups(['till-1', 'till-2']),
      },
      true,
    ],
    [
      'the only group that is left, ALL',
      { terminals: 'ALL', rows: [stopRow(ITEM)], terminalGroups: groups(['till-1'], ['till-2']) },
      true,
    ],
    [
      'the whole organization, ALL',
      {
        terminals: 'ALL',
        rows: [stopRow(ITEM, { terminalGroupId: '' })],
        terminalGroups: groups(['till-1', 'till-2']),
      },
      true,
    ],
    ['ALL while no group is known', { terminals: 'ALL', rows: [stopRow(ITEM)] }, true],
  ])('%s', (_, over, expected) => {
    expect(stopRule(stops(over))(ITEM, 'L')).toBe(expected);
  });
});

test.each<[string, Parameters<typeof stopRow>[1][], Partial<StopFacts>, string | null, number]>([
  ['all of it, without a row', [], {}, null, Infinity],
  ['what the row says', [{ balance: 2.5 }], {}, null, 2.5],
  [
    'the least of two terminals, ANY',
    [{ balance: 3 }, { balance: 2, terminalGroupId: 'till-2' }],
    {},
    null,
    2,
  ],
  [
    'the most of two terminals, ALL',
    [{ balance: 3 }, { balance: 2, terminalGroupId: 'till-2' }],
    { terminals: 'ALL' },
    null,
    3,
  ],
  ['what no terminal limits, ALL', [{ balance: 3 }], { terminals: 'ALL' }, null, Infinity],
  [
    'what the whole organization has, ALL',
    [{ balance: 3, terminalGroupId: '' }],
    { terminals: 'ALL' },
    null,
    3,
  ],
  [
    'what the terminal has that serves the order',
    [{ balance: 3 }, { balance: 2, terminalGroupId: 'till-2' }],
    {},
    'till-1',
    3,
  ],
  [
    'the less of the item and the size',
    [{ balance: 3 }, { balance: 2, sizeErpId: 'L' }],
    {},
    null,
    2,
  ],
])('[ORD-74] a stop-list allows units: %s', (_, rows, over, servedBy, left) => {
  const facts = stops({
    rows: rows.map((row) => stopRow(ITEM, row)),
    terminalGroups: groups(['till-1', 'till-2']),
    ...over,
  });

  expect(balanceRule(facts, servedBy)(ITEM, 'L')).toBe(left);
});

describe('the availability document', () => {
  const index: StopIndex = {
    shown: [
      [uuid(1), 'S', true, 11],
      [uuid(1), 'L', true, 12],
      [uuid(2), '', false, 13],
      [uuid(3), '', true, null],
      [uuid(3), '', true, null],
    ],
    hidden: [],
    required: [],
  };
  const of = (...rows: ReturnType<typeof stopRow>[]) =>
    evaluateAvailability(index, balanceRule(stops({ rows })), always);

  test('[SNP-9] contains a dish if every size is unavailable, and a single size only as a variant', () => {
    expect(of(stopRow(uuid(1), { sizeErpId: 'S' }))).toEqual({
      flags: [false, true, false, true, true],
      unavailableItemIds: [uuid(2)],
      unavailableVariantIds: [11, 13],
      isOtherThanShown: true,
    });
    expect(of(stopRow(uuid(1)))).toMatchObject({
      unavailableItemIds: [uuid(1), uuid(2)],
      unavailableVariantIds: [11, 12, 13],
    });
  });

  test('contains a stopped modifier once', () => {
    expect(of(stopRow(uuid(3)))).toMatchObject({
      flags: [true, true, false, false, false],
      unavailableItemIds: [uuid(2), uuid(3)],
    });
  });

  test('contains hidden content, and shows when it is available again', () => {
    const hiding: StopIndex = {
      shown: [[uuid(1), '', true, 1]],
      hidden: [[uuid(2), '', true, 2]],
      required: [],
    };
    const stopped = evaluateAvailability(
      hiding,
      balanceRule(stops({ rows: [stopRow(uuid(2))] })),
      always,
    );

    expect(stopped).toEqual({
      flags: [true],
      unavailableItemIds: [uuid(2)],
      unavailableVariantIds: [2],
      isOtherThanShown: false,
    });
    expect(evaluateAvailability(hiding, () => Infinity, always)).toEqual({
      flags: [true],
      unavailableItemIds: [],
      unavailableVariantIds: [],
      isOtherThanShown: true,
    });
  });

  test('contains no dish whose first size is available', () => {
    const sizes: StopIndex = {
      shown: [
        [uuid(1), 'S', true, 1],
        [uuid(1), 'L', true, 2],
      ],
      hidden: [],
      required: [],
    };

    expect(
      evaluateAvailability(sizes, (_, size) => (size === 'L' ? 0 : Infinity), always),
    ).toMatchObject({
      unavailableItemIds: [],
      unavailableVariantIds: [2],
    });
  });

  test('lists variants in the order of their numbers', () => {
    const several: StopIndex = {
      shown: [10, 9, 100].map((id) => [uuid(id), '', true, id]),
      hidden: [],
      required: [],
    };

    expect(evaluateAvailability(several, () => 0, always).unavailableVariantIds).toEqual([
      9, 10, 100,
    ]);
  });
});

describe('[SNP-50] a dish with a required group', () => {
  const NOODLES = { min: 1, max: 1 };
  const shown = { displayName: null, isHidden: false };
  const groupProfile = (rowId: number, over: object) => ({
    groupKey: group(rowId, 1).groupKey,
    uiType: null,
    isCollapsed: false,
    itemOrder: [],
    ...shown,
    ...over,
  });
  const modifierProfile = (itemId: number, over: object) => ({
    itemId: modifier(itemId).itemId,
    imageId: null,
    position: null,
    ...shown,
    ...over,
  });
  const buildMenu = (over: Parameters<typeof menuFacts>[0]) =>
    menuFacts({
      groups: [group(10, 1, NOODLES)],
      links: [link(10, 101), link(10, 102)],
      modifiers: [modifier(101), modifier(102)],
      variants: [variant(1, 1)],
      ...over,
    });
  const left = (balances: Readonly<Record<number, number>>) => (item: string) =>
    Object.entries(balances).find(([id]) => uuid(Number(id)) === item)?.[1] ?? Infinity;
  const several = { min: 3, max: 5, hasChildRestrictions: false };
  const limited = { hasChildRestrictions: true };

  test.each<[string, Parameters<typeof menuFacts>[0], Readonly<Record<number, number>>, boolean]>([
    ['all of it stopped', {}, { 101: 0, 102: 0 }, false],
    ['one choice left', {}, { 101: 0 }, true],
    ['a part of a unit left', {}, { 101: 0.5, 102: 0 }, false],
    [
      'fewer units left than its minimum',
      { groups: [group(10, 1, several)] },
      { 101: 0, 102: 2.9 },
      false,
    ],
    [
      'its minimum left in two choices',
      { groups: [group(10, 1, several)] },
      { 101: 1, 102: 2 },
      true,
    ],
    [
      'choices that may be taken once each, fewer than its minimum',
      {
        groups: [group(10, 1, { min: 3, max: 5, ...limited })],
        links: [link(10, 101, { max: 1 }), link(10, 102, { max: 1 })],
      },
      {},
      false,
    ],
    [
      'a choice with a minimum of its own stopped',
      {
        groups: [group(10, 1, { min: 0, max: 5, ...limited })],
        links: [link(10, 101, { min: 1, max: 2 }), link(10, 102)],
      },
      { 101: 0 },
      false,
    ],
    ['no price in this restaurant', { modifiers: [] }, {}, false],
    [
      'prices that were lost',
      { modifiers: [modifier(101, { isLive: false }), modifier(102, { isLive: false })] },
      {},
      false,
    ],
    [
      'only hidden choices left',
      { links: [link(10, 101, { isHidden: true }), link(10, 102)] },
      { 102: 0 },
      false,
    ],
    [
      'a group that the ERP hides',
      { groups: [group(10, 1, { ...NOODLES, isHidden: true })] },
      { 101: 0, 102: 0 },
      true,
    ],
    [
      'a group that staff hide',
      { groupProfiles: [groupProfile(10, { isHidden: true })] },
      {},
      false,
    ],
    [
      'all of its choices hidden by staff',
      { modifierProfiles: [101, 102].map((id) => modifierProfile(id, { isHidden: true })) },
      {},
      false,
    ],
    [
      'a group without a minimum that staff hide',
      {
        groups: [group(10, 1, { min: 0, max: 1 })],
        groupProfiles: [groupProfile(10, { isHidden: true })],
      },
      {},
      true,
    ],
    [
      'a group without a minimum',
      { groups: [group(10, 1, { min: 0, max: 1 })] },
      { 101: 0, 102: 0 },
      true,
    ],
  ])('shows availability with %s', (_, over, balances, available) => {
    const { index } = assemble(buildMenu(over));
    const { flags, unavailableVariantIds } = evaluateAvailability(index, left(balances), always);

    expect(flags[0]).toBe(available);
    expect(unavailableVariantIds).toEqual(available ? [] : [1]);
  });

  test('disappears with HIDE and returns with its choices', () => {
    const sizes = { variants: [variant(1, 1), variant(2, 1)], offers: [offer(1), offer(2)] };
    const rows = [stopRow(uuid(101)), stopRow(uuid(102))];
    const { content, index } = assemble(
      buildMenu({ ...sizes, stops: stops({ rows }), stoplistBehaviour: 'HIDE' }),
    );

    expect(content.products[0]!.variants.map(({ id }) => id)).toEqual([2]);
    expect(content.modifierGroups).toEqual([]);
    expect(evaluateAvailability(index, left({ 101: 0, 102: 0 }), always)).toMatchObject({
      unavailableVariantIds: [1],
      isOtherThanShown: false,
    });
    expect(evaluateAvailability(index, left({ 101: 0 }), always).isOtherThanShown).toBe(true);
  });
});

describe('the text of a menu', () => {
  const trap = 'Соус "price":1, "available":false, "categories": <b>';
  const { content, index } = assemble(
    menuFacts({
      products: [
        product(1, { name: trap, description: '{"available":true,"price":5}' }),
        product(2),
      ],
      variants: [variant(1, 1), variant(2, 2)],
      offers: [offer(1, { priceKopecks: 25_000 }), offer(2, { priceKopecks: 5 })],
      groups: [group(10, 1)],
      links: [link(10, 101, { name: trap })],
      modifiers: [modifier(101, { priceKopecks: 0 })],
    }),
  );
  const template = menuTemplate(content);
  const head = {
    revision: 7,
    organizationErpId: uuid(9),
    generatedAt: new Date('2026-11-21T10:00:00.123Z'),
  };

  test('contains money with two decimals and nothing else changed', () => {
    const text = menuText(head, template, [true, true, true]);

    expect([...text.matchAll(/(?<!\\)"price":([^,}]+)/g)].map(([, price]) => price)).toEqual([
      '250.00',
      '0.05',
      '0.00',
    ]);
    expect(JSON.parse(text)).toMatchObject({
      revision: 7,
      organizationId: uuid(9),
      generatedAt: '2026-11-21T10:00:00.123Z',
      products: [
        { name: trap, description: '{"available":true,"price":5}', variants: [{ price: 250 }] },
        { variants: [{ price: 0.05 }] },
      ],
      modifierGroups: [{ modifiers: [{ name: trap, price: 0 }] }],
    });
  });

  test('contains one position per slot, in the order of the index', () => {
    expect(template).toHaveLength(index.shown.length + 1);
    const parsed = JSON.parse(menuText(head, template, [false, true, false])) as {
      products: { variants: { available: boolean }[] }[];
      modifierGroups: { modifiers: { available: boolean }[] }[];
    };

    expect(
      parsed.products.flatMap((entry) => entry.variants.map(({ available }) => available)),
    ).toEqual([false, true]);
    expect(parsed.modifierGroups[0]!.modifiers[0]!.available).toBe(false);
  });

  test('equals, after a patch, the text that is written again', () => {
    const before = menuText(head, template, [true, true, true]);

    expect(withAvailability(before, [false, false, true])).toBe(
      menuText(head, template, [false, false, true]),
    );
    expect(withAvailability(before, [true, true, true])).toBe(before);
  });

  test('equals its content when it is read, with money as whole kopecks and texts unchanged', () => {
    const text = menuText(head, template, [true, true, true]);

    expect(parsePublished(text)).toEqual({
      revision: 7,
      organizationId: uuid(9),
      generatedAt: '2026-11-21T10:00:00.123Z',
      ...content,
    });
    expect(parsePublished('{"name":"\\"price\\":1.50","price":1234567.89}')).toEqual({
      name: '"price":1.50',
      price: 123_456_789,
    });
  });

  test('rejects another number of slots', () => {
    expect(() => contentText(template, [true])).toThrow('3 places');
  });

  test('contains no availability, which is a separate document', () => {
    expect(availabilityText(7, { unavailableItemIds: [ITEM], unavailableVariantIds: [1] })).toBe(
      `{"revision":7,"unavailableItemIds":["${ITEM}"],"unavailableVariantIds":[1]}`,
    );
  });
});
