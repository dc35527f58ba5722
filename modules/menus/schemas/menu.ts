import { Type, type Static } from 'typebox';
import type { ModifierGroupUiType } from '../../catalog/rules/states.ts';
import { Image } from '../../media/schemas/media.ts';
import {
  Count,
  Id,
  MONEY_KEYWORD,
  Named,
  Nullable,
  Timestamp,
  Uuid,
} from '../../../kernel/pure/schemas.ts';

/** Version 1: fields may be added but not removed. */

const Price = Type.Unsafe<number>({
  type: 'number',
  minimum: 0,
  [MONEY_KEYWORD]: true,
  description: 'Rubles (RUB) with two decimals. The price is final for the organization.',
});

const Text = Type.String({ minLength: 1 });
const GroupId = Type.String({ pattern: '^mg_[0-9a-f]{24}$' });
const Revision = Type.Integer({ minimum: 1 });
const Weight = Type.Optional(Type.Number({ minimum: 0 }));

const seo = { seoTitle: Type.Optional(Text), seoDescription: Type.Optional(Text) };

const navigation = {
  id: Id,
  slug: Text,
  name: Text,
  parentId: Nullable(Id),
  position: Type.Integer(),
  image: Nullable(Image),
  ...seo,
};

export const MenuCategory = Named(
  'MenuCategory',
  Type.Object({
    ...navigation,
    productIds: Type.Array(Id, {
      description: 'Ids of the products in the order of the category.',
    }),
  }),
);

export type MenuCategory = Static<typeof MenuCategory>;

const NutritionPer100g = Named(
  'NutritionPer100g',
  Type.Object({
    proteins: Type.Number(),
    fats: Type.Number(),
    carbs: Type.Number(),
    energy: Type.Number(),
  }),
);

export type NutritionPer100g = Static<typeof NutritionPer100g>;

const HoursWindow = Named(
  'HoursWindow',
  Type.Object({
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      description: 'Days on which the time begins: 1 is Monday, 7 is Sunday.',
    }),
    from: Type.String({ pattern: '^\\d{2}:\\d{2}$' }),
    to: Type.String({
      pattern: '^\\d{2}:\\d{2}$',
      description:
        'End of the time, exclusive. It is on the next day if it is not later than `from`.',
    }),
  }),
);

export const MenuVariant = Named(
  'MenuVariant',
  Type.Object({
    id: Id,
    option: Nullable(
      Named(
        'MenuVariantOption',
        Type.Object({ code: Text, name: Text, shortName: Type.Optional(Text) }),
      ),
    ),
    erpItemId: Uuid,
    sku: Type.Optional(Text),
    price: Price,
    weightGrams: Weight,
    nutritionPer100g: Type.Optional(NutritionPer100g),
    available: Type.Boolean({
      description: 'False when the item is stopped, has no price now, or its `hours` are over.',
    }),
    hours: Type.Optional(
      Type.Array(HoursWindow, {
        description:
          'Times at which the item is sold, in the local time of the restaurant. Absent: at all hours. Outside of them it can ' +
          'be ordered for a slot that begins inside.',
      }),
    ),
    isDefault: Type.Boolean({ description: 'True for exactly one variant of a product.' }),
    modifierGroupIds: Type.Array(GroupId),
  }),
);

export type MenuVariant = Static<typeof MenuVariant>;

export const Allergen = Named('Allergen', Type.Object({ code: Text, name: Text }));
export type Allergen = Static<typeof Allergen>;

export const MenuProduct = Named(
  'MenuProduct',
  Type.Object({
    id: Id,
    slug: Text,
    name: Text,
    subtitle: Type.Optional(Text),
    description: Type.Optional(Text),
    composition: Type.Optional(Text),
    categoryIds: Type.Array(Id, { minItems: 1 }),
    primaryCategoryId: Id,
    badges: Type.Array(Text, { description: 'Codes of the badges.' }),
    images: Named(
      'MenuProductImages',
      Type.Object({ main: Image, hover: Nullable(Image), gallery: Type.Array(Image) }),
    ),
    variantAxis: Nullable(
      Named('MenuVariantAxis', Type.Object({ code: Text, name: Text, uiType: Text })),
    ),
    variants: Type.Array(MenuVariant, { minItems: 1 }),
    allergens: Type.Array(Allergen),
  }),
);

export type MenuProduct = Static<typeof MenuProduct>;

const Limit = (description: string) =>
  Type.Integer({
    minimum: 0,
    description: `${description} Absent when the group limits only the sum of its modifiers.`,
  });

export const MenuModifier = Named(
  'MenuModifier',
  Type.Object({
    id: Uuid,
    name: Text,
    price: Price,
    image: Nullable(Image),
    weightGrams: Weight,
    available: Type.Boolean(),
    isDefault: Type.Boolean(),
    min: Type.Optional(Limit('The guest must take at least this number of the modifier.')),
    max: Type.Optional(Limit('The guest may take at most this number of the modifier.')),
    free: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Number of free units of the modifier. Absent if there are none.',
      }),
    ),
  }),
);

