import type { InferEntity } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Sql, type Tx } from '../../../platform/db/database.ts';
import { Product } from '../tables/catalog.ts';
import {
  CONTENT_FIELDS,
  contentErrors,
  type ContentEdit,
  type ContentFacts,
  type ContentField,
  type OrganizationVisibility,
  type ProductContent,
} from '../rules/product-content.ts';
import type { ProductStatus } from '../rules/states.ts';
import { insertRow, touchEdited, type Stored } from '../../../kernel/edits.ts';
import { existingMedia } from '../../media/media-rows.ts';
import { placeProduct } from './placements.ts';

type Lists = Pick<
  ProductContent,
  'gallery' | 'categoryIds' | 'badgeIds' | 'organizationVisibility'
>;

type Column = Exclude<ContentField, keyof Lists>;

/** Writers of fields with separate rows. */
const LISTS: {
  readonly [F in keyof Lists]: (tx: Tx, productId: number, value: Lists[F]) => Promise<void>;
} = {
  gallery: replaceGallery,
  categoryIds: placeProduct,
  badgeIds: replaceBadges,
  organizationVisibility: replaceVisibility,
};

const COLUMNS = CONTENT_FIELDS.filter((field): field is Column => !Object.hasOwn(LISTS, field));

/** Returns stored content, which may change unless the product is locked. */
export function readContent({ db }: Sql, productId: number): Promise<ProductContent> {
  return db
    .selectFrom('catalog_product as product')
    .select(COLUMNS)
    .select([
      sql<
        number[]
      >`array(select media_id from catalog_product_image where product_id = product.id order by position)`.as(
        'gallery',
      ),
      sql<
        number[]
      >`array(select category_id from catalog_product_category where product_id = product.id
                           order by is_primary desc, category_id)`.as('categoryIds'),
      sql<
        number[]
      >`array(select badge_id from catalog_product_badge where product_id = product.id order by position)`.as(
        'badgeIds',
      ),
      sql<OrganizationVisibility[]>`coalesce((
        select json_agg(json_build_object('organizationId', organization_id, 'isVisible', is_visible) order by organization_id)
          from catalog_product_visibility where product_id = product.id), '[]')`.as(
        'organizationVisibility',
      ),
    ])
    .where('product.id', '=', productId)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: MISSING_PRODUCT }));
}

export const MISSING_PRODUCT = 'No such product.';

export async function insertContent(tx: Tx, content: ProductContent): Promise<number> {
  const {
    gallery: _gallery,
    categoryIds: _categories,
    badgeIds: _badges,
    organizationVisibility: _,
    ...columns
  } = content;

  const product = await insertRow(tx, Product, columns);
  await writeLists(tx, product.id, content, CONTENT_FIELDS);

  return product.id;
}

/** Writes fields of a locked product and increments its version. */
export async function writeContent(
  tx: Tx,
  product: Stored<InferEntity<typeof Product>>,
  content: ProductContent,
  changed: readonly ContentField[],
): Promise<void> {
  Object.assign(product, pickColumns(content, changed));
  await touchEdited(tx, product);
  await writeLists(tx, product.id, content, changed);
}

function pickColumns(
  content: ProductContent,
  fields: readonly ContentField[],
): Partial<Pick<ProductContent, Column>> {
  return Object.fromEntries(
    COLUMNS.filter((column) => fields.includes(column)).map((field) => [field, content[field]]),
  );
}

async function writeLists(
  tx: Tx,
  productId: number,
  content: ProductContent,
  changed: readonly ContentField[],
): Promise<void> {
  const write = async <F extends keyof Lists>(field: F) =>
    LISTS[field](tx, productId, content[field]);
  for (const field of Object.keys(LISTS) as (keyof Lists)[])
    if (changed.includes(field)) await write(field);
}

/** Locks referenced rows and throws one `validation` problem with all errors. */
export async function requireContent(
  tx: Tx,
  product: {
    id: number | null;
    status: ProductStatus;
    before: ProductContent;
    given: ContentEdit;
    after: ProductContent;
  },
): Promise<void> {
  const errors = contentErrors(product, await readContentFacts(tx, product));
  if (errors.length > 0) throw new Problem('validation', { errors });
}

