import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GroupFact, LinkFact } from '../../../modules/menus/rules/offers/facts.ts';
import type {
  GroupProfileFact,
  MenuFacts,
  ModifierProfileFact,
} from '../../../modules/menus/rules/snapshot/facts.ts';
import { assembleMenu } from '../../../modules/menus/rules/snapshot/assemble.ts';
import { groupReader } from '../../../modules/menus/rules/snapshot/modifier-groups.ts';
import {
  assemble,
  group,
  link,
  menuFacts,
  modifier,
  offer,
  product,
  uuid,
  variant,
} from './facts-builder.ts';

const two = { products: [product(1), product(2)], offers: [offer(1), offer(2)] };
const buildGroups = (over: Partial<MenuFacts>) => assemble(menuFacts(over)).content.modifierGroups;
const pair = (
  change: {
    group?: Partial<GroupFact>;
    link?: Partial<LinkFact>;
    price?: number;
    links?: LinkFact[];
  } = {},
): Partial<MenuFacts> => ({
  ...two,
  offers: [offer(1), offer(2, { externalMenuId: 2 })],
  groups: [group(10, 1), group(20, 2, { externalMenuId: 2, ...change.group })],
  links: [
    link(10, 101),
    link(10, 102),
    ...(change.links ?? [link(20, 101, change.link), link(20, 102)]),
  ],
  modifiers: [
    modifier(101),
    modifier(102),
    modifier(101, {
      externalMenuId: 2,
      ...(change.price === undefined ? {} : { priceKopecks: change.price }),
    }),
    modifier(102, { externalMenuId: 2 }),
  ],
});

describe('the limits of a modifier', () => {
  test('appear in the menu, so groups that differ only in them look different', () => {
    const [limited, plain] = buildGroups(pair({ link: { min: 1, max: 3, free: 2 } })).toSorted(
      (a, b) => (b.modifiers[0]!.free ?? 0) - (a.modifiers[0]!.free ?? 0),
    );

    expect(limited!.modifiers[0]).toMatchObject({ min: 1, max: 3, free: 2 });
    expect(plain!.modifiers[0]).not.toHaveProperty('free');
    expect(plain!.modifiers[0]).toHaveProperty('max');
  });

  test('disappear in a group that limits only the sum of its modifiers', () => {
    const facts = pair();
    const groups = facts.groups!.map((fact) => ({ ...fact, hasChildRestrictions: false }));
    const [group] = buildGroups({ ...facts, groups });

    expect(group!.modifiers[0]).not.toHaveProperty('min');
    expect(group!.modifiers[0]).not.toHaveProperty('max');
  });
});

