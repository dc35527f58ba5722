import { Type, type Static } from 'typebox';
import { Id, Key, Uuid, UuidKey, maybe } from './check.ts';

const Texts = Type.Array(Type.String());

const Restrictions = Type.Object({
  minQuantity: maybe(Type.Number()),
  maxQuantity: maybe(Type.Number()),
  freeQuantity: maybe(Type.Number()),
  defaultQuantity: maybe(Type.Number()),
});

const Nutrition = Type.Object({
  fats: maybe(Type.Number()),
  proteins: maybe(Type.Number()),
  carbs: maybe(Type.Number()),
  energy: maybe(Type.Number()),
});

/** Rubles, unlimited: an invalid price affects its dish, not the menu (MIR-39). */
const Price = Type.Number();

/** Null: not for sale there. 0 is a valid price. */
const OrganizationPrice = Type.Object({
  organizations: Type.Array(Type.String()),
  price: maybe(Price),
});

/** `prices` by organization or, for one requested organization, a scalar `price`. */
const priced = { price: maybe(Price), prices: maybe(Type.Array(OrganizationPrice)) };

const weighed = { weight: maybe(Type.Number()), measureUnitType: maybe(Type.String()) };

const ItemSize = Type.Object({
  sizeId: maybe(Key),
  sizeName: maybe(Type.String()),
  sizeCode: maybe(Type.String()),
  sku: maybe(Type.String()),
  isDefault: maybe(Type.Boolean()),
  isHidden: maybe(Type.Boolean()),
  nutritions: maybe(Nutrition),
  ...weighed,
  ...priced,
});

/** A null or missing field has the value of the modifier with the same id. */
const ModifierLink = Type.Object({
  id: Uuid,
  name: maybe(Type.String()),
  description: maybe(Type.String()),
  isHidden: maybe(Type.Boolean()),
  restrictions: maybe(Restrictions),
  ...weighed,
});

/**
 * `id` is usually null. Without `childModifiersHaveMinMaxRestrictions`, 0/0 on a link means "no
 * limit".
 */
const ModifierGroup = Type.Object({
  id: maybe(Key),
  name: maybe(Type.String()),
  sku: maybe(Type.String()),
  isHidden: maybe(Type.Boolean()),
  childModifiersHaveMinMaxRestrictions: maybe(Type.Boolean()),
  restrictions: maybe(Restrictions),
  items: maybe(Type.Array(ModifierLink)),
});

/**
 * A dish (or a combo: `productId` null, `comboId` set) in a category. Null `itemType` means
 * PRODUCT.
 */
const Item = Type.Object({
  itemType: maybe(Type.String()),
  productId: maybe(UuidKey),
  comboId: maybe(Type.String()),
  name: maybe(Type.String()),
  description: maybe(Type.String()),
  isHidden: maybe(Type.Boolean()),
  sortOrder: maybe(Type.Number()),
  labels: maybe(Texts),
  allergenGroupIds: maybe(Texts),
  sizePrices: maybe(Type.Array(ItemSize)),
  modifierGroups: maybe(Type.Array(ModifierGroup)),
});

/** Items without `scheduleId` are sold at all hours. */
const ItemsGroup = Type.Object({
  id: Id,
  name: maybe(Type.String()),
  description: maybe(Type.String()),
  isHidden: maybe(Type.Boolean()),
  scheduleId: maybe(Type.String()),
  items: maybe(Type.Array(Item)),
});

/** Restaurant's local time. */
const Schedule = Type.Object({
  id: Id,
  periods: maybe(
    Type.Array(
      Type.Object({ from: maybe(Type.String()), to: maybe(Type.String()), weekDays: maybe(Texts) }),
    ),
  ),
});

/** Has no name and price, which belong to the placement. */
const Product = Type.Object({
  id: Uuid,
  sku: maybe(Type.String()),
  type: maybe(Type.String()),
  orderItemType: maybe(Type.String()),
  measureUnit: maybe(Type.String()),
  productCategoryId: maybe(Type.String()),
});

/** The only source of a modifier's price and nutrition. */
const Modifier = Type.Object({
  id: Uuid,
  sku: maybe(Type.String()),
  name: maybe(Type.String()),
  description: maybe(Type.String()),
  isHidden: maybe(Type.Boolean()),
  restrictions: maybe(Restrictions),
  nutritions: maybe(Nutrition),
  productCategoryId: maybe(Type.String()),
  labels: maybe(Texts),
  allergenGroupIds: maybe(Texts),
  sizePrices: maybe(Type.Array(Type.Object({ sizeId: maybe(Key), ...priced }))),
  ...weighed,
});

/**
 * The v3 menu. With a `revision`, empty or missing lists mean "unchanged", never "all removed".
 * Only servers of the strict single-organization format omit `revision`.
 */
export const ErpMenu = Type.Object({
  id: Id,
  name: maybe(Type.String()),
  revision: maybe(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  productCategories: maybe(
    Type.Array(
      Type.Object({ id: Id, name: maybe(Type.String()), isDeleted: maybe(Type.Boolean()) }),
    ),
  ),
  allergenGroups: maybe(
    Type.Array(Type.Object({ id: Id, name: maybe(Type.String()), code: maybe(Type.String()) })),
  ),
  products: maybe(Type.Array(Product)),
  modifiers: maybe(Type.Array(Modifier)),
  schedules: maybe(Type.Array(Schedule)),
  itemsGroups: maybe(Type.Array(ItemsGroup)),
});

export type ErpMenu = Static<typeof ErpMenu>;

/** Poll `commands/status` with this id. */
export const PendingMenu = Type.Object({ correlationId: Id });