async function readContentFacts(
  tx: Tx,
  { id, given }: { id: number | null; given: ContentEdit },
): Promise<ContentFacts> {
  const axisIds =
    given.variantAxisId === undefined || id === null
      ? []
      : await tx.db
          .selectFrom('catalog_variant as variant')
          .innerJoin('catalog_variant_option as option', 'option.id', 'variant.optionId')
          .select('option.axisId')
          .distinct()
          .where('variant.productId', '=', id)
          .execute();

  return {
    media: await existingMedia(
      tx,
      present([given.mainImageId, given.hoverImageId, ...(given.gallery ?? [])]),
    ),
    categories: await existing(tx, 'category', given.categoryIds ?? []),
    badges: await existing(tx, 'badge', given.badgeIds ?? []),
    axes: await existing(tx, 'axis', [given.variantAxisId]),
    organizations: await existing(
      tx,
      'organization',
      (given.organizationVisibility ?? []).map((visibility) => visibility.organizationId),
    ),
    axesOfVariants: new Set(axisIds.map((entry) => entry.axisId)),
  };
}

/** Locks references, because badges can be deleted and categories archived. */
const REFERENCES = {
  category: ({ db }: Sql, ids: readonly number[]) =>
    db
      .selectFrom('catalog_category')
      .select('id')
      .where('id', '=', anyOf(ids))
      .where('archivedAt', 'is', null)
      .orderBy('id')
      .forShare(),
  badge: ({ db }: Sql, ids: readonly number[]) =>
    db
      .selectFrom('catalog_badge')
      .select('id')
      .where('id', '=', anyOf(ids))
      .orderBy('id')
      .forKeyShare(),
  axis: ({ db }: Sql, ids: readonly number[]) =>
    db.selectFrom('catalog_variant_axis').select('id').where('id', '=', anyOf(ids)),
  organization: ({ db }: Sql, ids: readonly number[]) =>
    db.selectFrom('mirror_organization').select('id').where('id', '=', anyOf(ids)),
} as const;

export async function existing(
  tx: Sql,
  what: keyof typeof REFERENCES,
  ids: readonly (number | null | undefined)[],
): Promise<Set<number>> {
  const presentIds = present(ids);
  if (presentIds.length === 0) return new Set();
  return new Set((await REFERENCES[what](tx, presentIds).execute()).map((row) => row.id));
}

function present(ids: readonly (number | null | undefined)[]): number[] {
  return ids.filter((id) => id !== null && id !== undefined);
}

async function replaceGallery(
  { db }: Tx,
  productId: number,
  mediaIds: readonly number[],
): Promise<void> {
  await db.deleteFrom('catalog_product_image').where('productId', '=', productId).execute();
  if (mediaIds.length === 0) return;
  const rows = mediaIds.map((mediaId, position) => ({ productId, mediaId, position }));
  await db.insertInto('catalog_product_image').values(rows).execute();
}

async function replaceBadges(
  { db }: Tx,
  productId: number,
  badgeIds: readonly number[],
): Promise<void> {
  await db.deleteFrom('catalog_product_badge').where('productId', '=', productId).execute();
  if (badgeIds.length === 0) return;
  const rows = badgeIds.map((badgeId, position) => ({ productId, badgeId, position }));
  await db.insertInto('catalog_product_badge').values(rows).execute();
}

async function replaceVisibility(
  { db }: Tx,
  productId: number,
  organizations: ProductContent['organizationVisibility'],
): Promise<void> {
  await db.deleteFrom('catalog_product_visibility').where('productId', '=', productId).execute();
  if (organizations.length === 0) return;
  const rows = organizations.map(({ organizationId, isVisible }) => ({
    productId,
    organizationId,
    isVisible,
  }));

  await db.insertInto('catalog_product_visibility').values(rows).execute();
}
