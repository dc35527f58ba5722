import type { Incident } from './schemas/binding.ts';
import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import type { IncidentSeverity, IncidentStatus } from './rules/incident-states.ts';
import type { Sql } from '../../platform/db/database.ts';
import { jsonMoment } from '../../platform/db/nested-rows.ts';
import { readCursorPage, type CursorPage, type CursorPaging, type ListOrder } from '../../kernel/cursor-pages.ts';
import type { ProductIssue } from '../catalog/products/list-products.ts';

/** An open incident of a binding. */
export const OPEN_INCIDENTS: ProductIssue = sql`select product_id from binding_incident where status = 'OPEN'`;

export type IncidentFilter = CursorPaging & {
  status?: IncidentStatus | undefined;
  severity?: IncidentSeverity | undefined;
  productId?: number | undefined;
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

/** One page of incidents, the newest first. */
export function listIncidents(sql: Sql, filter: IncidentFilter): Promise<CursorPage<Incident>> {
  const { status, severity, productId } = filter;
  return readCursorPage(
    sql,
    incidentViews(sql)
      .$if(status !== undefined, (all) => all.where('incident.status', '=', status!))
      .$if(severity !== undefined, (all) => all.where('incident.severity', '=', severity!))
      .$if(productId !== undefined, (all) => all.where('incident.productId', '=', productId!)),
    filter,
    ORDER,
  );
}

/** One incident, also a closed one: they are history. Problem `not-found`. */
export function getIncident(sql: Sql, id: number): Promise<Incident> {
  return incidentViews(sql)
    .where('incident.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such incident.' }));
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
      sql<Incident['product']>`json_build_object('id', product.id, 'name', product.name, 'status', product.status)`.as(
        'product',
      ),
      sql<Incident['variant']>`json_build_object('id', incident.variant_id,
        'optionName', coalesce(option.name, incident.removed_option_name))`.as('variant'),
      sql<Incident['lastKnown']>`incident.last_known || jsonb_build_object('lastSeenAt',
        ${jsonMoment(sql`(incident.last_known ->> 'lastSeenAt')::timestamptz`)})`.as('lastKnown'),
      'incident.newName',
      'incident.lost',
      'incident.candidates',
      'incident.snoozedUntil',
      'incident.escalatedAt',
      'incident.closedAt',
      'incident.closedBy',
      'incident.note',
      'incident.version',
    ]);
}
