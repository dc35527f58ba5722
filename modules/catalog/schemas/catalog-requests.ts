import { Type, type Static, type TSchema } from 'typebox';
import { BULK_ACTION_NAMES } from '../rules/bulk-actions.ts';
import {
  ModifierUiType,
  organizationVisibility,
  ProductStatus,
  VARIANT_COUNTS,
} from './catalog.ts';
import {
  Id,
  Named,
  Nullable,
  OrganizationId,
  Strict,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

const Flag = Type.Optional(Type.Boolean());
const OptionalId = Type.Optional(Nullable(Id));
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Position = Type.Integer({ minimum: 0, maximum: 100_000 });

const Slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Lower-case Latin letters, digits and single dashes.',
});

/** Maximum characters. */
export const PRODUCT_TEXT_LIMITS = {
  name: 200,
  subtitle: 300,
  description: 5000,
  composition: 5000,
  seoTitle: 200,
  seoDescription: 500,
} as const;

const ProductName = Type.String({ minLength: 1, maxLength: PRODUCT_TEXT_LIMITS.name });
const text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
const list = <S extends TSchema>(item: S, maxItems: number, description: string) =>
  Type.Optional(Nullable(Type.Array(item, { maxItems, description })));

const seo = {
  seoTitle: text(PRODUCT_TEXT_LIMITS.seoTitle),
  seoDescription: text(PRODUCT_TEXT_LIMITS.seoDescription),
};

const content = {
  slug: Type.Optional(Slug),
  subtitle: text(PRODUCT_TEXT_LIMITS.subtitle),
  description: text(PRODUCT_TEXT_LIMITS.description),
  composition: text(PRODUCT_TEXT_LIMITS.composition),
  ...seo,
  mainImageId: OptionalId,
  hoverImageId: OptionalId,
  gallery: list(Id, 30, 'Images in their order.'),
  variantAxisId: OptionalId,
  categoryIds: list(Id, 50, 'The first category is the primary one.'),
  badgeIds: list(Id, 20, 'Badges in the order that guests see.'),
  isVisible: Flag,
  organizationVisibility: list(
    Strict({ ...organizationVisibility, organizationId: OrganizationId }),
    1000,
    'Exceptions for single organizations.',
  ),
};

export const NewProduct = Named('NewProduct', Strict({ name: ProductName, ...content }));
export type NewProduct = Static<typeof NewProduct>;

export const ProductEdit = Named(
  'ProductEdit',
  Strict({ version: Version, name: Type.Optional(ProductName), ...content }),
);

export type ProductEdit = Static<typeof ProductEdit>;

/** BND-2. */
export const NewProductOfItems = Named(
  'NewProductOfItems',
  Strict({
    name: ProductName,
    variantAxisCode: text(50),
    mainImageId: OptionalId,
    categoryIds: Type.Array(Id, { maxItems: 50 }),
    variants: Type.Array(
      Strict({
        erpItemSizeId: Id,
        variantOptionCode: text(50),
        isDefault: Type.Optional(Type.Boolean({ default: false })),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  }),
);

export type NewProductOfItems = Static<typeof NewProductOfItems>;

/** CAT-7. */
const BulkPayload = Named(
  'BulkPayload',
  Strict({
    categoryId: Type.Optional(Id),
    badgeIds: Type.Optional(Type.Array(Id, { maxItems: 20 })),
    isVisible: Flag,
    organizationIds: Type.Optional(
      Nullable(Type.Array(OrganizationId, { minItems: 1, maxItems: 1000 })),
    ),
  }),
);

export type BulkPayload = Static<typeof BulkPayload>;

export const BULK_LIMIT = 500;

/** CAT-23. */
const BulkFilter = Named(
  'BulkFilter',
  Strict({
    q: Type.Optional(Type.String({ maxLength: 200 })),
    categoryId: Type.Optional(Id),
    status: Type.Optional(ProductStatus),
    hasImage: Flag,
    hasVariants: Flag,
    badgeId: Type.Optional(Id),
    organizationId: Type.Optional(OrganizationId),
    erpIssue: Flag,
    updatedSince: Type.Optional(Type.String({ format: 'date-time' })),
  }),
);

export const BulkRequest = Named(
  'BulkRequest',
  Strict({
    productIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT })),
    filter: Type.Optional(BulkFilter),
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True to get the result without changing anything.',
      }),
    ),
    action: Words(BULK_ACTION_NAMES),
    payload: Type.Optional(Nullable(BulkPayload)),
  }),
);

export type BulkRequest = Static<typeof BulkRequest>;

/** BND-1. */
export const NewVariant = Named(
  'NewVariant',
  Strict({
    erpItemId: Uuid,
    erpItemSizeId: Id,
    variantOptionId: OptionalId,
    isDefault: Type.Optional(Type.Boolean({ default: false })),
  }),
);

export type NewVariant = Static<typeof NewVariant>;

export const VariantEdit = Named(
  'VariantEdit',
  Strict({
    version: Version,
    variantOptionId: OptionalId,
    isDefault: Flag,
    ...Type.Partial(Type.Object(VARIANT_COUNTS)).properties,
  }),
);

