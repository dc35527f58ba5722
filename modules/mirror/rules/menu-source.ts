/** The mirrored parts of the ERP's v3 menu as received. Prices in rubles. */
export type MenuSource = {
  id: string;
  revision?: number | null | undefined;
  productCategories?:
    | { id: string; name?: Text; isDeleted?: boolean | null | undefined }[]
    | null
    | undefined;
  allergenGroups?:
    | { id: string; name?: string | null | undefined; code?: string | null | undefined }[]
    | null
    | undefined;
  products?: ProductSource[] | null | undefined;
  modifiers?: ModifierSource[] | null | undefined;
  schedules?: { id: string; periods?: PeriodSource[] | null | undefined }[] | null | undefined;
  itemsGroups?: CategorySource[] | null | undefined;
};

type Text = string | null | undefined;
type Flag = boolean | null | undefined;
type Amount = number | null | undefined;

/** `price` belongs to the only requested organization. */
export type PricedSource = {
  price?: Amount;
  prices?: { organizations: string[]; price?: Amount }[] | null | undefined;
};

export type WeighedSource = { weight?: Amount; measureUnitType?: Text };

export type NutritionSource = { fats?: Amount; proteins?: Amount; carbs?: Amount; energy?: Amount };

export type RestrictionsSource = {
  minQuantity?: Amount;
  maxQuantity?: Amount;
  freeQuantity?: Amount;
  defaultQuantity?: Amount;
};

export type ProductSource = {
  id: string;
  sku?: Text;
  type?: Text;
  orderItemType?: Text;
  measureUnit?: Text;
  productCategoryId?: Text;
};

export type ModifierSource = WeighedSource & {
  id: string;
  sku?: Text;
  name?: Text;
  description?: Text;
  isHidden?: Flag;
  restrictions?: RestrictionsSource | null | undefined;
  nutritions?: NutritionSource | null | undefined;
  productCategoryId?: Text;
  labels?: string[] | null | undefined;
  allergenGroupIds?: string[] | null | undefined;
  sizePrices?: (PricedSource & { sizeId?: Text })[] | null | undefined;
};

/** `HH:mm:ss`, English weekday names. */
export type PeriodSource = { from?: Text; to?: Text; weekDays?: string[] | null | undefined };

export type CategorySource = {
  id: string;
  name?: Text;
  description?: Text;
  isHidden?: Flag;
  scheduleId?: Text;
  items?: PlacementSource[] | null | undefined;
};

export type PlacementSource = {
  itemType?: Text;
  productId?: Text;
  name?: Text;
  description?: Text;
  isHidden?: Flag;
  sortOrder?: Amount;
  labels?: string[] | null | undefined;
  allergenGroupIds?: string[] | null | undefined;
  sizePrices?: SizeSource[] | null | undefined;
  modifierGroups?: GroupSource[] | null | undefined;
};

export type SizeSource = PricedSource &
  WeighedSource & {
    sizeId?: Text;
    sizeName?: Text;
    sizeCode?: Text;
    sku?: Text;
    isDefault?: Flag;
    isHidden?: Flag;
    nutritions?: NutritionSource | null | undefined;
  };

export type GroupSource = {
  id?: Text;
  name?: Text;
  sku?: Text;
  isHidden?: Flag;
  childModifiersHaveMinMaxRestrictions?: Flag;
  restrictions?: RestrictionsSource | null | undefined;
  items?: LinkSource[] | null | undefined;
};

export type LinkSource = WeighedSource & {
  id: string;
  name?: Text;
  isHidden?: Flag;
  restrictions?: RestrictionsSource | null | undefined;
};