describe('the id of a modifier group', () => {
  test('[SNP-8] consists of mg_ and a hash, and equal groups of two dishes are one entry', () => {
    const { content } = assemble(menuFacts(pair()));

    expect(content.modifierGroups).toHaveLength(1);
    expect(content.modifierGroups[0]!.id).toMatch(/^mg_[0-9a-f]{24}$/);
    for (const entry of content.products)
      expect(entry.variants[0]!.modifierGroupIds).toEqual([content.modifierGroups[0]!.id]);
  });

  test.each<[string, Parameters<typeof pair>[0]]>([
    ['key', { group: { groupKey: 'other' } }],
    ['name', { group: { name: 'Иначе' } }],
    ['min', { group: { min: 1 } }],
    ['max', { group: { max: 2 } }],
    ['free', { group: { free: 1 } }],
    ['child restrictions', { group: { hasChildRestrictions: false } }],
    ['composition', { links: [link(20, 101)] }],
    ['price of a modifier', { price: 5_001 }],
    ['name of a modifier', { link: { name: 'Иначе' } }],
    ['weight of a modifier', { link: { weightGrams: 30 } }],
    ['default of a modifier', { link: { default: 1 } }],
    ['free count of a modifier', { link: { free: 1 } }],
    ['limits of a modifier', { link: { min: 1 } }],
  ])('differs with another %s', (_, change) => {
    expect(buildGroups(pair(change))).toHaveLength(2);
  });

  test('ignores limits of a modifier that the group does not apply', () => {
    const unlimited = { hasChildRestrictions: false };
    const facts = pair({ group: unlimited, link: { min: 0, max: 5 } });
    const groups = facts.groups!.map((fact) => ({ ...fact, ...unlimited }));

    expect(buildGroups({ ...facts, groups })).toHaveLength(1);
  });

  test('ignores the order of the modifiers', () => {
    expect(
      buildGroups(
        pair({ links: [link(20, 101, { position: 2 }), link(20, 102, { position: 1 })] }),
      ),
    ).toHaveLength(1);
  });

  test('[SNP-8] never joins two different groups, because a menu with equal digests is not built', () => {
    const facts = menuFacts(pair({ price: 5_001 }));
    const digest = (text: string) => `${'equal'.padEnd(24, '.')}${text}`;

    expect(assemble(facts).content.modifierGroups).toHaveLength(2);
    expect(() => assembleMenu(facts, digest)).toThrow('Two modifier groups have the id mg_equal.');
  });

  test('[SNP-8] remains equal in every build and process, because clients store it', () => {
    const facts = pair();
    const unlimited = facts.groups!.map((fact) => ({ ...fact, hasChildRestrictions: false }));

    expect(buildGroups(facts).map((entry) => entry.id)).toEqual(['mg_d5393be0f0175ce35d013505']);
    expect(buildGroups({ ...facts, groups: unlimited }).map((entry) => entry.id)).toEqual([
      'mg_c0a01e1d87be4ab866fe05fb',
    ]);
  });

  test('ignores the availability of a modifier', () => {
    const lost = {
      ...pair(),
      modifiers: [101, 102].flatMap((id) =>
        [1, 2].map((externalMenuId) => modifier(id, { externalMenuId, isLive: false })),
      ),
    };

    expect(buildGroups(lost)[0]!.id).toBe(buildGroups(pair())[0]!.id);
    expect(buildGroups(lost)[0]!.modifiers.map((entry) => entry.available)).toEqual([false, false]);
  });

  test.each([
    ['first', 101, [false, true]],
    ['second', 102, [true, false]],
  ])(
    'a modifier that the %s of the joined menus has lost cannot be sold',
    (_which, lost, available) => {
      const modifiers = [
        modifier(101, { isLive: lost !== 101 }),
        modifier(102),
        modifier(101, { externalMenuId: 2 }),
        modifier(102, { externalMenuId: 2, isLive: lost !== 102 }),
      ];
      const { content, index } = assemble(menuFacts({ ...pair(), modifiers }));

      expect(content.modifierGroups).toHaveLength(1);
      expect(content.modifierGroups[0]!.modifiers.map((entry) => entry.available)).toEqual(
        available,
      );
      expect(index.shown.filter(([, , , variantId]) => variantId === null)).toEqual([
        [uuid(101), '', available[0], null],
        [uuid(102), '', available[1], null],
      ]);
    },
  );

  test('groups and all other content are the same for every order of the rows', () => {
    const facts = menuFacts({
      ...two,
      variants: [variant(1, 1), variant(2, 2), variant(3, 1)],
      offers: [offer(1), offer(2), offer(3)],
      groups: [
        group(10, 1),
        group(11, 1, { groupKey: 'b', position: 1 }),
        group(20, 2),
        group(30, 3, { max: 1 }),
      ],
      links: [10, 11, 20, 30].flatMap((id) => [
        link(id, 101, { position: 5 }),
        link(id, 102, { position: 5 }),
        link(id, 103),
      ]),
      modifiers: [modifier(101), modifier(102), modifier(103)],
    });
    const expected = JSON.stringify(assemble(facts));
    const shuffled = <T>(list: readonly T[]) =>
      fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });

    fc.assert(
      fc.property(
        fc.record({
          categories: shuffled(facts.categories),
          products: shuffled(facts.products),
          placements: shuffled(facts.placements),
          variants: shuffled(facts.variants),
          offers: shuffled(facts.offers),
          groups: shuffled(facts.groups),
          links: shuffled(facts.links),
          modifiers: shuffled(facts.modifiers),
          media: shuffled(facts.media),
        }),
        (order) => expect(JSON.stringify(assemble({ ...facts, ...order }))).toBe(expected),
      ),
      { seed: 42, numRuns: 200 },
    );
  });
});

