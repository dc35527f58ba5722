import { StaffEvents } from '../../../modules/sync-status/schemas/staff-stream.ts';
import { bearerToken } from '../../http/access/guard.ts';
import { STREAM_HEADERS } from '../../http/live/event-streams.ts';
import { defineRoute } from '../../http/route.ts';

export const staffStreamRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/stream',
  operationId: 'streamStaff',
  summary: 'Changes for staff as they happen',
  description:
    'Server-sent events of what the caller may read, limited to their restaurants. `snapshot` follows the opening and has the open ' +
    '`notifications`, running `runs`, open `incidents` (the newest 100 of each), `busyModes` and `work`, the answer of ' +
    '`GET /work`. Then each change is a message: `event` is a public event as in `GET /events`. `notification`, `run`, ' +
    '`incident` and `busy` have the main fields of the lists and are also sent when they end; a busy mode that ended has `until` null. ' +
    '`work` is sent when a count changes, within 5 seconds. A client that connects again sends `Last-Event-ID`: it receives ' +
    'each event since, then a new `snapshot`. Events need `events.read` or the permission of their subject. The stream ' +
    'ends within 5 seconds after the session or the API key ends, or the permissions or restaurants change. ' +
    'A comment follows every 15 seconds without messages.',
  tags: ['Work'],
  permission: 'staff',
  restaurants: 'LISTED',
  responses: { 200: StaffEvents },
  mediaType: 'text/event-stream',
  problems: ['unavailable'],
  handler: async ({ actor, headers, clientAddress: address }, { staffStreams }) => {
    const { sessionId, permissions, scope } = actor;
    const token = sessionId === null ? bearerToken(headers.authorization) : undefined;
    const lastEventId = headers['last-event-id']?.toString();
    const reader = { permissions, scope };
    const stream = await staffStreams.open({ reader, sessionId, token, address, lastEventId });

    return { status: 200, body: stream as unknown as string, headers: STREAM_HEADERS };
  },
});
