import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { GuestLanguage } from '../../../kernel/guest-language.ts';
import { inStaffLanguage, staffLanguage } from '../../../kernel/staff-text.ts';
import type { KnownKeys } from '../../../modules/access/api-keys/known-keys.ts';
import { readProfiles, type ProfileDeps } from '../../../modules/access/profile.ts';
import type { Reader } from '../../../modules/sync-status/read-work.ts';
import type { Work } from '../../../modules/sync-status/schemas/work.ts';
import type { StaffFeed } from '../../../modules/sync-status/staff-feed/staff-feed.ts';
import type { StaffItem } from '../../../modules/sync-status/staff-feed/staff-items.ts';
import type { Database } from '../../../platform/db/database.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import { eventsText, firstText, type EventStreams } from './event-streams.ts';

export type StaffRequest = {
  reader: Reader;
  /** Null for an API key (`token`). */
  sessionId: string | null;
  token: string | undefined;
  address: string;
  lastEventId: string | undefined;
};

/** Rules EVT-43 to EVT-46. */
export type StaffStreams = {
  /**
   * Opens a stream: missed events, open work, then changes.
   * @throws Problem like `EventStreams.add`.
   */
  open(request: StaffRequest): Promise<Readable>;
  stop(): Promise<void>;
};

export type StaffStreamsDeps = {
  db: Database;
  env: ProfileDeps['env'];
  log: Log;
  feed: StaffFeed;
  streams: EventStreams;
  apiKeys: KnownKeys;
};

/** Shared by streams with the same permissions, restaurants and language. */
type Room = { reader: Reader; language: GuestLanguage; streams: Set<PassThrough>; work: string };

type Listener = Pick<StaffRequest, 'sessionId' | 'token'> & {
  stream: PassThrough;
  language: GuestLanguage;
  roomKey: string;
};

/** Rule EVT-45. */
const CHECK_EVERY_MS = 5_000;

const buildRoomKey = ({ permissions, scope }: Reader, language: GuestLanguage): string =>
  JSON.stringify([permissions.toSorted(), scope?.toSorted((a, b) => a - b) ?? null, language]);

/** Creates the streams of a process, which share their database reads. */
export function createStaffStreams(deps: StaffStreamsDeps, checkMs = CHECK_EVERY_MS): StaffStreams {
  const { log, feed, streams, apiKeys } = deps;
  const rooms = new Map<string, Room>();
  const listeners = new Set<Listener>();
  let unwatch: (() => void) | null = null;
  let checking: Promise<void> | null = null;

  const timer = setInterval(() => {
    if (listeners.size === 0) return;
    checking ??= check()
      .catch((error: unknown) =>
        log.warn({ error: loggable(error) }, 'the access of streams could not be checked'),
      )
      .finally(() => (checking = null));
  }, checkMs);

  timer.unref();

  async function check(): Promise<void> {
    const sessionIds = [...listeners].flatMap(({ sessionId }) => sessionId ?? []);
    const profiles = await readProfiles(deps, [...new Set(sessionIds)]);

    for (const listener of listeners) {
      const { stream, sessionId, token, roomKey, language } = listener;
      const access =
        sessionId === null
          ? await apiKeys.find(token ?? '', 'ADMIN')
          : (profiles.get(sessionId) ?? { refused: true });

      const isSame =
        !('refused' in access) &&
        buildRoomKey(
          { permissions: access.permissions, scope: access.organizationIds },
          language,
        ) === roomKey;
      if (!isSame) stream.end();
    }
  }

  function changed(items: readonly StaffItem[]): void {
    for (const room of rooms.values()) {
      const text = inStaffLanguage(room.language, () => changesFor(room, items));
      if (text !== '') streams.broadcast(room.streams, text);
    }
  }

  function changesFor(room: Room, items: readonly StaffItem[]): string {
    const work = feed.work(room.reader);
    const counts = serializeCounts(work);
    const readable = items.filter((item) => item.isFor(room.reader));
    const others = readable
      .filter(({ kind }) => kind !== 'event')
      .map(({ kind, data }) => toMessage(kind, data));
    if (counts !== room.work) others.push(toMessage('work', work));
    room.work = counts;

    return eventTexts(readable) + eventsText(String(feed.position()), others);
  }

  /** Joins the room in the same turn as the last missed event. */
  async function start(
    { stream, roomKey, language }: Listener,
    reader: Reader,
    lastEventId: number | null,
  ): Promise<void> {
    let position = await findStart(lastEventId);

    while (position < feed.position()) {
      const events = await feed.eventsAfter(position);
      if (!isOpen(stream)) return;
      stream.write(eventTexts(events.filter((event) => event.isFor(reader))));
      position = events.at(-1)?.id ?? feed.position();
      if (stream.writableNeedDrain)
        await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    }

    if (!isOpen(stream)) return;
    const snapshot = feed.snapshot(reader);
    const room = rooms.get(roomKey) ?? {
      reader,
      language,
      streams: new Set(),
      work: serializeCounts(snapshot.work),
    };

    rooms.set(roomKey, room);
    room.streams.add(stream);
    stream.write(eventsText(String(feed.position()), [toMessage('snapshot', snapshot)]));
  }

  /** A client may be ahead of this process. */
  async function findStart(lastEventId: number | null): Promise<number> {
    if (lastEventId !== null && lastEventId > feed.position()) await feed.refresh();
    return Math.min(lastEventId ?? Infinity, feed.position());
  }

  function leave(listener: Listener): void {
    listeners.delete(listener);
    const room = rooms.get(listener.roomKey);
    room?.streams.delete(listener.stream);
    if (room?.streams.size === 0) rooms.delete(listener.roomKey);
    if (listeners.size > 0) return;
    unwatch?.();
    unwatch = null;
  }

  return {
    async open({ reader, sessionId, token, address, lastEventId }) {
      const stream = new PassThrough();
      streams.add('staff', stream, address);
      const language = staffLanguage();
      const listener = {
        stream,
        language,
        roomKey: buildRoomKey(reader, language),
        sessionId,
        token,
      };

      listeners.add(listener);
      stream.once('close', () => leave(listener));
      unwatch ??= feed.watch(changed);

      try {
        await feed.ready();
      } catch (error) {
        stream.destroy();
        throw error;
      }

      stream.write(firstText());
      start(listener, reader, parseNumber(lastEventId)).catch((error: unknown) => {
        log.warn({ error: loggable(error) }, 'a stream of staff could not start');
        stream.destroy();
      });

      return stream;
    },
    async stop() {
      clearInterval(timer);
      await checking;
      await feed.stop();
    },
  };
}

const isOpen = (stream: PassThrough): boolean => !stream.destroyed && !stream.writableEnded;

const toMessage = (type: string, data: unknown) => ({ type, data: JSON.stringify(data) });

const eventTexts = (items: readonly StaffItem[]): string =>
  items
    .filter(({ kind }) => kind === 'event')
    .map(({ id, data }) => eventsText(String(id), [toMessage('event', data)]))
    .join('');

/** Returns null for an invalid id. The stream then begins with the next event. */
const parseNumber = (lastEventId = ''): number | null =>
  /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;

/** Without ages, which change every second. */
const serializeCounts = ({ kinds }: Work): string =>
  JSON.stringify(kinds.map(({ kind, count }) => [kind, count]));
