import type { Writable } from 'node:stream';
import { Problem } from '../../../kernel/problem.ts';
import type { Env } from '../../../modules/env.ts';
import type { Metrics } from '../../../platform/metrics.ts';

export type StreamKind = 'menu' | 'order' | 'staff';

/** Rules HTTP-56 to HTTP-58. */
export type EventStreams = {
  /**
   * Adds a stream until it closes.
   * @throws Problem `rate-limited` (per address) or `unavailable` (per process).
   */
  add(kind: StreamKind, stream: Writable, address: string): void;
  /** Does not block other requests. */
  broadcast(streams: Iterable<Writable>, text: string): void;
  /** Clients reconnect to another process. */
  stop(): void;
};

export type EventStreamsDeps = {
  env: Pick<Env, 'STREAM_LISTENERS' | 'STREAMS_PER_ADDRESS'>;
  metrics: Pick<Metrics, 'openStreams' | 'slowStreams'>;
};

/** Proxies close streams after a silent minute. */
const HEARTBEAT_SECONDS = 15;
const HEARTBEAT = ':\n\n';
/** Streams written per turn of the event loop. */
const BATCH = 200;
/** A client with more unread bytes counts as disconnected. */
const MOST_UNREAD_BYTES = 65_536;
const RETRY_SECONDS = '30';

/** Prevents nginx from buffering. */
export const STREAM_HEADERS = { 'x-accel-buffering': 'no' } as const;

/** JSON in one line. */
export type StreamedEvent = { type: string; data: string };

/**
 * Returns the events of a change as text. Only the last has the id, because a client with an id
 * has everything up to it (rule HTTP-90).
 */
export const eventsText = (id: string, events: readonly StreamedEvent[]): string =>
  events
    .map(
      ({ type, data }, at) =>
        `event: ${type}\n${at === events.length - 1 ? `id: ${id}\n` : ''}data: ${data}\n\n`,
    )
    .join('');

/** Makes clients reconnect after a random 2 to 5 s. */
export const firstText = (): string => `retry: ${2_000 + Math.floor(Math.random() * 3_000)}\n\n`;

/** Creates the registry of streams. Sends each a heartbeat every 15 s, spread over the seconds. */
export function createEventStreams(
  { env, metrics }: EventStreamsDeps,
  secondMs = 1_000,
): EventStreams {
  const groups = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<Writable>());
  const ofAddress = new Map<string, number>();
  let count = 0;
  let opened = 0;
  let second = 0;
  let isStopping = false;
  const timer = setInterval(() => {
    second = (second + 1) % HEARTBEAT_SECONDS;
    for (const stream of groups[second]!) send(stream, HEARTBEAT);
  }, secondMs);

  timer.unref();

  function send(stream: Writable, text: string | Buffer): void {
    if (stream.destroyed || stream.writableEnded) return;
    if (stream.writableLength <= MOST_UNREAD_BYTES) {
      stream.write(text);
      return;
    }
    metrics.slowStreams.inc();
    stream.destroy();
  }

  function add(kind: StreamKind, stream: Writable, address: string): void {
    const headers = { 'Retry-After': RETRY_SECONDS };
    const before = ofAddress.get(address) ?? 0;
    if (before >= env.STREAMS_PER_ADDRESS)
      throw new Problem('rate-limited', {
        detail: 'This address has too many open event streams.',
        headers,
      });

    if (isStopping || count >= env.STREAM_LISTENERS)
      throw new Problem('unavailable', {
        detail: 'This server opens no more event streams now.',
        headers,
      });

    const group = groups[(opened += 1) % HEARTBEAT_SECONDS]!;
    group.add(stream);
    ofAddress.set(address, before + 1);
    count += 1;
    metrics.openStreams.inc({ kind });
    stream.once('close', () => {
      group.delete(stream);
      const openCount = ofAddress.get(address)! - 1;
      if (openCount === 0) ofAddress.delete(address);
      else ofAddress.set(address, openCount);
      count -= 1;
      metrics.openStreams.dec({ kind });
    });
  }

  function broadcast(streams: Iterable<Writable>, text: string): void {
    const [bytes, all] = [Buffer.from(text), [...streams]];
    const sendFrom = (from: number): void => {
      for (const stream of all.slice(from, from + BATCH)) send(stream, bytes);
      if (from + BATCH < all.length) setImmediate(sendFrom, from + BATCH);
    };
    sendFrom(0);
  }

  return {
    add,
    broadcast,
    stop() {
      isStopping = true;
      clearInterval(timer);
      for (const stream of groups.flatMap((group) => [...group])) stream.end();
    },
  };
}
