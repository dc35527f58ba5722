import { changes, type Reading, type WatchPauses } from './changes.ts';
import type { AdminApi, EventList, ListEventsParams, PublicEvent } from './generated/admin.ts';

export type { EventList, PublicEvent } from './generated/admin.ts';
export type EventType = PublicEvent['type'];

/** The events of one type: `EventOf<'order.accepted'>`. */
export type EventOf<Type extends EventType> = Extract<PublicEvent, { type: Type }>;

export type WatchEventsOptions = WatchPauses &
  Pick<ListEventsParams, 'organization_id' | 'types'> & {
    /** The id of the last event that was handled. 0 begins with the oldest event. */
    after: number;
  };

const EVERY_MS = 5_000;
const LARGEST_PAGE = 1_000;

/**
 * Yields the events after `after`, at once and as they occur, in pages of at most 1,000. Store
 * `after` of a page together with the effects of its events, and pass it after a restart. If
 * `oldestId` exceeds the previous `after` plus 1, events between them were deleted. Failures are
 * handled as by `watchMenu`.
 *
 * @throws ProblemError if the server rejects the request itself, for example without permission
 */
export async function* watchEvents(
  api: Pick<AdminApi, 'listEvents'>,
  {
    after: first,
    types,
    organization_id,
    intervalMs = EVERY_MS,
    onFailure,
    ...call
  }: WatchEventsOptions,
): AsyncGenerator<EventList, void, undefined> {
  const filter = {
    ...(types === undefined ? {} : { types }),
    ...(organization_id === undefined ? {} : { organization_id }),
  };

  let after = first;
  const read = async (): Promise<Reading<EventList>> => {
    const { data } = await api.listEvents({ ...filter, after, limit: LARGEST_PAGE }, call);
    after = data.after;
    if (data.items.length === 0) return { found: null };
    return { found: data, ...(data.items.length === LARGEST_PAGE ? { nextInMs: 0 } : {}) };
  };

  yield* changes(read, null, { intervalMs, onFailure, call });
}
