import type { Incident } from './schemas/binding.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { staffText } from '../../kernel/staff-text.ts';
import { selectAuthor } from '../access/authors.ts';
import type { IncidentSeverity, IncidentStatus, IncidentType } from './rules/incident-states.ts';
import type { Sql } from '../../platform/db/database.ts';
import { jsonMoment } from '../../platform/db/nested-rows.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../kernel/cursor-pages.ts';
import type { ProductIssue } from '../catalog/products/list-products.ts';

export const OPEN_INCIDENTS: ProductIssue = sql`select product_id from binding_incident where status = 'OPEN'`;

export type IncidentFilter = CursorPaging & {
  status?: IncidentStatus | undefined;
  severity?: IncidentSeverity | undefined;
  productId?: number | undefined;
  organizationId?: number | undefined;
  runId?: number | undefined;
  type?: IncidentType | undefined;
};

const ORDER: ListOrder = {
  own: [
    { field: 'detectedAt', direction: 'desc' },
    { field: 'id', direction: 'desc' },
  ],
  columns: {
    detectedAt: 'incident.detectedAt',
    id: 'incident.id',
    type: 'incident.type',
    severity: 'incident.severity',
    status: 'incident.status',
    closedAt: 'incident.closedAt',
  },
  nullable: ['closedAt'],
};

/** Lists incidents, newest first. */
export async function listIncidents(
  sql: Sql,
  filter: IncidentFilter,
): Promise<CursorPage<Incident>> {
  const page = await readCursorPage(sql, incidentViews(sql).where(matches(filter)), filter, ORDER);
  return { ...page, items: page.items.map(withSentence) };
}

/** Returns at most `limit` ids, ascending. */
export async function matchingIncidentIds(
  { db }: Sql,
  filter: Omit<IncidentFilter, keyof CursorPaging>,
  { limit, isLive }: { limit: number; isLive: boolean },
): Promise<number[]> {
  const rows = await db
    .selectFrom('binding_incident as incident')
    .select('incident.id')
    .where(matches(filter))
    .$if(isLive, (query) => query.where('incident.status', '!=', 'CLOSED'))
    .orderBy('incident.id')
    .limit(limit)
    .execute();

  return rows.map(({ id }) => id);
}

/** Requires rows named `incident`. */
function matches(filter: Omit<IncidentFilter, keyof CursorPaging>): RawBuilder<SqlBool> {
  const { status, severity, productId, organizationId, runId, type } = filter;
  const conditions = [
    status === undefined ? null : sql`incident.status = ${status}`,
    severity === undefined ? null : sql`incident.severity = ${severity}`,
    productId === undefined ? null : sql`incident.product_id = ${productId}`,
    runId === undefined ? null : sql`incident.detected_by_run_id = ${runId}`,
    type === undefined ? null : sql`incident.type = ${type}`,
    organizationId === undefined ? null : sql`${organizationId} in (${SELLING})`,
  ].filter((condition) => condition !== null);

  return conditions.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Restaurants that sell or sold the lost dish. Deleted dishes keep their prices. */
const SELLING = sql`
  select price.organization_id from mirror_item item
    join mirror_item_size size on size.item_id = item.id
    join mirror_price price on price.item_size_id = size.id
    join mirror_organization organization on organization.id = price.organization_id and organization.inactive_at is null
   where item.erp_id = (incident.last_known ->> 'erpItemId')::uuid and item.role = 'DISH'
     and (price.lost_at is null or price.lost_at >= incident.detected_at - interval '1 day')`;

/** Returns one incident, even if closed. Problem `not-found`. */
export async function getIncident(sql: Sql, id: number): Promise<Incident> {
  const row = await incidentViews(sql)
    .where('incident.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such incident.' }));
  return withSentence(row);
}

/** Adds a sentence in the staff's language (HTTP-110). */
function withSentence(row: Omit<Incident, 'sentence'>): Incident {
  const { type, lost, product, lastKnown, organizationIds, newName, candidates } = row;
  const key =
    type === 'ITEM_MISSING'
      ? (`incident.ITEM_MISSING.${lost ?? 'ITEM'}` as const)
      : (`incident.${type}` as const);

  const sentence = staffText(key, {
    product: product.name,
    dish: lastKnown.name ?? product.name,
    newName: newName ?? '',
    restaurants: organizationIds.length,
    candidates: candidates.length,
  });

  return { ...row, sentence };
}

function incidentViews({ db }: Sql) {
  return db
    .selectFrom('binding_incident as incident')
    .innerJoin('catalog_product as product', 'product.id', 'incident.productId')
    .leftJoin('catalog_variant as variant', 'variant.id', 'incident.variantId')
    .leftJoin('catalog_variant_option as option', 'option.id', 'variant.optionId')
    .select([
      'incident.id',
      'incident.type',
      'incident.severity',
      'incident.status',
      'incident.resolution',
      'incident.detectedAt',
      'incident.detectedByRunId',
      sql<
        Incident['product']
      >`json_build_object('id', product.id, 'name', product.name, 'status', product.status)`.as(
        'product',
      ),
      sql<Incident['variant']>`json_build_object('id', incident.variant_id,
        'optionName', coalesce(option.name, incident.removed_option_name))`.as('variant'),
      sql<Incident['lastKnown']>`incident.last_known || jsonb_build_object('lastSeenAt',
        ${jsonMoment(sql`(incident.last_known ->> 'lastSeenAt')::timestamptz`)})`.as('lastKnown'),
      sql<number[]>`array(select distinct organization_id from (${SELLING}) selling order by 1)`.as(
        'organizationIds',
      ),
      'incident.newName',
      'incident.lost',
      'incident.candidates',
      'incident.snoozedUntil',
      'incident.escalatedAt',
      'incident.closedAt',
      selectAuthor('incident.closedBy').as('closedBy'),
      'incident.note',
      'incident.version',
    ]);
}
