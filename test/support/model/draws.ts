import fc from 'fast-check';
import { CATEGORIES, DISHES, MODIFIERS, NAMES, PRICES, SIZES } from './erp.ts';
import type { ContentDraw, DishDraw, ModifierDraw } from './erp.ts';
import type { MenuSettings, Mode } from './reference-mirror.ts';

/**
 * Steps at which an import is killed. `staging-lost` is a database crash that empties unlogged
 * tables.
 */
export const ACCIDENTS = [
  'menu-fetch',
  'menu-staged',
  'menu-apply',
  'menu-committed',
  'staging-lost',
] as const;
export type Accident = (typeof ACCIDENTS)[number];

export type ImportStep = {
  kind: 'import';
  menu: number;
  mode: Mode;
  accident: Accident | null;
  /** False abandons the run, and its step arrives late. */
  isRetried: boolean;
  isDoubled: boolean;
  /** A reader builds public menus during the apply. */
  isWatched: boolean;
};

type SettingChange = Partial<Pick<MenuSettings, 'isEnabled' | 'priority'>> & {
  organizations?: number[] | null;
  hasPriceCategory?: boolean;
};

export type Step =
  | { kind: 'put'; menu: number; content: ContentDraw; bump: boolean }
  | { kind: 'dish'; menu: number; at: number; draw: DishDraw | null; bump: boolean }
  | { kind: 'modifier'; menu: number; at: number; draw: ModifierDraw | null; bump: boolean }
  | { kind: 'bump'; menu: number }
  | { kind: 'organization'; at: number; isPresent: boolean; isImported: boolean }
  | { kind: 'every-organization' }
  | { kind: 'list'; menu: number; isListed: boolean }
  | { kind: 'setting'; menu: number; change: SettingChange }
  | { kind: 'full-due'; menu: number }
  | { kind: 'import-both'; modes: [Mode, Mode] }
  | ImportStep;

/**
 * Organizations that join and leave separately. The others join at once, so that a run has two
 * batches.
 */
export const COMING_AND_GOING = 3;

const index = (count: number) => fc.nat({ max: count - 1 });
const prices = fc.array(index(PRICES.length), { minLength: 1, maxLength: COMING_AND_GOING });
const dish: fc.Arbitrary<DishDraw> = fc.record({
  name: index(NAMES.length),
  sizes: fc.uniqueArray(fc.record({ size: index(SIZES.length), isHidden: rarely(), prices }), {
    selector: (entry) => entry.size,
    minLength: 1,
    maxLength: 2,
  }),
  categories: fc.uniqueArray(index(CATEGORIES), { minLength: 1, maxLength: CATEGORIES }),
  groups: fc.array(
    fc.record({
      id: fc.option(index(2)),
      modifiers: fc.uniqueArray(index(MODIFIERS), { maxLength: 3 }),
    }),
    { maxLength: 2 },
  ),
});
const modifier: fc.Arbitrary<ModifierDraw> = fc.record({
  name: index(NAMES.length),
  isHidden: rarely(),
  prices,
});
/** Menus that omit one in `freq` dishes and modifiers. */
const contentWithout = (freq: number): fc.Arbitrary<ContentDraw> =>
  fc.record({
    dishes: fc.array(fc.option(dish, { freq }), { minLength: DISHES, maxLength: DISHES }),
    modifiers: fc.array(fc.option(modifier, { freq }), {
      minLength: MODIFIERS,
      maxLength: MODIFIERS,
    }),
    hiddenCategory: fc.option(index(CATEGORIES), { freq: 2 }),
  });
const content = fc.oneof(contentWithout(6), contentWithout(2));
const menu = index(2);
const mode = fc.constantFrom<Mode>('FULL', 'INCREMENTAL');
const mostly = fc.nat({ max: 4 }).map((n) => n > 0);

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 4 }).map((n) => n === 4);
}

const change: fc.Arbitrary<SettingChange> = fc.oneof(
  fc.record({ isEnabled: fc.boolean() }),
  fc.record({ priority: fc.constantFrom(50, 100, 150) }),
  fc.record({
    organizations: fc.option(fc.uniqueArray(index(COMING_AND_GOING), { minLength: 1 })),
  }),
  fc.record({ hasPriceCategory: fc.boolean() }),
);

const importStep: fc.Arbitrary<ImportStep> = fc.record({
  kind: fc.constant('import'),
  menu,
  mode,
  accident: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom(...ACCIDENTS) },
  ),
  isRetried: fc.boolean(),
  isDoubled: rarely(),
  isWatched: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: importStep },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('dish'),
      menu,
      at: index(DISHES),
      draw: fc.option(dish),
      bump: mostly,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('modifier'),
      menu,
      at: index(MODIFIERS),
      draw: fc.option(modifier),
      bump: mostly,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put'), menu, content, bump: mostly }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bump'), menu }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('setting'), menu, change }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('organization'),
      at: index(COMING_AND_GOING),
      isPresent: fc.boolean(),
      isImported: mostly,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('every-organization') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('list'), menu, isListed: mostly }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('full-due'), menu }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('import-both'), modes: fc.tuple(mode, mode) }),
  },
);

export const sequences: fc.Arbitrary<{ first: [ContentDraw, ContentDraw]; steps: Step[] }> =
  fc.record({
    first: fc.tuple(content, content),
    steps: fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }),
  });
