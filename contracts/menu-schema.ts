import { Type, type TSchema } from 'typebox';

/** Money: whole kopecks in code, a number with two decimals in the JSON text (rule HTTP-7). */
const Money = Type.Unsafe<number>({
  type: 'number',
  minimum: 0,
  'x-money': true,
  description: 'Roubles (RUB) with two decimals. The price is final for the organization.',
});
const Id = Type.Integer({ minimum: 1 });
const Uuid = Type.String({ format: 'uuid' });
const Text = Type.String({ minLength: 1 });
const OrNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()]);

const ImageReference = Type.Object({
  id: Id,
  url: Type.String({ minLength: 1, description: 'URL relative to the public origin.' }),
  srcset: Type.String({ description: 'Comma-separated entries of the form `<url> <density>x`.' }),
});

const MenuCategory = Type.Object({
  id: Id,
  slug: Text,
  name: Text,
  parentId: OrNull(Id),
  position: Type.Integer(),
  image: OrNull(ImageReference),
  productIds: Type.Array(Id, { description: 'Ids of the products in the order of the category.' }),
});

const MenuVariant = Type.Object({
  id: Id,
  option: OrNull(Type.Object({ code: Text, name: Text, shortName: Type.Optional(Text) })),
  erpItemId: Uuid,
  sku: Type.Optional(Text),
  price: Money,
  weightGrams: Type.Optional(Type.Number({ minimum: 0 })),
  nutritionPer100g: Type.Optional(
    Type.Object({ proteins: Type.Number(), fats: Type.Number(), carbs: Type.Number(), energy: Type.Number() }),
  ),
  available: Type.Boolean({ description: 'False when the item is stopped or has no price now.' }),
  isDefault: Type.Boolean({ description: 'True for exactly one variant of a product.' }),
  modifierGroupIds: Type.Array(Type.String({ pattern: '^mg_[0-9a-f]{24}$' })),
});

const MenuProduct = Type.Object({
  id: Id,
  slug: Text,
  name: Text,
  subtitle: Type.Optional(Text),
  description: Type.Optional(Text),
  composition: Type.Optional(Text),
  categoryIds: Type.Array(Id, { minItems: 1 }),
  primaryCategoryId: Id,
  badges: Type.Array(Text, { description: 'Codes of the badges.' }),
  images: Type.Object({
    main: ImageReference,
    hover: OrNull(ImageReference),
    gallery: Type.Array(ImageReference),
  }),
  variantAxis: OrNull(Type.Object({ code: Text, name: Text, uiType: Text })),
  variants: Type.Array(MenuVariant, { minItems: 1 }),
  allergens: Type.Array(Type.Object({ code: Text, name: Text })),
});

const MenuModifier = Type.Object({
  id: Uuid,
  name: Text,
  price: Money,
  image: OrNull(ImageReference),
  weightGrams: Type.Optional(Type.Number({ minimum: 0 })),
  available: Type.Boolean(),
  isDefault: Type.Boolean(),
});

const MenuModifierGroup = Type.Object({
  id: Type.String({ pattern: '^mg_[0-9a-f]{24}$' }),
  name: Text,
  uiType: Type.String({
    description:
      'RADIO: the guest chooses exactly one modifier. COUNTER: a modifier may be chosen several times. CHECKBOX: all ' +
      'other groups.',
  }),
  min: Type.Integer({ minimum: 0 }),
  max: Type.Integer({ minimum: 0 }),
  free: Type.Integer({ minimum: 0 }),
  collapsed: Type.Boolean(),
  modifiers: Type.Array(MenuModifier, { minItems: 1 }),
});

/** The answer of `GET /api/v1/menu` (rule SNP-1). Fields may be added within version 1, never removed. */
export const MenuSchema = Type.Object({
  revision: Type.Integer({ minimum: 1, description: "Revision of the organization's menu." }),
  organizationId: Uuid,
  generatedAt: Type.String({ format: 'date-time' }),
  categories: Type.Array(MenuCategory),
  products: Type.Array(MenuProduct),
  modifierGroups: Type.Array(MenuModifierGroup),
});

/** The answer of `GET /api/v1/menu/revision`. */
export const MenuRevisionSchema = Type.Object({ revision: Type.Integer({ minimum: 1 }) });

/** The answer of `GET /api/v1/availability`: what of the menu of this revision cannot be sold now. */
export const AvailabilitySchema = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  unavailableItemIds: Type.Array(Uuid, {
    description: 'ERP ids of items that cannot be sold now: dishes of which every size is unavailable, and modifiers.',
  }),
  unavailableVariantIds: Type.Array(Id, { description: 'Ids of variants that cannot be sold now.' }),
});

const { productIds: _productIds, ...navigationFields } = MenuCategory.properties;
const navigation = {
  ...navigationFields,
  productCount: Type.Integer({
    minimum: 0,
    description: 'Number of products in this category and below it, each counted once.',
  }),
};
/** A category with what stands below it; categories nest at most four levels. */
const categoryNode = (levelsBelow: number): TSchema =>
  Type.Object({
    ...navigation,
    children: Type.Array(levelsBelow === 0 ? Type.Object(navigation) : categoryNode(levelsBelow - 1)),
  });

/** The answer of `GET /api/v1/categories`: the tree for navigation, not paged. */
export const CategoryTreeSchema = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  items: Type.Array(categoryNode(3)),
});

/** The answer of `GET /api/v1/products` and `/search`: one page of the products of a menu. */
export const ProductPageSchema = Type.Object({
  revision: Type.Integer({ minimum: 1, description: 'Revision of the menu that the page was read from.' }),
  items: Type.Array(MenuProduct),
  page: Type.Integer(),
  size: Type.Integer(),
  total: Type.Integer({ description: 'Number of items on all pages.' }),
});

/** The answer of `GET /api/v1/products/{slug}`: a product whose variants carry their modifier groups. */
export const ProductCardSchema = Type.Object({
  ...MenuProduct.properties,
  seoTitle: Type.Optional(Text),
  seoDescription: Type.Optional(Text),
  revision: Type.Integer({ minimum: 1 }),
  variants: Type.Array(Type.Object({ ...MenuVariant.properties, modifierGroups: Type.Array(MenuModifierGroup) }), {
    minItems: 1,
  }),
});

/** Largest menu that is published, in bytes of the identity encoding (rule SNP-12). */
export const MENU_MAX_BYTES = 1_000_000;
