import { Type, type Static } from 'typebox';
import { BINDING_STATES, PRODUCT_STATUSES, MODIFIER_UI_TYPES } from '../rules/states.ts';
import { BULK_REASONS } from '../rules/bulk-actions.ts';
import { EN } from '../../../kernel/pure/messages/en.ts';
import { PUBLISH_RULES } from '../rules/publish-rules.ts';
import { Image } from '../../media/schemas/media.ts';
import {
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  Page,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

export const ProductStatus = Words(PRODUCT_STATUSES);

export const ProductReference = Named(
  'ProductReference',
  Type.Object({ id: Id, name: Type.String(), status: ProductStatus }),
);

const VariantOptionReference = Named(
  'VariantOptionReference',
  Type.Object({ id: Id, code: Type.String(), name: Type.String(), shortName: NullableText }),
);

const isServiceItem = Type.Boolean({
  description:
    'The item has a service role that the server applies by itself (`GET /service-roles`), so no menu offers the variant, also when its product is published.',
});

/** CAT-61. */
const AT_THE_ERP = {
  erpName: Type.String({ description: 'Name of the dish in the ERP.' }),
  erpSku: Nullable(
    Type.String({ description: 'Article number of the size in the ERP, or of the dish.' }),
  ),
  erpDeletedAt: Nullable(Timestamp),
  priceMin: Nullable(Money),
  priceMax: Type.Unsafe<number | null>({
    ...Nullable(Money),
    description:
      'Highest current price over all organizations; null if the ERP has no price for the size now.',
  }),
};

const ProductVariant = Named(
  'ProductVariant',
  Type.Object({
    id: Id,
    erpItemId: Uuid,
    erpItemSizeId: Id,
    option: Nullable(VariantOptionReference),
    isDefault: Type.Boolean(),
    position: Type.Integer(),
    lastSeenName: NullableText,
    lastSeenSku: NullableText,
    lastSeenPrice: Nullable(Money),
    ...AT_THE_ERP,
    bindingState: Words(['OK', 'MISSING']),
    isServiceItem,
  }),
);

export type ProductVariant = Static<typeof ProductVariant>;

export const organizationVisibility = { organizationId: Id, isVisible: Type.Boolean() };

export const Product = Named(
  'Product',
  Type.Object({
    id: Id,
    slug: Type.String(),
    formerSlugs: Type.Array(Type.String(), {
      description: 'Slugs that the product had before. They still lead to the product.',
    }),
    name: Type.String(),
    subtitle: NullableText,
    description: NullableText,
    composition: NullableText,
    seoTitle: NullableText,
    seoDescription: NullableText,
    status: ProductStatus,
    statusReason: NullableText,
    variantAxis: Nullable(
      Named(
        'ProductVariantAxis',
        Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
      ),
    ),
    categories: Type.Array(
      Named(
        'ProductCategory',
        Type.Object({ id: Id, name: Type.String(), isPrimary: Type.Boolean() }),
      ),
    ),
    images: Named(
      'ProductImages',
      Type.Object({ main: Nullable(Image), hover: Nullable(Image), gallery: Type.Array(Image) }),
    ),
    badges: Type.Array(
      Named('ProductBadge', Type.Object({ id: Id, code: Type.String(), name: Type.String() })),
    ),
    allergens: Type.Array(
      Named('ProductAllergen', Type.Object({ code: Type.String(), name: Type.String() })),
      {
        description: 'Allergens of the dishes of the product, from the ERP.',
      },
    ),
    isVisible: Type.Boolean({
      description: 'Visibility in every organization that `organizationVisibility` does not name.',
    }),
    organizationVisibility: Type.Array(
      Named('OrganizationVisibility', Type.Object(organizationVisibility)),
    ),
    variants: Type.Array(ProductVariant),
    publishedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type Product = Static<typeof Product>;

export const ProductListItem = Named(
  'ProductListItem',
  Type.Object({
    id: Id,
    slug: Type.String(),
    name: Type.String(),
    status: ProductStatus,
    mainImage: Nullable(Image),
    categoryIds: Type.Array(Id),
    badgeIds: Type.Array(Id),
    variantCount: Type.Integer(),
    price: Type.Unsafe<{ min: number; max: number } | null>({
      ...Nullable(Type.Object({ min: Money, max: Money })),
      description:
        'Lowest and highest price over its variants and organizations; null when it is sold nowhere.',
    }),
    organizationIds: Type.Array(Id, {
      description:
        'Active organizations that sell it once it is published: visible, with a variant priced there.',
    }),
    hasErpIssue: Type.Boolean({
      description:
        'True when the ERP has lost or deleted a dish of the product, or an incident is open.',
    }),
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type ProductListItem = Static<typeof ProductListItem>;

export const PublishCheck = Named(
  'PublishCheck',
  Type.Object({
    id: Id,
    status: ProductStatus,
    canPublish: Type.Boolean({
      description: 'True if `POST /products/{id}/publish` would succeed now.',
    }),
    violations: Type.Array(
      Named(
        'PublishViolation',
        Type.Object({ code: Words(PUBLISH_RULES.map(({ code }) => code)), message: Type.String() }),
      ),
      { description: 'All violated rules of publication.' },
    ),
  }),
);

export type PublishCheck = Static<typeof PublishCheck>;

export const ProductState = Named(
  'ProductState',
  Type.Object({
    id: Id,
    status: ProductStatus,
    statusReason: NullableText,
    publishedAt: Nullable(Timestamp),
    version: Type.Integer(),
  }),
);

export type ProductState = Static<typeof ProductState>;

const refusals = [
  ...Object.entries(BULK_REASONS).map(([code, meaning]) => ({ code, meaning: meaning as string })),
  ...PUBLISH_RULES.map(({ code }) => ({
    code: code as string,
    meaning: EN[`violation.${code}`] as string,
  })),
];

export const BulkResult = Named(
  'BulkResult',
  Type.Object({
    succeeded: Type.Array(Id),
    failed: Type.Array(
      Named(
        'BulkFailure',
        Type.Object({
          id: Id,
          reason: Type.Unsafe<string>({
            type: 'string',
            enum: refusals.map(({ code }) => code),
            description: refusals.map(({ code, meaning }) => `${code}: ${meaning}`).join('; '),
          }),
        }),
      ),
    ),
  }),
);

export type BulkResult = Static<typeof BulkResult>;

export const Badge = Named(
  'Badge',
  Type.Object({
    id: Id,
    code: Type.String({ description: 'Code that storefronts get.' }),
    name: Type.String(),
    position: Type.Integer(),
    productCount: Type.Integer(),
    version: Type.Integer(),
  }),
);

export type Badge = Static<typeof Badge>;

export const Category = Named(
  'Category',
  Type.Object({
    id: Id,
    slug: Type.String(),
    name: Type.String(),
    parentId: Nullable(Id),
    position: Type.Integer(),
    imageId: Nullable(Id),
    seoTitle: NullableText,
    seoDescription: NullableText,
    archivedAt: Nullable(Timestamp),
    productCount: Type.Integer({
      description: 'Number of products in the category that are not archived.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type Category = Static<typeof Category>;

const NestedCategory = Type.Cyclic(
  {
    NestedCategory: Type.Object({
      ...Category.properties,
      children: Type.Optional(Type.Array(Type.Ref('NestedCategory'))),
    }),
  },
  'NestedCategory',
);

export type NestedCategory = Static<typeof NestedCategory>;

const treeVersion = Type.Integer({
  description:
    'Version of the whole tree. It grows with every change of a category. `PUT /categories/tree` needs it.',
});

export const CategoryList = Named(
  'CategoryList',
  Type.Object({ ...Page(NestedCategory).properties, version: treeVersion }),
);

export type CategoryList = Static<typeof CategoryList>;

export const SavedCategoryTree = Named(
  'SavedCategoryTree',
  Type.Object({ items: Type.Array(NestedCategory), version: treeVersion }),
);

export const CategoryProducts = Named(
  'CategoryProducts',
  Type.Object({ productIds: Type.Array(Id) }),
);

export const VariantOption = Named(
  'VariantOption',
  Type.Object({
    id: Id,
    code: Type.String(),
    name: Type.String(),
    shortName: NullableText,
    position: Type.Integer(),
    version: Type.Integer(),
  }),
);

export type VariantOption = Static<typeof VariantOption>;

export const VariantAxis = Named(
  'VariantAxis',
  Type.Object({
    id: Id,
    code: Type.String(),
    name: Type.String(),
    uiType: Type.String(),
    options: Type.Array(VariantOption),
    version: Type.Integer(),
  }),
);

export type VariantAxis = Static<typeof VariantAxis>;

/** Null if the ERP decides. */
export const ModifierUiType = Nullable(Words(MODIFIER_UI_TYPES));

/** Combines the group from all dishes with the changes of staff. */
export const ModifierGroup = Named(
  'ModifierGroup',
  Type.Object({
    groupKey: Type.String(),
    name: Type.String({ description: 'Name in the ERP.' }),
    sizeCount: Type.Integer({ description: 'Number of sizes of dishes that have the group.' }),
    displayName: NullableText,
    uiType: ModifierUiType,
    isHidden: Type.Boolean(),
    isCollapsed: Type.Boolean(),
    order: Type.Array(Uuid, {
      description:
        'ERP ids of the modifiers in the order set by staff. Empty if staff have not set one.',
    }),
    version: Type.Integer({ description: 'The version is 0 while staff have changed nothing.' }),
  }),
);

export type ModifierGroup = Static<typeof ModifierGroup>;

export const ModifierGroupUse = Named(
  'ModifierGroupUse',
  Type.Object({
    itemId: Uuid,
    name: Type.String({ description: 'Name of the dish in the ERP.' }),
    sku: NullableText,
    sizeCount: Type.Integer({ description: 'Number of its sizes that have the group.' }),
    product: Nullable(ProductReference),
  }),
);

export type ModifierGroupUse = Static<typeof ModifierGroupUse>;

/** Changes by staff apply in all groups. */
export const Modifier = Named(
  'Modifier',
  Type.Object({
    erpItemId: Uuid,
    name: Type.String({ description: 'Name in the ERP.' }),
    sku: NullableText,
    isDeleted: Type.Boolean(),
    displayName: NullableText,
    imageId: Nullable(Id),
    position: Nullable(Type.Integer()),
    isHidden: Type.Boolean(),
    version: Type.Integer({ description: 'The version is 0 while staff have changed nothing.' }),
  }),
);

export type Modifier = Static<typeof Modifier>;

const perUnit = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });

/** Quantities for the composition of an order. */
export const VARIANT_COUNTS = {
  personCount: perUnit('Persons that one unit is for.'),
  personSplittingEnabled: Type.Boolean({
    description: 'True if `personCount` counts toward the persons of an order.',
  }),
  toolCount: perUnit('Sets of cutlery that may go with one unit.'),
  sugarCount: perUnit('Portions of sugar that may go with one unit.'),
};

export const Variant = Named(
  'Variant',
  Type.Object({
    id: Id,
    productId: Id,
    erpItemId: Uuid,
    erpItemSizeId: Id,
    option: Nullable(VariantOptionReference),
    isDefault: Type.Boolean(),
    position: Type.Integer(),
    bindingState: Words(BINDING_STATES),
    isServiceItem,
    missingSince: Nullable(Timestamp),
    lastSeenName: NullableText,
    lastSeenSku: NullableText,
    lastSeenPrice: Nullable(Money),
    lastSeenAt: Nullable(Timestamp),
    ...AT_THE_ERP,
    ...VARIANT_COUNTS,
    version: Type.Integer(),
  }),
);

export type Variant = Static<typeof Variant>;

/** Contains the new version of the product. */
export const VariantOrder = Named(
  'VariantOrder',
  Type.Object({ variantIds: Type.Array(Id), version: Type.Integer() }),
);

export type VariantOrder = Static<typeof VariantOrder>;

/** `id` is null for a proposed axis or option. */
const proposed = { id: Nullable(Id), code: Type.String(), name: Type.String() };

export const VariantSuggestions = Named(
  'VariantSuggestions',
  Type.Object({
    baseName: Type.String(),
    detectedAxis: Nullable(Named('SuggestedAxis', Type.Object(proposed))),
    candidates: Type.Array(
      Named(
        'VariantSuggestion',
        Type.Object({
          itemId: Uuid,
          itemSizeId: Id,
          name: Type.String(),
          sku: NullableText,
          detectedOption: Nullable(Named('SuggestedOption', Type.Object(proposed))),
          confidence: Type.Number({ minimum: 0, maximum: 1 }),
          bound: Type.Boolean(),
          boundProduct: Nullable(
            Named('BoundProduct', Type.Object({ id: Id, name: Type.String() })),
          ),
        }),
      ),
    ),
  }),
);

export type VariantSuggestions = Static<typeof VariantSuggestions>;
