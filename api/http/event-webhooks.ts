import { EVENTS, EVENT_SCHEMAS, EVENT_TYPES } from '../../modules/events/schemas/events.ts';
import type { DocumentSchemas } from './document-schemas.ts';

/**
 * The section `webhooks` of the API description: one request for each type of event (rule EVT-1).
 */
export function eventWebhooks(schemas: DocumentSchemas): Record<string, unknown> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `event.${type}`,
          summary: EVENTS[type].title,
          description:
            'The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` follow Standard Webhooks. The ' +
            'header `webhook-id` is the same for each attempt and identifies the event.',
          tags: ['Events'],
          security: [],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.show(EVENT_SCHEMAS[type]) } },
          },
          responses: {
            200: { description: 'Accepted. Any other 2xx status is accepted too; others are retried.' },
            410: { description: 'The receiver no longer exists. The endpoint is disabled.' },
          },
        },
      },
    ]),
  );
}
