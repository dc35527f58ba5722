import type { Database, Sql } from '../../platform/db/database.ts';
import { anyOf } from '../../platform/db/database.ts';
import { numberEvents } from './number-events.ts';
import type { EventList, EventType, PublicEventView } from './schemas/events.ts';

/** `after`: id of the last event that the caller has. Absent filters match every event. */
export type EventFilter = {
  after: number;
  limit: number;
  types?: readonly EventType[] | undefined;
  organizationIds?: readonly number[] | undefined;
};

/** Returns events after an id, ascending (rules EVT-3, EVT-5). */
export async function listEvents(db: Database, filter: EventFilter): Promise<EventList> {
  await numberEvents(db);
  const newest = await newestEventId(db);
  const items = await readEvents(db, filter);
  const oldest = await db.db
    .selectFrom('public_event')
    .select('id')
    .where('id', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

  // The list covers all events up to the newest one, even those that the filter excludes.
  const isWhole = items.length < filter.limit;
  const after = isWhole ? Math.max(filter.after, newest, items.at(-1)?.id ?? 0) : items.at(-1)!.id;

  return { items, after, oldestId: oldest?.id ?? null };
}

export async function newestEventId({ db }: Sql): Promise<number> {
  const newest = await db
    .selectFrom('public_event')
    .select('id')
    .where('id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

  return newest?.id ?? 0;
}

export async function readEvents(
  { db }: Sql,
  { after, limit, types, organizationIds }: EventFilter,
): Promise<PublicEventView[]> {
  const rows = await db
    .selectFrom('public_event')
    .select(['id', 'type', 'version', 'occurredAt', 'organizationId', 'subject', 'data'])
    .where('id', '>', after)
    .$if(types !== undefined, (query) => query.where('type', '=', anyOf(types!, 'text')))
    .$if(organizationIds !== undefined, (query) =>
      query.where('organizationId', '=', anyOf(organizationIds!)),
    )
    .orderBy('id')
    .limit(limit)
    .execute();

  return rows.map((row) => ({ ...row, id: row.id! }));
}