describe('the groups of a dish', () => {
  const three = {
    groups: [
      group(10, 1, { groupKey: 'b', name: 'B', position: 1 }),
      group(11, 1, { groupKey: 'a', name: 'A', position: 1 }),
      group(12, 1, { groupKey: 'c', name: 'C', position: 0 }),
    ],
    links: [link(10, 101), link(11, 101, { default: 2 }), link(12, 101)],
    modifiers: [modifier(101)],
  };

  test('appear by position and key, and in the dictionary by id', () => {
    const { products, modifierGroups } = assemble(menuFacts(three)).content;
    const nameOf = new Map(modifierGroups.map(({ id, name }) => [id, name]));

    expect(products[0]!.variants[0]!.modifierGroupIds.map((id) => nameOf.get(id))).toEqual([
      'C',
      'A',
      'B',
    ]);
    expect(modifierGroups.map(({ id }) => id)).toEqual([...nameOf.keys()].toSorted());
  });

  test('contain the default units of each modifier', () => {
    const read = groupReader(
      menuFacts(three),
      (text) => text,
      () => false,
      () => null,
    );

    expect(read(offer(1)).groups.map(({ groupKey, defaults }) => [groupKey, defaults])).toEqual([
      ['c', [0]],
      ['a', [2]],
      ['b', [0]],
    ]);
  });
});

describe('the content of a group', () => {
  const of = (over: Partial<MenuFacts>) =>
    buildGroups({
      groups: [group(10, 1)],
      links: [link(10, 101), link(10, 102)],
      modifiers: [modifier(101), modifier(102)],
      ...over,
    });

  test('lists modifiers in the order of the ERP, with price, weight and default', () => {
    const [shown] = of({
      links: [
        link(10, 101, { position: 2, weightGrams: 30, default: 1 }),
        link(10, 102, { position: 1 }),
      ],
    });

    const common = { price: 5_000, image: null, available: true, min: 0, max: 1 };
    expect(shown).toMatchObject({ name: 'Соусы', min: 0, max: 3, free: 0, collapsed: false });
    expect(shown!.modifiers).toEqual([
      { ...common, id: uuid(102), name: 'Соус 102', isDefault: false },
      { ...common, id: uuid(101), name: 'Соус 101', weightGrams: 30, isDefault: true },
    ]);
  });

  test.each<[string, Partial<MenuFacts>, number]>([
    ['a hidden link is left out', { links: [link(10, 101, { isHidden: true }), link(10, 102)] }, 1],
    ['a modifier never priced here is left out', { modifiers: [modifier(101)] }, 1],
    [
      'a modifier whose price was lost stays',
      { modifiers: [modifier(101), modifier(102, { isLive: false })] },
      2,
    ],
    [
      'a price of another menu does not count',
      { modifiers: [modifier(101), modifier(102, { externalMenuId: 2 })] },
      1,
    ],
  ])('%s', (_, over, expected) => {
    expect(of(over)[0]?.modifiers).toHaveLength(expected);
  });

  test.each<[string, Partial<MenuFacts>]>([
    ['a hidden group', { groups: [group(10, 1, { isHidden: true })] }],
    ['a group of which nothing is left', { modifiers: [] }],
    ['a group without modifiers', { links: [] }],
    [
      'a group of another menu than the one that decides',
      { groups: [group(10, 1, { externalMenuId: 2 })] },
    ],
  ])('omits %s from the menu and from the variant', (_, over) => {
    const { content } = assemble(
      menuFacts({
        groups: [group(10, 1)],
        links: [link(10, 101)],
        modifiers: [modifier(101)],
        ...over,
      }),
    );

    expect(content.modifierGroups).toEqual([]);
    expect(content.products[0]!.variants[0]!.modifierGroupIds).toEqual([]);
  });

  test.each<[string, Partial<GroupFact>, number, string]>([
    ['exactly one', { min: 1, max: 1 }, 1, 'RADIO'],
    ['none or one', { min: 0, max: 1 }, 1, 'CHECKBOX'],
    ['none or one, where one modifier would allow two', { min: 0, max: 1 }, 2, 'CHECKBOX'],
    ['one at least', { min: 1, max: 3 }, 1, 'CHECKBOX'],
    ['several, each once', { min: 0, max: 3 }, 1, 'CHECKBOX'],
    ['several, one of them twice', { min: 0, max: 3 }, 2, 'COUNTER'],
    [
      'several, without limits of their own',
      { min: 0, max: 3, hasChildRestrictions: false },
      1,
      'COUNTER',
    ],
  ])('shows %s as %s', (_, restrictions, max, uiType) => {
    const [shown] = of({
      groups: [group(10, 1, restrictions)],
      links: [link(10, 101, { max }), link(10, 102)],
    });

    expect(shown!.uiType).toBe(uiType);
  });
});

