import { Type } from 'typebox';
import { getIncident, listIncidents } from '../../../modules/binding/incident-views.ts';
import { dismissIncident, snoozeIncident } from '../../../modules/binding/settle-incident.ts';
import { bulkIncidents } from '../../../modules/binding/bulk-incidents.ts';
import {
  IncidentBulk,
  IncidentBulkResult,
} from '../../../modules/binding/schemas/incident-bulk.ts';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
} from '../../../modules/binding/rules/incident-states.ts';
import {
  Incident,
  IncidentDismissal,
  IncidentPostponement,
} from '../../../modules/binding/schemas/binding.ts';
import { CursorPage, Id, OrganizationId, Strict, Words } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { cursorQuery, IdParams, sortQuery, toCursorPage } from '../../http/schemas.ts';

const tags = ['Binding incidents'];
const problems = ['not-found', 'invalid-transition', 'version-conflict'] as const;

const listIncidentsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/binding-incidents',
  restaurants: 'SHARED',
  operationId: 'listBindingIncidents',
  summary: 'Binding incidents',
  description:
    'The newest incidents come first. Incidents are never deleted; closed ones stay in the list.',
  tags,
  permission: 'incidents.read',
  query: Strict({
    ...cursorQuery,
    ...sortQuery(['id', 'type', 'severity', 'status', 'detectedAt', 'closedAt']),
    status: Type.Optional(Words(INCIDENT_STATUSES)),
    severity: Type.Optional(Words(INCIDENT_SEVERITIES)),
    product_id: Type.Optional(Id),
    type: Type.Optional({ ...Words(INCIDENT_TYPES), description: 'Keeps incidents of this type.' }),
    organization_id: Type.Optional({
      ...OrganizationId,
      description:
        'Keeps incidents of dishes that this restaurant sells, or did when they were lost.',
    }),
    run_id: Type.Optional({
      ...Id,
      description: 'Keeps incidents that this import run has found.',
    }),
  }),
  responses: { 200: CursorPage(Incident) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listIncidents(db, {
      ...toCursorPage(query),
      status: query.status,
      severity: query.severity,
      productId: query.product_id,
      type: query.type,
      organizationId: query.organization_id,
      runId: query.run_id,
    }),
  }),
});

const getIncidentRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/binding-incidents/{id}',
  restaurants: 'SHARED',
  operationId: 'getBindingIncident',
  summary: 'One binding incident',
  description: 'Returns the last data of the lost item and the candidates for a replacement.',
  tags,
  permission: 'incidents.read',
  params: IdParams,
  responses: { 200: Incident },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getIncident(db, params.id) }),
});

const dismissIncidentRoute = defineRoute({
  api: 'admin',
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
  body: IncidentDismissal,
  responses: { 200: Incident },
  problems,
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await dismissIncident(deps, actor, params.id, body),
  }),
});

const snoozeIncidentRoute = defineRoute({
  api: 'admin',
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
  body: IncidentPostponement,
  responses: { 200: Incident },
  problems,
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await snoozeIncident(deps, actor, params.id, body),
  }),
});

const bulkIncidentsRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/binding-incidents/bulk',
  operationId: 'bulkBindingIncidents',
  summary: 'Close or postpone many incidents',
  description:
    'Name the incidents by `incidentIds` or by a `filter` of the list that matches at most 500. All are changed together; ' +
    'those that are closed in another way stay as they are and are listed in `failed`. `dryRun` returns the result and ' +
    'changes nothing.',
  tags,
  permission: 'incidents.manage',
  body: IncidentBulk,
  responses: { 200: IncidentBulkResult },
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: await bulkIncidents(deps, actor, body),
  }),
});

export const incidentRoutes = [
  listIncidentsRoute,
  getIncidentRoute,
  dismissIncidentRoute,
  snoozeIncidentRoute,
  bulkIncidentsRoute,
];
