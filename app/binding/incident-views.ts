import { Problem } from '../../contracts/problem.ts';
import type {
  IncidentResolution,
  IncidentSeverity,
  IncidentStatus,
  IncidentType,
} from '../../domain/binding/incident-states.ts';
import type { Candidate } from '../../domain/binding/replacement.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** A candidate as it is stored and shown. */
export type CandidateView = Omit<Candidate, 'firstSeenAt'> & { firstSeenAt: string };

/** One incident as staff see it (rule BND-15). */
export type IncidentView = {
  id: number;
  type: IncidentType;
  severity: IncidentSeverity;
  status: IncidentStatus;
  resolution: IncidentResolution | null;
  detectedAt: Date;
  /** The menu import that showed it; null when no import is known. */
  detectedByRunId: number | null;
  product: { id: number; name: string; status: ProductStatus };
  variant: { id: number; optionName: string | null };
  /** Price in kopecks. */
  lastKnown: {
    erpItemId: string;
    sku: string | null;
    name: string | null;
    price: number | null;
    lastSeenAt: string | null;
  };
  /** What the item is called now; only NAME_CHANGED. */
  newName: string | null;
  candidates: CandidateView[];
  snoozedUntil: Date | null;
  closedAt: Date | null;
  closedBy: number | null;
  note: string | null;
  version: number;
};

export type IncidentFilter = Paging & {
  status?: IncidentStatus | undefined;
  severity?: IncidentSeverity | undefined;
  productId?: number | undefined;
};

const COLUMNS = `incident.id, incident.type, incident.severity, incident.status, incident.resolution,
  incident.detected_at as "detectedAt", incident.detected_by_run_id as "detectedByRunId",
  json_build_object('id', product.id, 'name', product.name, 'status', product.status) as product,
  json_build_object('id', incident.variant_id, 'optionName', coalesce(option.name, incident.removed_option_name)) as variant,
  incident.last_known as "lastKnown", incident.new_name as "newName", incident.candidates,
  incident.snoozed_until as "snoozedUntil", incident.closed_at as "closedAt", incident.closed_by as "closedBy",
  incident.note, incident.version`;

const SOURCE = `binding_incident incident
  join catalog_product product on product.id = incident.product_id
  left join catalog_variant variant on variant.id = incident.variant_id
  left join catalog_variant_option option on option.id = variant.option_id`;

/** One page of incidents, the newest first. */
export function listIncidents(sql: Sql, filter: IncidentFilter): Promise<Page<IncidentView>> {
  return readPageOfText<IncidentView>(sql, filter, {
    columns: COLUMNS,
    from: `${SOURCE} where ($1::text is null or incident.status = $1) and ($2::text is null or incident.severity = $2)
      and ($3::bigint is null or incident.product_id = $3)`,
    order: 'incident.detected_at desc, incident.id desc',
    params: [filter.status ?? null, filter.severity ?? null, filter.productId ?? null],
  });
}

/** One incident, also a closed one: they are history. Problem `not-found`. */
export async function getIncident(sql: Sql, id: number): Promise<IncidentView> {
  const [incident] = await sql.query<IncidentView>(`select ${COLUMNS} from ${SOURCE} where incident.id = $1`, [id]);
  if (incident === undefined) throw new Problem('not-found', { detail: 'No such incident.' });
  return incident;
}
