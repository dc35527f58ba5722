import type { Database } from '../../../platform/db/database.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import { newestEventId, readEvents } from '../../events/list-events.ts';
import { numberEvents } from '../../events/number-events.ts';
import { listKinds, readWorkGroups, type Reader, type WorkGroup } from '../read-work.ts';
import type { Work, WorkKind } from '../schemas/work.ts';
import {
  eventItem,
  loadItems,
  readStateKeys,
  type StaffItem,
  type StateItem,
  type StateKey,
  type StateKind,
} from './staff-items.ts';

/** First message of a stream, with everything open for a reader. */
export type StaffSnapshot = Record<
  'notifications' | 'runs' | 'incidents' | 'busyModes',
  StaffItem['data'][]
> & {
  work: Work;
};

/**
 * Changes for all streams of a process (EVT-46). Reads the database once a second while a stream is
 * open.
 */
export type StaffFeed = {
  /** Calls `changed` with the items of each read. Returns a function that stops the calls. */
  watch(changed: (items: readonly StaffItem[]) => void): () => void;
  /** Resolves as soon as the state is in memory. */
  ready(): Promise<void>;
  refresh(): Promise<void>;
  /** Number of the last event passed to `changed`. */
  position(): number;
  /** Returns events after a number and up to the position. */
  eventsAfter(id: number): Promise<readonly StaffItem[]>;
  snapshot(reader: Reader): StaffSnapshot;
  /** Returns the counts of `GET /work` from memory. */
  work(reader: Reader): Work;
  stop(): Promise<void>;
};

type State = {
  position: number;
  /** Items for streams that resume. */
  recent: readonly StaffItem[];
  items: Map<string, StateItem>;
  groups: readonly WorkGroup[];
  groupsReadAt: number;
};

const READ_EVERY_MS = 1_000;
/** Counting costs more than reading states. */
const COUNT_EVERY_MS = 5_000;
const EVENTS_PER_READ = 1_000;
const RECENT_EVENTS = 1_000;
/** Newest items per kind. */
const MOST_IN_SNAPSHOT = 100;

const keyOf = ({ kind, id }: Pick<StateKey, 'kind' | 'id'>): string => `${kind}/${id}`;

/** Creates the feed, which reads nothing without watchers. */
export function createStaffFeed(
  { db, log }: { db: Database; log: Log },
  everyMs = READ_EVERY_MS,
): StaffFeed {
  const watchers = new Set<(items: readonly StaffItem[]) => void>();
  let state: State | null = null;
  let reading: Promise<void> | null = null;

  /** Concurrent calls share one read. */
  function read(): Promise<void> {
    reading ??= advance().finally(() => (reading = null));
    return reading;
  }

  async function advance(): Promise<void> {
    await numberEvents(db);
    const before = state ?? (await emptyState(db));
    const events = (await readEvents(db, { after: before.position, limit: EVENTS_PER_READ })).map(
      eventItem,
    );
    const { changed, removed } = await changedStates(db, before.items);
    const isCountDue = performance.now() - before.groupsReadAt >= COUNT_EVERY_MS;
    const groups = isCountDue ? await readWorkGroups(db) : before.groups;
    const items = new Map(before.items);
    for (const item of changed) items.set(keyOf(item), item);
    for (const key of removed) items.delete(key);
    state = {
      position: events.at(-1)?.id ?? before.position,
      recent: [...before.recent, ...events].slice(-RECENT_EVENTS),
      items,
      groups,
      groupsReadAt: isCountDue ? performance.now() : before.groupsReadAt,
    };

    for (const watcher of watchers) watcher([...events, ...changed]);
  }

  const timer = setInterval(() => {
    if (watchers.size === 0) state = null;
    else
      read().catch((error: unknown) => {
        log.warn({ error: loggable(error) }, 'the changes for streams of staff could not be read');
      });
  }, everyMs);

  timer.unref();

  function current(): State {
    if (state === null) throw new Error('The feed of staff is not ready');
    return state;
  }

  function openItems(kind: StateKind, reader: Reader): StateItem[] {
    return [...current().items.values()].filter(
      (item) => item.kind === kind && item.isOpen && item.isFor(reader),
    );
  }

  function work(reader: Reader): Work {
    const notifications = openItems('notification', reader).map(({ data }) => ({
      count: 1,
      oldestAt: data['raisedAt'] as Date,
    }));

    const ofKind = (kind: WorkKind) =>
      kind === 'NOTIFICATIONS'
        ? notifications
        : current().groups.filter((group) => group.kind === kind && isShared(group, reader));

    return { kinds: listKinds(reader).map((kind) => ({ kind, ...sumGroups(ofKind(kind)) })) };
  }

  return {
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    ready: async () => (state === null ? read() : undefined),
    async refresh() {
      await reading;
      await read();
    },
    position: () => current().position,
    async eventsAfter(id) {
      const { position, recent } = current();
      if (id >= position) return [];
      if (recent.length > 0 && recent[0]!.id <= id + 1)
        return recent.filter((event) => event.id > id);
      const events = await readEvents(db, { after: id, limit: EVENTS_PER_READ });

      return events.filter((event) => event.id <= position).map(eventItem);
    },
    snapshot(reader) {
      const newest = (kind: StateKind) =>
        openItems(kind, reader)
          .toSorted((a, b) => b.id - a.id)
          .slice(0, MOST_IN_SNAPSHOT)
          .map(({ data }) => data);

      return {
        notifications: newest('notification'),
        runs: newest('run'),
        incidents: newest('incident'),
        busyModes: openItems('busy', reader).map(({ data }) => data),
        work: work(reader),
      };
    },
    work,
    async stop() {
      clearInterval(timer);
      await reading?.catch(() => undefined);
    },
  };
}

const emptyState = async (db: Database): Promise<State> => ({
  position: await newestEventId(db),
  recent: [],
  items: new Map(),
  groups: [],
  groupsReadAt: -Infinity,
});

async function changedStates(
  db: Database,
  before: ReadonlyMap<string, StateItem>,
): Promise<{ changed: StateItem[]; removed: string[] }> {
  const keys = new Map((await readStateKeys(db)).map((state) => [keyOf(state), state]));
  const changed = [...keys]
    .filter(([name, { key }]) => before.get(name)?.key !== key)
    .map(([, state]) => state);
  const removals = [...before].filter(([name]) => !keys.has(name));
  // Ended runs were already sent when they ended.
  const ended = removals
    .filter(([, { isOpen }]) => isOpen)
    .map(([, item]) => ({ ...pickState(item), isOpen: false }));

  return {
    changed: await loadItems(db, [...changed, ...ended]),
    removed: removals.map(([name]) => name),
  };
}

const pickState = ({ kind, id, key, isOpen }: StateItem): StateKey => ({ kind, id, key, isOpen });

const isShared = ({ organizationIds }: WorkGroup, { scope }: Reader): boolean =>
  scope === null || organizationIds === null || organizationIds.some((id) => scope.includes(id));

function sumGroups(groups: readonly Pick<WorkGroup, 'count' | 'oldestAt'>[]) {
  const oldest = Math.min(...groups.map(({ oldestAt }) => oldestAt.getTime()));
  const isOpen = groups.length > 0;

  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    oldestAt: isOpen ? new Date(oldest) : null,
    oldestAgeSeconds: isOpen ? Math.max(0, Math.floor((Date.now() - oldest) / 1_000)) : null,
  };
}
