import type { Binding, Rebind } from './schemas/binding.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { INCIDENT_TYPES } from './rules/incident-states.ts';
import { REASON_LENGTH } from './rules/operator-moves.ts';
import type { Actor } from '../../kernel/actor.ts';
import {
  announceToGuests,
  commitEdit,
  recordEdit,
  type CatalogDeps,
} from '../catalog/commit-edit.ts';
import { bindVariant } from '../catalog/variants/variant-bindings.ts';
import type { Sql, Tx } from '../../platform/db/database.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { rememberPrevious } from './binding-history.ts';
import { claimItems, releaseItem } from '../catalog/variants/claim-items.ts';
import { holdEvaluations } from './evaluation-facts.ts';
import { closeIncidents } from './incident-rows.ts';
import { rememberLastSeen } from '../catalog/variants/last-seen.ts';
import { refuseArchived } from '../catalog/variants/variant-rows.ts';

const REASON_LIMIT = { reason: REASON_LENGTH };

/**
 * Binds a variant to another size and closes its incidents (BND-17). `check` runs while the variant
 * is locked and may throw. Problems: not-found, validation, item-already-bound, duplicate (the
 * product has the size), invalid-transition (archived product).
 */
export function rebindVariant(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  request: Rebind,
  check?: (tx: Tx, variant: { sizeId: number }) => Promise<void>,
): Promise<Binding> {
  const why: { reason?: string } =
    request.reason === undefined
      ? {}
      : requiredTexts({ reason: request.reason }, REASON_LIMIT, 'words');

  return commitEdit(deps, async (tx) => {
    await holdEvaluations(tx);
    const before = await lockVariant(tx, id);
    refuseArchived(before);
    await check?.(tx, before);
    if (before.sizeId === request.erpItemSizeId) return getBinding(tx, id);
    const target = await readTarget(tx, request.erpItemSizeId);
    const userId = actor.type === 'USER' ? actor.userId : null;

    const outdates =
      before.status === 'PUBLISHED'
        ? { source: 'product-update' as const, productIds: [before.productId] }
        : null;

    // Announced before the change too, because it affects restaurants that sold the previous item.
    await announceToGuests(tx, outdates, actor);

    await claimItems(tx, before.productId, [target.itemId]);
    await rememberPrevious(tx, id, userId, why.reason);
    await bindVariant(tx, id, request.erpItemSizeId);
    await rememberLastSeen(tx, [id]);
    if (target.itemId !== before.itemId) await releaseItem(tx, before.productId, before.itemId);
    await closeIncidents(tx, 'rebind', [id], INCIDENT_TYPES, userId);
    await recordEdit(tx, actor, {
      entityType: 'variant',
      entityId: id,
      action: 'rebind',
      before: { erpItemId: before.erpItemId, erpItemSizeId: before.sizeId },
      after: { erpItemId: target.erpItemId, erpItemSizeId: request.erpItemSizeId },
      ...why,
      outdates,
    });

    return getBinding(tx, id);
  });
}

/** Problem `not-found`. */
async function getBinding({ db }: Sql, id: number): Promise<Binding> {
  const binding = await db
    .selectFrom('catalog_variant as variant')
    .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select([
      'variant.id',
      'variant.productId',
      'item.erpId as erpItemId',
      'size.id as erpItemSizeId',
    ])
    .select([
      'variant.bindingState',
      'variant.missingSince',
      'variant.lastSeenName',
      'variant.lastSeenSku',
    ])
    .select(['variant.lastSeenPriceKopecks as lastSeenPrice', 'variant.version'])
    .where('variant.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such variant.' }));

  const history = await db
    .selectFrom('binding_history')
    .select(['erpItemId', 'erpItemSizeId', 'sku', 'name', 'boundUntil'])
    .where('variantId', '=', id)
    .orderBy('id', 'desc')
    .execute();

  return { ...binding, history };
}

/** Locks the product too, because its status decides if menus change. */
function lockVariant({ db }: Tx, id: number) {
  return db
    .selectFrom('catalog_variant as variant')
    .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
    .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['product.id as productId', 'product.status', 'size.id as sizeId'])
    .select(['item.id as itemId', 'item.erpId as erpItemId'])
    .where('variant.id', '=', id)
    .forUpdate(['product', 'variant'])
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such variant.' }));
}

async function readTarget(
  { db }: Tx,
  sizeId: number,
): Promise<{ itemId: number; erpItemId: string }> {
  const target = await db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['item.id as itemId', 'item.erpId as erpItemId', 'item.role'])
    .select((eb) => eb.fn.coalesce('item.deletedAt', 'size.deletedAt').as('deletedAt'))
    .where('size.id', '=', sizeId)
    .executeTakeFirst();
  if (target === undefined)
    throw invalidField('erpItemSizeId', 'not_found', 'No such size of an external item');

  if (target.role !== 'DISH')
    throw invalidField('erpItemSizeId', 'not_a_dish', 'A modifier cannot be a variant');
  if (target.deletedAt !== null)
    throw invalidField('erpItemSizeId', 'deleted', 'The external system no longer has this item');

  return target;
}
