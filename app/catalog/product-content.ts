import { Problem } from '../../contracts/problem.ts';
import {
  CONTENT_FIELDS,
  contentComplaints,
  type ContentEdit,
  type ContentFacts,
  type ContentField,
  type ProductContent,
} from '../../domain/catalog/product-content.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import type { Sql, Tx } from '../database.ts';
import { placeProduct } from './placements.ts';

type Lists = Pick<ProductContent, 'gallery' | 'categoryIds' | 'badgeIds' | 'organizationVisibility'>;
type Column = Exclude<ContentField, keyof Lists>;

/** The fields that are columns of the product. */
const COLUMNS: Readonly<Record<Column, string>> = {
  name: 'name',
  slug: 'slug',
  subtitle: 'subtitle',
  description: 'description',
  composition: 'composition',
  seoTitle: 'seo_title',
  seoDescription: 'seo_description',
  mainImageId: 'main_image_id',
  hoverImageId: 'hover_image_id',
  variantAxisId: 'variant_axis_id',
  isVisible: 'is_visible',
};

/** The fields that are rows of their own, and how they are replaced. */
const LISTS: { readonly [F in keyof Lists]: (tx: Tx, productId: number, value: Lists[F]) => Promise<void> } = {
  gallery: replaceGallery,
  categoryIds: placeProduct,
  badgeIds: replaceBadges,
  organizationVisibility: replaceVisibility,
};

const isColumn = (field: ContentField): field is Column => field in COLUMNS;

/** The content of a product as it is stored. The caller holds the product, or reads what may be outdated at once. */
export async function readContent(sql: Sql, productId: number): Promise<ProductContent> {
  const columns = Object.entries(COLUMNS).map(([field, column]) => `${column} as "${field}"`);
  const [row] = await sql.query<ProductContent>(
    `select ${columns.join(', ')},
            array(select media_id from catalog_product_image where product_id = product.id order by position) as gallery,
            array(select category_id from catalog_product_category where product_id = product.id
                   order by is_primary desc, category_id) as "categoryIds",
            array(select badge_id from catalog_product_badge where product_id = product.id order by position) as "badgeIds",
            coalesce((select json_agg(json_build_object('organizationId', organization_id, 'isVisible', is_visible) order by organization_id)
                        from catalog_product_visibility where product_id = product.id), '[]') as "organizationVisibility"
       from catalog_product product where product.id = $1`,
    [productId],
  );
  if (row === undefined) throw new Problem('not-found', { detail: 'No such product.' });
  return row;
}