export type MenuModifier = Static<typeof MenuModifier>;

export const MenuModifierGroup = Named(
  'MenuModifierGroup',
  Type.Object({
    id: GroupId,
    name: Text,
    uiType: Type.Unsafe<ModifierGroupUiType>({
      type: 'string',
      description:
        'RADIO: the guest chooses exactly one modifier. COUNTER: a modifier may be chosen several times. CHECKBOX: all ' +
        'other groups.',
    }),
    min: Count,
    max: Count,
    free: Count,
    collapsed: Type.Boolean(),
    modifiers: Type.Array(MenuModifier, { minItems: 1 }),
  }),
);

export type MenuModifierGroup = Static<typeof MenuModifierGroup>;

export const Menu = Named(
  'Menu',
  Type.Object({
    revision: Type.Integer({ minimum: 1, description: "Revision of the organization's menu." }),
    organizationId: Uuid,
    generatedAt: Type.String({ format: 'date-time' }),
    categories: Type.Array(MenuCategory),
    products: Type.Array(MenuProduct),
    modifierGroups: Type.Array(MenuModifierGroup),
  }),
);

export type Menu = Static<typeof Menu>;

export const MenuEvents = Named(
  'MenuEvents',
  Type.String({
    description: 'Events `menu` and `availability`, each with `id` and one line of JSON in `data`.',
  }),
);

export const MenuRevision = Named('MenuRevision', Type.Object({ revision: Revision }));

export const Availability = Named(
  'Availability',
  Type.Object({
    revision: Revision,
    unavailableItemIds: Type.Array(Uuid, {
      description:
        'ERP ids of items that cannot be sold now: dishes of which every size is unavailable, and modifiers.',
    }),
    unavailableVariantIds: Type.Array(Id, {
      description: 'Ids of variants that cannot be sold now.',
    }),
  }),
);

export type Availability = Static<typeof Availability>;

export const CategoryNode = Type.Cyclic(
  {
    CategoryNode: Type.Object({
      ...navigation,
      productCount: Type.Integer({
        minimum: 0,
        description: 'Number of products in this category and below it, each counted once.',
      }),
      children: Type.Array(Type.Ref('CategoryNode')),
    }),
  },
  'CategoryNode',
);

export type CategoryNode = Static<typeof CategoryNode>;

export const CategoryTree = Named(
  'CategoryTree',
  Type.Object({ revision: Revision, items: Type.Array(CategoryNode) }),
);

export const MenuProductPage = Named(
  'MenuProductPage',
  Type.Object({
    revision: Type.Integer({
      minimum: 1,
      description: 'Revision of the menu that the page was read from.',
    }),
    items: Type.Array(MenuProduct),
    page: Type.Integer(),
    size: Type.Integer(),
    total: Type.Integer({ description: 'Number of items on all pages.' }),
  }),
);

const FacetValue = Named(
  'FacetValue',
  Type.Object({
    code: Text,
    name: Text,
    count: Type.Integer({
      minimum: 0,
      description: 'Number of served products that have this value.',
    }),
  }),
);

export const Facet = Named(
  'Facet',
  Type.Object({ code: Text, name: Text, values: Type.Array(FacetValue) }),
);

export type Facet = Static<typeof Facet>;

export const Facets = Named(
  'Facets',
  Type.Object({ revision: Revision, items: Type.Array(Facet) }),
);

const SitemapEntry = Named(
  'SitemapEntry',
  Type.Object({
    id: Id,
    slug: Type.String({
      minLength: 1,
      description: 'The canonical slug. Former slugs lead to it.',
    }),
    updatedAt: Type.Unsafe<Date | string>({
      ...Timestamp,
      description: 'Time of the last change by staff.',
    }),
  }),
);

/** SNP-56. */
export const Sitemap = Named(
  'Sitemap',
  Type.Object({
    revision: Revision,
    categories: Type.Array(SitemapEntry),
    products: Type.Array(SitemapEntry),
  }),
);

export type Sitemap = Static<typeof Sitemap>;

/** Texts of product cards only: the menu would be a fifth larger. */
const CardTexts = Type.Object(seo);
export type CardTexts = Static<typeof CardTexts>;

const ProductCardVariant = Named(
  'ProductCardVariant',
  Type.Object({ ...MenuVariant.properties, modifierGroups: Type.Array(MenuModifierGroup) }),
);

export const ProductCard = Named(
  'ProductCard',
  Type.Object({
    ...MenuProduct.properties,
    ...CardTexts.properties,
    revision: Revision,
    variants: Type.Array(ProductCardVariant, { minItems: 1 }),
  }),
);

export type ProductCard = Static<typeof ProductCard>;

/** Uncompressed (SNP-12). */
export const MENU_MAX_BYTES = 1_000_000;
