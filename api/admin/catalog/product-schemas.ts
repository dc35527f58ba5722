import { Type } from 'typebox';
import { organizationVisibility } from '../../../contracts/catalog.ts';
import { Id, Nullable } from '../../../contracts/schemas.ts';
import { Strict } from '../../http/schemas.ts';

/** Parts of requests about products that several routes share. */

/** The last part of the URL of a product or category. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Lower-case Latin letters, digits and single dashes.',
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
  organizationVisibility: list(Strict(organizationVisibility), 1000, 'Exceptions for single organizations.'),
};
