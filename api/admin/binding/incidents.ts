import { Type } from 'typebox';
import { getIncident, listIncidents } from '../../../app/binding/incident-views.ts';
import { dismissIncident, snoozeIncident } from '../../../app/binding/settle-incident.ts';
import {
  INCIDENT_RESOLUTIONS,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
} from '../../../domain/binding/incident-states.ts';
import { MATCH_KINDS } from '../../../domain/binding/replacement.ts';
import { PRODUCT_STATUSES } from '../../../domain/catalog/product-states.ts';
import { defineRoute } from '../../http/route.ts';
import {
  Id,
  IdParams,
  Money,
  Nullable,
  Page,
  pageOf,
  pageQuery,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../http/schemas.ts';

const NullableText = Nullable(Type.String());

/** A dish that a variant could be bound to. */
const Candidate = Type.Object({
  erpItemId: Uuid,
  erpItemSizeId: Id,
  sku: NullableText,
  name: Type.String(),
  matchedBy: Words(MATCH_KINDS),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  firstSeenAt: Timestamp,
});

const Incident = Type.Object({
  id: Id,
  type: Words(INCIDENT_TYPES),
  severity: Words(INCIDENT_SEVERITIES),
  status: Words(INCIDENT_STATUSES),
  resolution: Nullable(Words(INCIDENT_RESOLUTIONS)),
  detectedAt: Timestamp,
  detectedByRunId: Nullable(Id),
  product: Type.Object({ id: Id, name: Type.String(), status: Words(PRODUCT_STATUSES) }),
  variant: Type.Object({ id: Id, optionName: NullableText }),
  lastKnown: Type.Object({
    erpItemId: Uuid,
    sku: NullableText,
    name: NullableText,
    price: Nullable(Money),
    lastSeenAt: Nullable(Timestamp),
  }),
  newName: Nullable(Type.String({ description: 'New name of the item. Only NAME_CHANGED has it.' })),
  candidates: Type.Array(Candidate),
  snoozedUntil: Nullable(Timestamp),
  closedAt: Nullable(Timestamp),
  closedBy: Nullable(Id),
  note: NullableText,
  version: Type.Integer(),
});

const tags = ['Binding incidents'];
const problems = ['not-found', 'invalid-transition', 'version-conflict'] as const;

const listIncidentsRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/binding-incidents',
  operationId: 'listBindingIncidents',
  summary: 'Binding incidents',
  description: 'The newest incidents come first. Incidents are never deleted; closed ones stay in the list.',
  tags,
  permission: 'incidents.read',
  query: Strict({
    ...pageQuery,
    status: Type.Optional(Words(INCIDENT_STATUSES)),
    severity: Type.Optional(Words(INCIDENT_SEVERITIES)),
    product_id: Type.Optional(Id),
  }),
  responses: { 200: Page(Incident) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listIncidents(db, {
      ...pageOf(query),
      status: query.status,
      severity: query.severity,
      productId: query.product_id,
    }),
  }),
});

const getIncidentRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/binding-incidents/{id}',
  operationId: 'getBindingIncident',
  summary: 'One binding incident',
  description: 'The answer shows what was last known of the lost item and, for a possible replacement, the candidates.',
  tags,
  permission: 'incidents.read',
  params: IdParams,
  responses: { 200: Incident },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getIncident(db, params.id) }),
});

const dismissIncidentRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/binding-incidents/{id}/dismiss',
  operationId: 'dismissBindingIncident',
  summary: 'Close an incident with a note',
  description:
    'An incident that is already dismissed does not change. When the incident was closed in another way, the answer ' +
    'is `invalid-transition`.',
  tags,
  permission: 'incidents.manage',
  params: IdParams,
  body: Strict({ note: Type.String({ minLength: 1, maxLength: 1_000 }), version: Type.Optional(Version) }),
  responses: { 200: Incident },
  problems,
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await dismissIncident(deps, actor, params.id, body),
  }),
});

const snoozeIncidentRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/binding-incidents/{id}/snooze',
  operationId: 'snoozeBindingIncident',
  summary: 'Postpone an incident',
  description:
    'The incident opens again at `until`, which is at most a year away, unless the item returns or the incident is ' +
    'closed before.',
  tags,
  permission: 'incidents.manage',
  params: IdParams,
  body: Strict({ until: Type.String({ format: 'date-time' }), version: Type.Optional(Version) }),
  responses: { 200: Incident },
  problems,
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await snoozeIncident(deps, actor, params.id, body),
  }),
});

export const incidentRoutes = [listIncidentsRoute, getIncidentRoute, dismissIncidentRoute, snoozeIncidentRoute];
