import { Type } from 'typebox';
import { PRODUCT_STATUSES } from '../../../domain/catalog/product-states.ts';
import { Id, Money, Nullable, Strict, Timestamp, Uuid, Words } from '../../http/schemas.ts';

/** Schemas of products that several routes share. */

export const Status = Words(PRODUCT_STATUSES);
/** The address part of a product or category. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Lower-case Latin letters, digits and single dashes.',
});

export const Image = Type.Object({ id: Id, url: Type.String(), srcset: Type.String() });
export const NullableText = Nullable(Type.String());
const OrganizationVisibility = { organizationId: Id, isVisible: Type.Boolean() };

const Variant = Type.Object({
  id: Id,
  erpItemId: Uuid,
  erpItemSizeId: Id,
  option: Nullable(Type.Object({ id: Id, code: Type.String(), name: Type.String(), shortName: NullableText })),
  isDefault: Type.Boolean(),
  position: Type.Integer(),
  lastSeenName: NullableText,
  lastSeenSku: NullableText,
  lastSeenPrice: Nullable(Money),
  bindingState: Words(['OK', 'MISSING']),
});

/** One product with everything staff edit. */
export const Product = Type.Object({
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
  status: Status,
  statusReason: NullableText,
  variantAxis: Nullable(Type.Object({ id: Id, code: Type.String(), name: Type.String() })),
  categories: Type.Array(Type.Object({ id: Id, name: Type.String(), isPrimary: Type.Boolean() })),
  images: Type.Object({ main: Nullable(Image), hover: Nullable(Image), gallery: Type.Array(Image) }),
  badges: Type.Array(Type.Object({ id: Id, code: Type.String(), name: Type.String() })),
  allergens: Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), {
    description: 'Allergens of the dishes of the product, from the ERP.',
  }),
  isVisible: Type.Boolean({
    description: 'Visibility in every organization that `organizationVisibility` does not name.',
  }),
  organizationVisibility: Type.Array(Type.Object(OrganizationVisibility)),
  variants: Type.Array(Variant),
  publishedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Type.Integer(),
});

const text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
const list = <S extends Parameters<typeof Type.Array>[0]>(item: S, maxItems: number, description: string) =>
  Type.Optional(Nullable(Type.Array(item, { maxItems, description })));

export const ProductName = Type.String({ minLength: 1, maxLength: 200 });

/** What creating and changing a product may say beside its name. */
export const contentFields = {
  slug: Type.Optional(Slug),
  subtitle: text(300),
  description: text(5000),
  composition: text(5000),
  seoTitle: text(200),
  seoDescription: text(500),
  mainImageId: Type.Optional(Nullable(Id)),
  hoverImageId: Type.Optional(Nullable(Id)),
  gallery: list(Id, 30, 'Images in their order.'),
  variantAxisId: Type.Optional(Nullable(Id)),
  categoryIds: list(Id, 50, 'The first category is the primary one.'),
  badgeIds: list(Id, 20, 'Badges in the order that guests see.'),
  isVisible: Type.Optional(Type.Boolean()),
  organizationVisibility: list(Strict(OrganizationVisibility), 1000, 'Exceptions for single organizations.'),
};
