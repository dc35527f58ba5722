import { pause } from './pause.ts';
import type { Answer, CallOptions, EventStream } from './transport.ts';

/**
 * `data` is parsed JSON. `id` is empty unless the event is the last one of a change: reconnect
 * with the last nonempty id.
 */
export type StreamEvent = { type: string; id: string; data: unknown };

/** The server sends at least a comment every 15 s. */
const LONGEST_SILENCE_MS = 40_000;

/**
 * Reads the events of a stream until it ends.
 *
 * @throws a `TimeoutError` after 40 s of silence, and errors of the stream
 */
export async function* eventsOf(
  stream: EventStream,
  silenceMs = LONGEST_SILENCE_MS,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';

  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';

      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns null for comments and for the reconnection delay. */
function parseEvent(block: string): StreamEvent | null {
  const fields = new Map<string, string>();

  for (const line of block.split('\n')) {
    const at = line.indexOf(': ');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2));
  }

  const [type, data] = [fields.get('event'), fields.get('data')];

  return type === undefined || data === undefined
    ? null
    : { type, id: fields.get('id') ?? '', data: JSON.parse(data) };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('The stream is silent.', 'TimeoutError')), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export type Listener = {
  /** Returns and removes the newest event, or null. */
  take(): StreamEvent | null;
  /** Waits for an event, at most `openMs` with an open stream and `closedMs` without. */
  wait(openMs: number, closedMs: number): Promise<void>;
  close(): void;
};

/** After an event, `headers` contain `Last-Event-ID`. */
export type OpenStream = (options: CallOptions) => Promise<Answer<EventStream>>;

/** Milliseconds until a lost stream is opened again, doubled after each further failure. */
const REOPEN_MS = 2_000;
const LONGEST_REOPEN_MS = 60_000;

/**
 * Keeps a stream open until it is closed or `signal` is aborted. It is closed while the page is
 * hidden: without HTTP/2 a browser has six connections to a server for all tabs.
 */
export function listen(open: OpenStream, { headers = {}, signal }: CallOptions): Listener {
  const closed = new AbortController();
  const ended = AbortSignal.any([closed.signal, ...(signal === undefined ? [] : [signal])]);
  let [event, lastId]: [StreamEvent | null, string | null] = [null, null];
  let [arrived, lost] = [new AbortController(), new AbortController()];
  let isOpen = false;

  async function read(): Promise<void> {
    const visible = new AbortController();
    const stopWatching = onVisibility(() => isHidden() && visible.abort());

    try {
      const last = lastId === null ? {} : { 'Last-Event-ID': lastId };
      const { data } = await open({
        headers: { ...headers, ...last },
        signal: AbortSignal.any([ended, visible.signal]),
      });

      lost = new AbortController();
      isOpen = true;

      for await (event of eventsOf(data)) {
        if (event.id !== '') lastId = event.id;
        arrived.abort();
      }
    } finally {
      stopWatching();
      isOpen = false;
      lost.abort();
    }
  }

  async function keepOpen(): Promise<void> {
    for (let failures = 0; !ended.aborted;) {
      while (isHidden() && !ended.aborted) await nextVisibility(ended);
      const before = lastId;
      // Without a stream, the caller polls and reports failures of the server.
      await read().catch(() => undefined);
      failures = before === lastId ? failures + 1 : 0;
      const longest = Math.min(REOPEN_MS * 2 ** failures, LONGEST_REOPEN_MS);
      await pause(longest / 2 + (Math.random() * longest) / 2, ended);
    }
  }

  void keepOpen();

  return {
    take() {
      const taken = event;
      event = null;
      arrived = new AbortController();
      return taken;
    },
    async wait(openMs, closedMs) {
      if (isOpen) await pause(openMs, AbortSignal.any([arrived.signal, lost.signal, ended]));
      if (!isOpen) await pause(closedMs, AbortSignal.any([arrived.signal, ended]));
    },
    close: () => closed.abort(),
  };
}

/** The parts of `document` in use. It is undefined outside browsers. */
type BrowserPage = Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
  visibilityState: string;
};
const page = (globalThis as { document?: BrowserPage }).document;

const isHidden = (): boolean => page?.visibilityState === 'hidden';

function onVisibility(changed: () => void): () => void {
  page?.addEventListener('visibilitychange', changed);
  return () => page?.removeEventListener('visibilitychange', changed);
}

function nextVisibility(ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stopWatching();
      ended.removeEventListener('abort', end);
      resolve();
    };
    const stopWatching = onVisibility(end);
    ended.addEventListener('abort', end);
  });
}
