import { json, type Sql, type Statements } from '../../platform/db/database.ts';
import { EVENTS, type EventData, type EventType } from './schemas/events.ts';

/** `id`: of the subject. `organizationId`: null if it has none. */
export type NewEvent<T extends EventType> = {
  id: number | string;
  organizationId: number | null;
  data: EventData<T>;
};

/**
 * Records public events in the caller's transaction (rule EVT-2). Call it while the subject is
 * locked, so that its events are in order (rule EVT-4).
 */
export async function recordEvents<T extends EventType>(
  tx: Sql,
  type: T,
  events: readonly NewEvent<T>[],
): Promise<void> {
  if (events.length > 0) await eventRows(type, events)(tx.db).execute();
}

/** Like {@link recordEvents}, as part of another statement. */
export function eventRows<T extends EventType>(type: T, events: readonly NewEvent<T>[]) {
  const { version, subject } = EVENTS[type];
  return (db: Statements) =>
    db.insertInto('public_event').values(
      events.map(({ id, organizationId, data }) => ({
        type,
        version,
        organizationId,
        subject: `${subject}/${id}`,
        data: json(data as Record<string, unknown>),
      })),
    );
}
