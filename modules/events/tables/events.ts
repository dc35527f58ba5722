import { defineEntity, p } from '@mikro-orm/core';
import type { EventType } from '../schemas/events.ts';

export const PublicEvent = defineEntity({
  name: 'PublicEvent',
  tableName: 'public_event',
  properties: {
    /** Order of insertion, which is the order of commits for one subject only. */
    seq: p.bigint('number').primary().autoincrement(),
    /** Place in the public list; null until the event is numbered. */
    id: p.bigint('number').nullable().unique(),
    type: p.text().$type<EventType>(),
    version: p.integer(),
    occurredAt: p.datetime().defaultRaw('now()'),
    organizationId: p.bigint('number').nullable(),
    subject: p.text(),
    data: p.json<Record<string, unknown>>(),
  },
});