describe('settings of staff for modifiers', () => {
  const groupProfile = (over: Partial<GroupProfileFact> = {}): GroupProfileFact => ({
    groupKey: 'sauces',
    displayName: null,
    uiType: null,
    isHidden: false,
    isCollapsed: false,
    itemOrder: [],
    ...over,
  });
  const profile = (
    itemId: number,
    over: Partial<ModifierProfileFact> = {},
  ): ModifierProfileFact => ({
    itemId,
    displayName: null,
    imageId: null,
    position: null,
    isHidden: false,
    ...over,
  });
  const one = (groupProfiles: GroupProfileFact[], modifierProfiles: ModifierProfileFact[] = []) =>
    buildGroups({
      groups: [group(10, 1)],
      links: [link(10, 101), link(10, 102), link(10, 103)],
      modifiers: [modifier(101), modifier(102), modifier(103)],
      groupProfiles,
      modifierProfiles,
    });
  const ids = (groups: ReturnType<typeof one>) => groups[0]?.modifiers.map((entry) => entry.id);

  test('[CAT-17] replace the values of the ERP', () => {
    const [shown] = one(
      [groupProfile({ displayName: 'К блюду', uiType: 'COUNTER', isCollapsed: true })],
      [profile(101, { displayName: 'Сметана', imageId: 2 })],
    );

    expect(shown).toMatchObject({ name: 'К блюду', uiType: 'COUNTER', collapsed: true });
    expect(shown?.modifiers[0]).toMatchObject({
      name: 'Сметана',
      image: { id: 2, url: '/media/2-t' },
    });
    expect(shown?.modifiers[1]).toMatchObject({ name: 'Соус 102', image: null });
  });

  test('change nothing if they are empty, not even the id', () => {
    expect(one([groupProfile()], [profile(101)])).toEqual(one([]));
  });

  test('hide a group or one modifier of it', () => {
    expect(one([groupProfile({ isHidden: true })])).toEqual([]);
    expect(ids(one([], [profile(102, { isHidden: true })]))).toEqual([uuid(101), uuid(103)]);
  });

  test('order modifiers by the list of the group, then by position', () => {
    expect(ids(one([], [profile(103, { position: 0 })]))).toEqual([
      uuid(103),
      uuid(101),
      uuid(102),
    ]);
    expect(ids(one([groupProfile({ itemOrder: [102] })], [profile(103, { position: 0 })]))).toEqual(
      [uuid(102), uuid(103), uuid(101)],
    );
  });
});
