import { Type } from 'typebox';
import { OrganizationId, Strict } from '../../../kernel/pure/schemas.ts';
import { listEvents } from '../../../modules/events/list-events.ts';
import { EventList, EventTypeName } from '../../../modules/events/schemas/events.ts';
import { defineRoute } from '../../http/route.ts';

export const eventsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/events',
  restaurants: 'LISTED',
  operationId: 'listEvents',
  summary: 'Events in commit order',
  description:
    'Send the `after` of the answer with the next request. No event appears later with a lower `id` than one that ' +
    'was returned, so a reader of the list misses none. Events are kept for 28 days.',
  tags: ['Events'],
  permission: 'events.read',
  query: Strict({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'The id of the last event that you have; 0 starts with the oldest one.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        default: 100,
        description: 'Largest number of events.',
      }),
    ),
    types: Type.Optional(
      Type.Array(EventTypeName, { description: 'Types of events, repeated for several.' }),
    ),
    organization_id: Type.Optional(OrganizationId),
  }),
  responses: { 200: EventList },
  handler: async ({ query, actor: { scope } }, { db }) => ({
    status: 200,
    body: await listEvents(db, {
      after: query.after ?? 0,
      limit: query.limit ?? 100,
      types: query.types,
      organizationIds:
        query.organization_id === undefined ? (scope ?? undefined) : [query.organization_id],
    }),
  }),
});
