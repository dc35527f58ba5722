import {
  findImageReference,
  type ImageReference,
  type ImageUse,
} from '../../../media/rules/image-reference.ts';
import { inStock, type Slot, type StopIndex } from './availability.ts';
import type { RequiredGroup } from '../offers/required-groups.ts';
import { categoriesWithContent, categoryTree } from './categories.ts';
import type { OfferFact } from '../offers/facts.ts';
import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';
import {
  CARD_TEXTS,
  MENU_TEXTS,
  type MenuFacts,
  type PlacementFact,
  type ProductFact,
} from './facts.ts';
import type { Allergen, CardTexts, MenuContent, MenuProduct } from './menu-parts.ts';
import { collapseGroups, groupReader, type BuiltGroup, type Digest } from './modifier-groups.ts';
import { chooseOffers } from '../offers/choose-offers.ts';
import { by } from '../../../../kernel/pure/lists.ts';
import { balanceRule } from '../offers/stops.ts';
import { buildVariants, type BuiltVariant } from './variants.ts';

/** Reasons other than NOT_SOLD_HERE mean that a publication rule was bypassed. */
export type Omission = 'NOT_SOLD_HERE' | 'NO_CATEGORY' | 'NO_MAIN_IMAGE';

export type AssembledMenu = {
  /** `available` does not consider the stop-list. */
  content: MenuContent;
  /** By product. */
  cardTexts: Readonly<Record<number, CardTexts>>;
  index: StopIndex;
  omitted: { productId: number; reason: Omission }[];
};

type Kept = { product: MenuProduct; variants: BuiltVariant[] };

/** Assembles a menu (SNP-1). The order of facts does not matter. */
export function assembleMenu(facts: MenuFacts, digest: Digest): AssembledMenu {
  const hidden: Slot[] = [];
  const required = createDistinct<RequiredGroup>();
  const hours = createDistinct<WeeklyHours>();
  const leaveOut = hideRule(facts, required.entries, hidden);
  const imageOf = imageReader(facts);
  const groupsOf = groupReader(facts, digest, leaveOut, (id) => imageOf(id, 'thumb'));
  const built: BuiltGroup[] = [];
  const groupsOfOffer = (offer: OfferFact) => {
    const { groups, required: needed } = groupsOf(offer);
    const use = () => {
      built.push(...groups);
      return [...new Set(groups.map(({ group }) => group.id))];
    };

    return { required: needed.map(required.placeOf), use };
  };

  const tree = categoryTree(facts.categories);
  const productOf = productReader(facts, new Map(tree.map((fact, at) => [fact.id, at])), imageOf);
  const offers = chooseOffers(facts.offers);
  const variantsOf = Map.groupBy(facts.variants, (fact) => fact.productId);

  const menuProducts: Kept[] = [];
  const cardTexts: Record<number, CardTexts> = {};
  const omitted: AssembledMenu['omitted'] = [];

  for (const fact of facts.products
    .filter((product) => product.status === 'PUBLISHED')
    .toSorted(by((entry) => entry.id))) {
    const frame = productOf(fact);
    if (typeof frame === 'string') {
      omitted.push({ productId: fact.id, reason: frame });
      continue;
    }

    const variants = buildVariants(variantsOf.get(fact.id) ?? [], offers, {
      groupsOf: groupsOfOffer,
      placeOfHours: hours.placeOf,
      leaveOut,
    });

    if (variants.length === 0) omitted.push({ productId: fact.id, reason: 'NOT_SOLD_HERE' });
    else {
      menuProducts.push({ product: complete(frame, variants), variants });
      const texts = presentTexts(fact, CARD_TEXTS);
      if (Object.keys(texts).length > 0) cardTexts[fact.id] = texts;
    }
  }

  const groups = collapseGroups(built);

  return {
    content: {
      categories: buildCategories(facts, tree, menuProducts, imageOf),
      products: menuProducts.map(({ product }) => product),
      modifierGroups: groups.map(({ group, slots }) => ({
        ...group,
        modifiers: group.modifiers.map((modifier, at) => ({
          ...modifier,
          available: slots[at]![2],
        })),
      })),
    },
    cardTexts,
    index: {
      shown: [
        ...menuProducts.flatMap(({ variants }) => variants.map(({ slot }) => slot)),
        ...groups.flatMap((group) => group.slots),
      ],
      hidden: distinct(hidden),
      required: required.entries,
      ...(hours.entries.length === 0 ? {} : { hours: hours.entries }),
    },
    omitted,
  };
}

function createDistinct<Entry>() {
  const entries: Entry[] = [];
  const places = new Map<string, number>();
  const placeOf = (entry: Entry): number => {
    const key = JSON.stringify(entry);
    const place = places.get(key) ?? entries.push(entry) - 1;
    places.set(key, place);
    return place;
  };

  return { entries, placeOf };
}

