import { invalidField, Problem } from '../../contracts/problem.ts';
import type { BindingState } from '../../domain/binding/binding-states.ts';
import { INCIDENT_TYPES } from '../../domain/binding/incident-states.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import type { Actor } from '../actor.ts';
import { announceToGuests, commitEdit, recordEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import type { Sql, Tx } from '../database.ts';
import { rememberPrevious } from './binding-history.ts';
import { claimItems, releaseItem } from './claim-items.ts';
import { holdEvaluations } from './evaluation-facts.ts';
import { closeIncidents } from './incident-rows.ts';
import { rememberLastSeen } from './last-seen.ts';
import { refuseArchived } from './variant-rows.ts';

/** Where a variant is bound to, and where it was before. */
export type BindingView = {
  id: number;
  productId: number;
  erpItemId: string;
  erpItemSizeId: number;
  bindingState: BindingState;
  missingSince: Date | null;
  lastSeenName: string | null;
  lastSeenSku: string | null;
  /** Kopecks. */
  lastSeenPrice: number | null;
  /** Previous external items, the latest first. */
  history: {
    erpItemId: string;
    erpItemSizeId: number;
    sku: string | null;
    name: string | null;
    boundUntil: Date | string;
  }[];
  version: number;
};

type Variant = {
  productId: number;
  status: ProductStatus;
  sizeId: number;
  itemId: number;
  erpItemId: string;
};

/**
 * Binds a variant to another size (rule BND-17): the previous external item joins the history, open incidents
 * of the variant are closed, and the new dish is claimed for the product. Pictures, texts and places stay as they are.
 * Binding it to the size it has changes nothing.
 * Problems: not-found; validation; item-already-bound; duplicate when another variant of the product has the size;
 * invalid-transition for an archived product, which takes no dish from the others.
 */
export function rebindVariant(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  request: { erpItemSizeId: number },
): Promise<BindingView> {
  return commitEdit(deps, async (tx) => {
    await holdEvaluations(tx);
    const before = await lockVariant(tx, id);
    refuseArchived(before);
    if (before.sizeId === request.erpItemSizeId) return getBinding(tx, id);
    const target = await readTarget(tx, request.erpItemSizeId);
    const userId = actor.type === 'USER' ? actor.userId : null;

    const outdates =
      before.status === 'PUBLISHED' ? { source: 'product-update' as const, productIds: [before.productId] } : null;
    // Restaurants that sold the previous item are told as well as those that sell the new one.
    await announceToGuests(tx, outdates);

    await claimItems(tx, before.productId, [target.itemId]);
    await rememberPrevious(tx, id, userId);
    await tx.query(
      `update catalog_variant set item_size_id = $2, binding_state = 'OK', missing_since = null, updated_at = now(), version = version + 1
        where id = $1`,
      [id, request.erpItemSizeId],
    );
    await rememberLastSeen(tx, [id]);
    if (target.itemId !== before.itemId) await releaseItem(tx, before.productId, before.itemId);
    await closeIncidents(tx, 'rebind', [id], INCIDENT_TYPES, userId);
    await recordEdit(tx, actor, {
      entityType: 'variant',
      entityId: id,
      action: 'rebind',
      before: { erpItemId: before.erpItemId, erpItemSizeId: before.sizeId },
      after: { erpItemId: target.erpItemId, erpItemSizeId: request.erpItemSizeId },
      outdates,
    });
    return getBinding(tx, id);
  });
}

/** The binding of one variant with its history. Problem `not-found`. */
async function getBinding(sql: Sql, id: number): Promise<BindingView> {
  const [binding] = await sql.query<BindingView>(
    `select variant.id, variant.product_id as "productId", item.erp_id as "erpItemId", size.id as "erpItemSizeId",
            variant.binding_state as "bindingState", variant.missing_since as "missingSince",
            variant.last_seen_name as "lastSeenName", variant.last_seen_sku as "lastSeenSku",
            variant.last_seen_price_kopecks as "lastSeenPrice", variant.version,
            coalesce((select json_agg(json_build_object('erpItemId', past.erp_item_id, 'erpItemSizeId', past.erp_item_size_id,
                'sku', past.sku, 'name', past.name, 'boundUntil', past.bound_until) order by past.id desc)
               from binding_history past where past.variant_id = variant.id), '[]') as history
       from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id where variant.id = $1`,
    [id],
  );
  if (binding === undefined) throw new Problem('not-found', { detail: 'No such variant.' });
  return binding;
}

/** The variant and its product, locked: its status decides whether menus change, and nobody moves it meanwhile. */
async function lockVariant(tx: Tx, id: number): Promise<Variant> {
  const [variant] = await tx.query<Variant>(
    `select product.id as "productId", product.status, size.id as "sizeId",
            item.id as "itemId", item.erp_id as "erpItemId"
       from catalog_variant variant join catalog_product product on product.id = variant.product_id
       join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
      where variant.id = $1 for update of product, variant`,
    [id],
  );
  if (variant === undefined) throw new Problem('not-found', { detail: 'No such variant.' });
  return variant;
}

async function readTarget(tx: Tx, sizeId: number): Promise<{ itemId: number; erpItemId: string }> {
  const [target] = await tx.query<{ itemId: number; erpItemId: string; role: string; isDeleted: boolean }>(
    `select item.id as "itemId", item.erp_id as "erpItemId", item.role, item.deleted_at is not null as "isDeleted"
       from mirror_item_size size join mirror_item item on item.id = size.item_id where size.id = $1`,
    [sizeId],
  );
  if (target === undefined) throw invalidField('erpItemSizeId', 'not_found', 'No such size of an external item');
  if (target.role !== 'DISH') throw invalidField('erpItemSizeId', 'not_a_dish', 'A modifier cannot be a variant');
  if (target.isDeleted) throw invalidField('erpItemSizeId', 'deleted', 'The external system no longer has this item');
  return target;
}
