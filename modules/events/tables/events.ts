import { defineEntity, p } from '@mikro-orm/core';
import type { EventType } from '../schemas/events.ts';

export const PublicEvent = defineEntity({
  name: 'PublicEvent',
  tableName: 'public_event',
  properties: {
    /** Insertion order, which equals commit order only within a subject. */
    seq: p.bigint('number').primary().autoincrement(),
    /** Position in the public list; null until numbered. */
    id: p.bigint('number').nullable().unique(),
    type: p.text().$type<EventType>(),
    version: p.integer(),
    occurredAt: p.datetime().defaultRaw('now()'),
    organizationId: p.bigint('number').nullable(),
    subject: p.text(),
    data: p.json<Record<string, unknown>>(),
  },
});
