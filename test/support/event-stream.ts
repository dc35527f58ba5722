import { eventually } from './processes.ts';

export type StreamEvent = { event: string; id: string; data: unknown };

export type OpenStream = {
  status: number;
  headers: Headers;
  events: StreamEvent[];
  text: () => string;
  /** Resolves at `count` events or more. */
  until: (count: number) => Promise<StreamEvent[]>;
  ended: Promise<void>;
  close: () => void;
};

export async function openStream(
  url: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const abort = new AbortController();
  const answer = await fetch(url, { headers, signal: abort.signal });
  let text = '';
  const events: StreamEvent[] = [];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of answer.body ?? []) {
      const more = decoder.decode(bytes, { stream: true });
      text += more;
      const blocks = (rest + more).split('\n\n');
      rest = blocks.pop() ?? '';
      events.push(...blocks.flatMap(parseEvent));
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    text: () => text,
    until: (count) =>
      eventually(`${count} events`, async () => (events.length >= count ? events : undefined)),
    ended,
    close: () => abort.abort(),
  };
}

/** Parses a block. Comments and `retry` have no event. */
function parseEvent(block: string): StreamEvent[] {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  ) as Partial<Record<'event' | 'id' | 'data', string>>;
  const { event, id = '', data = 'null' } = fields;
  return event === undefined ? [] : [{ event, id, data: JSON.parse(data) as unknown }];
}