/** Inserts a DRAFT product with this content and returns its id. */
export async function insertContent(tx: Tx, content: ProductContent): Promise<number> {
  const fields = Object.keys(COLUMNS) as Column[];
  const [row] = await tx.query<{ id: number }>(
    `insert into catalog_product (${fields.map((field) => COLUMNS[field]).join(', ')})
     values (${fields.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    fields.map((field) => content[field]),
  );
  if (row === undefined) throw new Error('The insert of a product returned no row');
  await writeLists(tx, row.id, content, CONTENT_FIELDS);
  return row.id;
}

/** Writes the named fields of a content and gives the product its next version. */
export async function writeContent(
  tx: Tx,
  productId: number,
  content: ProductContent,
  changed: readonly ContentField[],
): Promise<void> {
  const columns = changed.filter(isColumn);
  const sets = columns.map((field, at) => `${COLUMNS[field]} = $${at + 2}, `).join('');
  await tx.query(`update catalog_product set ${sets} updated_at = now(), version = version + 1 where id = $1`, [
    productId,
    ...columns.map((field) => content[field]),
  ]);
  await writeLists(tx, productId, content, changed);
}

async function writeLists(
  tx: Tx,
  productId: number,
  content: ProductContent,
  changed: readonly ContentField[],
): Promise<void> {
  const write = async <F extends keyof Lists>(field: F) => LISTS[field](tx, productId, content[field]);
  for (const field of Object.keys(LISTS) as (keyof Lists)[]) if (changed.includes(field)) await write(field);
}

/** Throws one `validation` problem with every rule the content would break. What it names is held until the transaction ends. */
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
  const errors = contentComplaints(product, await readContentFacts(tx, product));
  if (errors.length > 0) throw new Problem('validation', { errors });
}

async function readContentFacts(
  tx: Tx,
  { id, given }: { id: number | null; given: ContentEdit },
): Promise<ContentFacts> {
  const options =
    given.variantAxisId === undefined
      ? []
      : await tx.query<{ id: number }>(
          `select distinct option.axis_id as id from catalog_variant variant
             join catalog_variant_option option on option.id = variant.option_id where variant.product_id = $1`,
          [id],
        );
  return {
    media: await existing(tx, 'media', [given.mainImageId, given.hoverImageId, ...(given.gallery ?? [])]),
    categories: await existing(tx, 'category', given.categoryIds ?? []),
    badges: await existing(tx, 'badge', given.badgeIds ?? []),
    axes: await existing(tx, 'axis', [given.variantAxisId]),
    organizations: await existing(
      tx,
      'organization',
      (given.organizationVisibility ?? []).map((each) => each.organizationId),
    ),
    axesOfVariants: new Set(options.map((each) => each.id)),
  };
}

/**
 * Where the things stand that a product names, and how they are held until the transaction ends: pictures and badges can be deleted,
 * categories archived; axes and organizations stay.
 */
const REFERENCES = {
  media: 'select id from media where id = any ($1::bigint[]) order by id for key share',
  category:
    'select id from catalog_category where id = any ($1::bigint[]) and archived_at is null order by id for share',
  badge: 'select id from catalog_badge where id = any ($1::bigint[]) order by id for key share',
  axis: 'select id from catalog_variant_axis where id = any ($1::bigint[])',
  organization: 'select id from mirror_organization where id = any ($1::bigint[])',
} as const;

/** Those of the ids that a product may name now. */
export async function existing(
  tx: Sql,
  what: keyof typeof REFERENCES,
  ids: readonly (number | null | undefined)[],
): Promise<Set<number>> {
  const wanted = ids.filter((id) => id !== null && id !== undefined);
  if (wanted.length === 0) return new Set();
  const rows = await tx.query<{ id: number }>(REFERENCES[what], [wanted]);
  return new Set(rows.map((row) => row.id));
}

async function replaceGallery(tx: Tx, productId: number, mediaIds: readonly number[]): Promise<void> {
  await tx.query('delete from catalog_product_image where product_id = $1', [productId]);
  await tx.query(
    `insert into catalog_product_image (product_id, media_id, position)
     select $1, media_id, at - 1 from unnest($2::bigint[]) with ordinality as wanted (media_id, at)`,
    [productId, mediaIds],
  );
}

async function replaceBadges(tx: Tx, productId: number, badgeIds: readonly number[]): Promise<void> {
  await tx.query('delete from catalog_product_badge where product_id = $1', [productId]);
  await tx.query(
    `insert into catalog_product_badge (product_id, badge_id, position)
     select $1, badge_id, at - 1 from unnest($2::bigint[]) with ordinality as wanted (badge_id, at)`,
    [productId, badgeIds],
  );
}

async function replaceVisibility(
  tx: Tx,
  productId: number,
  rows: ProductContent['organizationVisibility'],
): Promise<void> {
  await tx.query('delete from catalog_product_visibility where product_id = $1', [productId]);
  await tx.query(
    `insert into catalog_product_visibility (product_id, organization_id, is_visible)
     select $1, organization_id, is_visible from unnest($2::bigint[], $3::boolean[]) as wanted (organization_id, is_visible)`,
    [productId, rows.map((each) => each.organizationId), rows.map((each) => each.isVisible)],
  );
}
