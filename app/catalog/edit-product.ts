import { LockMode } from '@mikro-orm/postgresql';
import { Problem, type FieldError } from '../../contracts/problem.ts';
import { Product } from '../../db/entities/catalog.ts';
import type { Actor } from '../actor.ts';
import type { Tx } from '../database.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { getProduct, type ProductView } from './product-views.ts';

/** Fields of a product that an update may carry; absent leaves the field, null clears it (spec 1, Conventions 4). */
export type ProductEdit = {
  version: number;
  name?: string;
  subtitle?: string | null;
  description?: string | null;
  composition?: string | null;
  mainImageId?: number | null;
  hoverImageId?: number | null;
  /** Media ids in order; null is an empty gallery. */
  gallery?: readonly number[] | null;
};

const COLUMNS = ['name', 'subtitle', 'description', 'composition', 'mainImageId', 'hoverImageId'] as const;

/**
 * Merges an edit into a product. An edit that changes nothing keeps the version and writes nothing.
 * Problems: not-found; version-conflict with `currentVersion`; validation with every broken field. A published product
 * keeps a main image.
 */
export function editProduct(deps: CatalogDeps, actor: Actor, id: number, edit: ProductEdit): Promise<ProductView> {
  return commitEdit(deps, async (tx) => {
    const product = await lockProduct(tx, id);
    if (product.version !== edit.version)
      throw new Problem('version-conflict', { extra: { currentVersion: product.version } });
    const errors = await editErrors(tx, product, edit);
    if (errors.length > 0) throw new Problem('validation', { errors });

    const changes = await changedFields(tx, product, edit);
    if (Object.keys(changes.after).length === 0) return getProduct(tx, id);
    const { gallery, ...columns } = changes.after;
    tx.em.assign(product, { ...columns, updatedAt: new Date() });
    await tx.em.flush();
    if (gallery !== undefined) await replaceGallery(tx, id, gallery);
    await recordEdit(tx, actor, {
      entityType: 'product',
      entityId: id,
      action: 'update',
      ...changes,
      outdates: product.status === 'PUBLISHED' ? { source: 'product-update', productIds: [id] } : null,
    });
    return getProduct(tx, id);
  });
}

/** The product, locked until the transaction ends: who decides by its state writes before anybody else can. */
async function lockProduct(tx: Tx, id: number): Promise<Product> {
  const product = await tx.em.findOne(Product, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (product === null) throw new Problem('not-found', { detail: 'No such product.' });
  return product;
}

async function editErrors(tx: Tx, product: Product, edit: ProductEdit): Promise<FieldError[]> {
  const pictures = [
    { field: 'mainImageId', id: edit.mainImageId },
    { field: 'hoverImageId', id: edit.hoverImageId },
    ...(edit.gallery ?? []).map((id, at) => ({ field: `gallery.${at}`, id })),
  ];
  const wanted = pictures.flatMap(({ id }) => id ?? []);
  const rows = await tx.query<{ id: number }>('select id from media where id = any ($1::bigint[])', [wanted]);
  const known = new Set(rows.map((row) => row.id));
  const gallery = edit.gallery ?? [];
  return [
    ...(edit.name?.trim() === '' ? [{ field: 'name', code: 'required', message: 'The name is empty.' }] : []),
    ...(edit.mainImageId === null && product.status === 'PUBLISHED'
      ? [{ field: 'mainImageId', code: 'required', message: 'A published product keeps a main image.' }]
      : []),
    ...pictures.flatMap(({ field, id }) =>
      id === undefined || id === null || known.has(id) ? [] : [{ field, code: 'not_found', message: 'No such media.' }],
    ),
    ...gallery.flatMap((id, at) =>
      gallery.indexOf(id) < at
        ? [{ field: `gallery.${at}`, code: 'duplicate', message: 'The picture is named twice.' }]
        : [],
    ),
  ];
}

type Changes = { before: Record<string, unknown>; after: Record<string, unknown> & { gallery?: readonly number[] } };

async function changedFields(tx: Tx, product: Product, edit: ProductEdit): Promise<Changes> {
  const changes: Changes = { before: {}, after: {} };
  for (const column of COLUMNS) {
    const given = edit[column];
    const value = typeof given === 'string' ? given.trim() : given;
    if (value === undefined || value === product[column]) continue;
    changes.before[column] = product[column];
    changes.after[column] = value;
  }
  if (edit.gallery === undefined) return changes;
  const rows = await tx.query<{ mediaId: number }>(
    'select media_id as "mediaId" from catalog_product_image where product_id = $1 order by position',
    [product.id],
  );
  const before = rows.map((row) => row.mediaId);
  const after = edit.gallery ?? [];
  if (before.join() !== after.join()) {
    changes.before['gallery'] = before;
    changes.after.gallery = after;
  }
  return changes;
}

async function replaceGallery(tx: Tx, productId: number, mediaIds: readonly number[]): Promise<void> {
  await tx.query('delete from catalog_product_image where product_id = $1', [productId]);
  await tx.query(
    `insert into catalog_product_image (product_id, media_id, position)
     select $1, media_id, at - 1 from unnest($2::bigint[]) with ordinality as wanted (media_id, at)`,
    [productId, mediaIds],
  );
}
