import { sql } from 'kysely';
import { selectAuthor } from '../access/authors.ts';
import type { BindingChange } from './schemas/binding.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Sql, Tx } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { INCIDENT_TYPES } from './rules/incident-states.ts';
import type { VariantWatch } from '../catalog/commit-edit.ts';
import { holdEvaluations } from './evaluation-facts.ts';
import { closeIncidents, keepOptionName } from './incident-rows.ts';

/**
 * Archives the current binding. `userId` and `reason` belong to its end. Incidents that the
 * transaction closes are its cause.
 */
export async function rememberPrevious(
  tx: Tx,
  variantId: number,
  userId: number | null,
  reason: string | null = null,
): Promise<void> {
  await tx.db
    .insertInto('binding_history')
    .columns([
      'variantId',
      'erpItemId',
      'erpItemSizeId',
      'erpSizeId',
      'sku',
      'name',
      'endedBy',
      'reason',
    ])
    .expression((from) =>
      from
        .selectFrom('catalog_variant as variant')
        .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
        .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
        .select(['variant.id', 'item.erpId', 'size.id as sizeId', 'size.erpSizeId'])
        .select([
          'variant.lastSeenSku',
          'variant.lastSeenName',
          sql<number | null>`${userId}::bigint`.as('endedBy'),
        ])
        .select(sql<string | null>`${reason}::text`.as('reason'))
        .where('variant.id', '=', variantId),
    )
    .execute();
}

/**
 * Lists changes of a variant's binding, latest first, even after its removal. Problem `not-found`.
 */
export async function listBindingHistory(
  tx: Sql,
  variantId: number,
  paging: Paging,
): Promise<Page<BindingChange>> {
  const changes = tx.db
    .selectFrom('binding_history as change')
    .leftJoin('catalog_variant as variant', 'variant.id', 'change.variantId')
    .leftJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .leftJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(selectAuthor('change.endedBy').as('changedBy'))
    .select(['change.id', 'change.boundUntil as changedAt', 'change.reason'])
    .select([
      FROM.as('from'),
      sql<BindingChange['to']>`coalesce(lead(${FROM}) over (order by change.id), ${NOW})`.as('to'),
    ])
    .select(CLOSED.as('incidents'))
    .where('change.variantId', '=', variantId)
    .orderBy('change.id', 'desc');

  const page = await readPage(changes, paging);
  if (page.total === 0 && !(await isVariant(tx, variantId)))
    throw new Problem('not-found', { detail: 'No such variant.' });

  return page;
}

const FROM = sql<BindingChange['from']>`jsonb_build_object(
  'erpItemId', change.erp_item_id, 'erpItemSizeId', change.erp_item_size_id, 'sku', change.sku, 'name', change.name)`;
/** The current binding; null if the variant was removed. */
const NOW = sql`case when variant.id is not null then jsonb_build_object(
  'erpItemId', item.erp_id, 'erpItemSizeId', size.id, 'sku', variant.last_seen_sku, 'name', variant.last_seen_name) end`;

/** Incidents that the change closed. Both have the time of their common transaction. */
const CLOSED = sql<BindingChange['incidents']>`coalesce((
  select jsonb_agg(jsonb_build_object('id', incident.id, 'type', incident.type) order by incident.id) from binding_incident incident
   where incident.variant_id = change.variant_id and incident.closed_at = change.bound_until
     and incident.resolution in ('REBOUND', 'VARIANT_REMOVED')), '[]')`;

async function isVariant({ db }: Sql, id: number): Promise<boolean> {
  const variant = await db
    .selectFrom('catalog_variant')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();

  return variant !== undefined;
}

/**
 * Adding or removing a variant waits for running evaluations. A removed variant keeps its history;
 * its incidents are closed.
 */
export const BINDING_WATCH: VariantWatch = {
  holdEvaluations,
  async beforeRemoval(tx, { id, optionName, userId }) {
    await rememberPrevious(tx, id, userId);
    await keepOptionName(tx, id, optionName);
    await closeIncidents(tx, 'removeVariant', [id], INCIDENT_TYPES, userId);
  },
};