/** With HIDE, omits and collects unavailable dishes. */
function hideRule(
  facts: MenuFacts,
  required: readonly RequiredGroup[],
  hidden: Slot[],
): (slot: Slot) => boolean {
  if (facts.stoplistBehaviour === 'SHOW') return () => false;
  const isAvailable = inStock(required, balanceRule(facts.stops));

  return (slot) => {
    if (isAvailable(slot)) return false;
    hidden.push(slot);
    return true;
  };
}

function imageReader(
  facts: MenuFacts,
): (id: number | null, use: ImageUse) => ImageReference | null {
  const media = new Map(facts.media.map((entry) => [entry.id, entry]));
  return (id, use) => {
    const image = id === null ? undefined : media.get(id);
    return image === undefined ? null : findImageReference(image, use);
  };
}

type Frame = Omit<MenuProduct, 'variants' | 'allergens'>;

function productReader(
  facts: MenuFacts,
  categoryOrder: ReadonlyMap<number, number>,
  imageOf: (id: number | null, use: ImageUse) => ImageReference | null,
): (fact: ProductFact) => Frame | Omission {
  const placements = Map.groupBy(facts.placements, (fact) => fact.productId);
  const badges = Map.groupBy(facts.badges, (fact) => fact.productId);
  const gallery = Map.groupBy(facts.gallery, (fact) => fact.productId);
  const orderOf = (fact: PlacementFact) => categoryOrder.get(fact.categoryId) ?? -1;

  return (fact) => {
    const shown = (placements.get(fact.id) ?? [])
      .filter((entry) => orderOf(entry) >= 0)
      .toSorted(by(orderOf));
    const primary = shown.find((entry) => entry.isPrimary) ?? shown[0];
    if (primary === undefined) return 'NO_CATEGORY';
    const main = imageOf(fact.mainImageId, 'card');
    if (main === null) return 'NO_MAIN_IMAGE';
    const badgeOrder = by<(typeof facts.badges)[number]>(
      (entry) => entry.position,
      (entry) => entry.code,
    );

    const galleryOrder = by<(typeof facts.gallery)[number]>(
      (entry) => entry.position,
      (entry) => entry.mediaId,
    );

    return {
      id: fact.id,
      slug: fact.slug,
      name: fact.name,
      ...presentTexts(fact, MENU_TEXTS),
      categoryIds: shown.map((entry) => entry.categoryId),
      primaryCategoryId: primary.categoryId,
      badges: (badges.get(fact.id) ?? []).toSorted(badgeOrder).map((entry) => entry.code),
      images: {
        main,
        hover: imageOf(fact.hoverImageId, 'card'),
        gallery: (gallery.get(fact.id) ?? [])
          .toSorted(galleryOrder)
          .flatMap((entry) => imageOf(entry.mediaId, 'card') ?? []),
      },
      variantAxis: fact.axis,
    };
  };
}

/** Omits empty texts (SNP-7). */
function presentTexts<Field extends string>(
  fact: Readonly<Partial<Record<Field, string | null>>>,
  fields: readonly Field[],
): { [F in Field]?: string } {
  const present = fields
    .map((field) => [field, fact[field] ?? ''] as const)
    .filter(([, text]) => text !== '');
  return Object.fromEntries(present) as { [F in Field]?: string };
}

/** An axis without options is null. */
function complete(frame: Frame, variants: readonly BuiltVariant[]): MenuProduct {
  const allergens = new Map<string, Allergen>();

  for (const { fact } of variants)
    for (const { code, name } of fact.allergens)
      if (!allergens.has(code)) allergens.set(code, { code, name });

  return {
    ...frame,
    variantAxis: variants.some(({ variant }) => variant.option !== null) ? frame.variantAxis : null,
    variants: variants.map(({ variant }) => variant),
    allergens: [...allergens.values()].toSorted(by((entry) => entry.code)),
  };
}

function buildCategories(
  facts: MenuFacts,
  tree: readonly MenuFacts['categories'][number][],
  menuProducts: readonly Kept[],
  imageOf: (id: number | null, use: ImageUse) => ImageReference | null,
): MenuContent['categories'] {
  const shown = new Set(menuProducts.map(({ product }) => product.id));
  const placements = Map.groupBy(
    facts.placements.filter((placement) => shown.has(placement.productId)),
    (fact) => fact.categoryId,
  );

  const withContent = categoriesWithContent(tree, new Set(placements.keys()));

  return tree
    .filter((fact) => withContent.has(fact.id))
    .map(({ id, slug, name, parentId, position, imageId, ...texts }) => ({
      id,
      slug,
      name,
      parentId,
      position,
      image: imageOf(imageId, 'thumb'),
      ...presentTexts(texts, CARD_TEXTS),
      productIds: (placements.get(id) ?? [])
        .toSorted(
          by(
            (fact) => fact.position,
            (fact) => fact.productId,
          ),
        )
        .map((fact) => fact.productId),
    }));
}

function distinct(slots: readonly Slot[]): Slot[] {
  return [...new Map(slots.map((slot) => [JSON.stringify(slot), slot])).values()].toSorted(
    by(
      ([item]) => item,
      ([, size]) => size,
      ([, , , variantId]) => variantId ?? 0,
    ),
  );
}