export type VariantEdit = Static<typeof VariantEdit>;

/** `version` is the version of the product. */
export const VariantOrderEdit = Named(
  'VariantOrderEdit',
  Strict({ version: Version, variantIds: Type.Array(Id, { minItems: 1, maxItems: 1_000 }) }),
);

export type VariantOrderEdit = Static<typeof VariantOrderEdit>;

const CategoryName = Type.String({ minLength: 1, maxLength: 200 });
const CategoryPosition = Type.Integer({ minimum: 0, maximum: 1_000_000 });

export const NewCategory = Named(
  'NewCategory',
  Strict({
    name: CategoryName,
    slug: Type.Optional(Slug),
    parentId: OptionalId,
    position: Type.Optional(CategoryPosition),
    imageId: OptionalId,
    ...seo,
  }),
);

export type NewCategory = Static<typeof NewCategory>;

export const CategoryEdit = Named(
  'CategoryEdit',
  Strict({
    version: Version,
    name: Type.Optional(CategoryName),
    slug: Type.Optional(Slug),
    parentId: OptionalId,
    position: Type.Optional(CategoryPosition),
    imageId: OptionalId,
    ...seo,
  }),
);

export type CategoryEdit = Static<typeof CategoryEdit>;

const CategoryTreeNode = Named(
  'CategoryTreeNode',
  Strict({ id: Id, parentId: Nullable(Id), position: CategoryPosition }),
);

export type CategoryTreeNode = Static<typeof CategoryTreeNode>;

export const CategoryTreeEdit = Named(
  'CategoryTreeEdit',
  Strict({
    version: Type.Integer({
      minimum: 0,
      description: '`version` of the tree that the caller has read.',
    }),
    nodes: Type.Array(CategoryTreeNode, { minItems: 1, maxItems: 2000 }),
  }),
);

export type CategoryTreeEdit = Static<typeof CategoryTreeEdit>;

export const NewBadge = Named(
  'NewBadge',
  Strict({
    code: Type.String({ pattern: '^[A-Z0-9][A-Z0-9_-]{0,49}$' }),
    name: Name,
    position: Type.Optional(Position),
  }),
);

export type NewBadge = Static<typeof NewBadge>;

/** Storefronts identify badges by `code`. */
export const BadgeEdit = Named(
  'BadgeEdit',
  Strict({ version: Version, name: Type.Optional(Name), position: Type.Optional(Position) }),
);

export type BadgeEdit = Static<typeof BadgeEdit>;

const Code = Type.String({
  pattern: '^[A-Z0-9][A-Z0-9_.-]{0,49}$',
  description: 'Capital letters and digits, for example SIZE or CM30.',
});

const AXIS_UI_TYPES = ['SEGMENTED', 'LIST'] as const;
const option = { code: Code, name: Name, shortName: text(20) };

export const NewVariantAxis = Named(
  'NewVariantAxis',
  Strict({
    code: Code,
    name: Name,
    uiType: Type.Optional(Type.Enum([...AXIS_UI_TYPES], { default: 'SEGMENTED' })),
    options: Type.Array(Strict(option), { minItems: 1, maxItems: 100 }),
  }),
);

export type NewVariantAxis = Static<typeof NewVariantAxis>;

/** Requests refer to `code`. */
export const VariantAxisEdit = Named(
  'VariantAxisEdit',
  Strict({
    version: Version,
    name: Type.Optional(Name),
    uiType: Type.Optional(Type.Enum([...AXIS_UI_TYPES])),
  }),
);

export type VariantAxisEdit = Static<typeof VariantAxisEdit>;

export const NewVariantOption = Named(
  'NewVariantOption',
  Strict({ ...option, position: Type.Optional(Position) }),
);

export type NewVariantOption = Static<typeof NewVariantOption>;

export const VariantOptionEdit = Named(
  'VariantOptionEdit',
  Strict({
    version: Version,
    name: Type.Optional(Name),
    shortName: option.shortName,
    position: Type.Optional(Position),
  }),
);

export type VariantOptionEdit = Static<typeof VariantOptionEdit>;

const profileVersion = Type.Integer({
  minimum: 0,
  description: 'Version that the caller has read; 0 if the profile was never changed.',
});

export const ModifierGroupEdit = Named(
  'ModifierGroupEdit',
  Strict({
    version: profileVersion,
    displayName: text(200),
    uiType: Type.Optional(ModifierUiType),
    isHidden: Flag,
    isCollapsed: Flag,
  }),
);

export type ModifierGroupEdit = Static<typeof ModifierGroupEdit>;

export const ModifierOrder = Named(
  'ModifierOrder',
  Strict({
    version: profileVersion,
    order: Type.Array(Uuid, { maxItems: 500, uniqueItems: true }),
  }),
);

export type ModifierOrder = Static<typeof ModifierOrder>;

export const ModifierEdit = Named(
  'ModifierEdit',
  Strict({
    version: profileVersion,
    displayName: text(200),
    imageId: OptionalId,
    position: Type.Optional(Nullable(Position)),
    isHidden: Flag,
  }),
);

export type ModifierEdit = Static<typeof ModifierEdit>;
