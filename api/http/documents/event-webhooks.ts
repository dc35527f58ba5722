import type { TSchema } from 'typebox';
import {
  EVENTS,
  EVENT_SCHEMAS,
  EVENT_TYPES,
  TestEvent,
} from '../../../modules/events/schemas/events.ts';
import type { DocumentSchemas } from './document-schemas.ts';

const SIGNED =
  'The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` follow Standard Webhooks. The header ' +
  '`webhook-id` is the same for each attempt and identifies the event.';

const RETRIED = {
  200: { description: 'Accepted. Any other 2xx status is accepted too; others are retried.' },
  410: { description: 'The receiver no longer exists. The endpoint is disabled.' },
};

/** Returns the `webhooks` section (rules EVT-1, EVT-15). */
export function eventWebhooks(schemas: DocumentSchemas): Record<string, unknown> {
  const webhook = (
    type: string,
    summary: string,
    schema: TSchema,
    text: string,
    responses: object,
  ) => [
    type,
    {
      post: {
        operationId: `event.${type}`,
        summary,
        description: text,
        tags: ['Events'],
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemas.show(schema) } },
        },
        responses,
      },
    },
  ];

  return Object.fromEntries([
    ...EVENT_TYPES.map((type) =>
      webhook(type, EVENTS[type].title, EVENT_SCHEMAS[type], SIGNED, RETRIED),
    ),
    webhook(
      'test',
      'A test message',
      TestEvent,
      'Sent by `POST /webhook-endpoints/{id}/test` only, and signed like an event. Its `id` is 0 and its `webhook-id` ' +
        'is different each time.',
      {
        200: {
          description:
            'Received. The result of the test shows any other status; nothing is repeated.',
        },
      },
    ),
  ]);
}
