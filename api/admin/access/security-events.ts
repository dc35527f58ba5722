import { Type } from 'typebox';
import { listSecurityEvents } from '../../../modules/access/security-events.ts';
import { CursorPage, Id, Strict, Words } from '../../../kernel/pure/schemas.ts';
import {
  SECURITY_EVENT_KINDS,
  SecurityEvent,
} from '../../../modules/access/schemas/security-events.ts';
import { defineRoute } from '../../http/route.ts';
import { cursorQuery, sortQuery, toCursorPage } from '../../http/schemas.ts';

const Moment = Type.String({ format: 'date-time' });

export const securityEventsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/security-events',
  operationId: 'listSecurityEvents',
  summary: 'Security events',
  description:
    'Lists rejected sign-ins, requests and webhook calls, and sign-ins in new browsers, the newest first. They are kept for 90 days; of ' +
    'one kind from one address at most 60 an hour.',
  tags: ['Audit'],
  permission: 'audit.read',
  query: Strict({
    ...cursorQuery,
    ...sortQuery(['occurredAt', 'kind']),
    kind: Type.Optional(Words(SECURITY_EVENT_KINDS)),
    user_id: Type.Optional(Id),
    from: Type.Optional({ ...Moment, description: 'Keeps events from this moment on.' }),
    to: Type.Optional({ ...Moment, description: 'Keeps events before this moment.' }),
  }),
  responses: { 200: CursorPage(SecurityEvent) },
  handler: async ({ query }, deps) => {
    const { kind, user_id: userId, from, to } = query;
    return {
      status: 200,
      body: await listSecurityEvents(deps, { kind, userId, from, to }, toCursorPage(query)),
    };
  },
});
