import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Documents } from '../../../modules/menus/storefront/documents.ts';
import type { MenuStore, ServedMenu } from '../../../modules/menus/storefront/menu-store.ts';
import { Problem } from '../../../kernel/problem.ts';
import { loggable } from '../../../platform/log.ts';
import { readCaller } from '../caller.ts';
import { problemOfError } from '../problems/error-problem.ts';
import {
  eventsText,
  firstText,
  STREAM_HEADERS,
  type EventStreams,
  type StreamedEvent,
} from './event-streams.ts';
import { createHotAnswers, type HotExchange } from '../hot/hot-answers.ts';
import { fillRequestHeaders, uncachedHeaders } from '../hot/hot-headers.ts';
import { createHotMetrics } from '../hot/hot-metrics.ts';
import type { HotPathDeps } from '../hot/hot-path.ts';
import { readHotHeaders } from '../hot/hot-request.ts';
import { resolveTarget } from '../hot/hot-target.ts';
import { isTooLong } from '../limits/request-limits.ts';
import { chooseRequestId } from '../request-id.ts';
import type { HotPath } from '../server.ts';

export type MenuStreamDeps = HotPathDeps & {
  store: Pick<MenuStore, 'watch'>;
  streams: EventStreams;
};

/** Streams of a menu, and the state in their last event. */
type Room = { streams: Set<ServerResponse>; revision: number; availability: string };

const PATH = '/api/v1/stream';
const READ = { path: PATH, route: 'GET /stream' } as const;

/**
 * Serves `GET /api/v1/stream` before Koa (rule HTTP-56). A current `Last-Event-ID` skips the
 * state. Returns false for everything else.
 */
export function createMenuStream(deps: MenuStreamDeps): { handle: HotPath; stop: () => void } {
  const { store, env, limits, log, metrics, streams } = deps;
  const counts = createHotMetrics(metrics);
  const answers = createHotAnswers(env, counts);
  const rooms = new Map<ServedMenu, Room>();

  store.watch((menu) => {
    const room = rooms.get(menu);
    if (room === undefined) return;
    const { documents } = menu;
    if (documents === null) {
      for (const stream of room.streams) stream.end();
      return;
    }

    const text = changes(room, menu.erpId, documents);
    if (text !== '') streams.broadcast(room.streams, text);
    Object.assign(room, pickState(documents));
  });

  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !isStream(url)) return false;
    const caller = readCaller(request, env.TRUST_PROXY);
    const { counter, budget } = limits.count('public', caller);
    const headers = readHotHeaders(request.rawHeaders);
    const id = chooseRequestId(headers.requestId);
    const exchange: HotExchange = { request, response, read: READ, headers, id, counter, budget };
    if (budget !== null && !budget.allowed) answers.refuse(exchange, new Problem('rate-limited'));
    else if (isTooLong(url)) answers.refuse(exchange, new Problem('uri-too-long'));
    else void open(exchange, url, caller.address);

    return true;
  }

  /** Never rejects. */
  async function open(exchange: HotExchange, url: string, address: string): Promise<void> {
    try {
      const target = resolveTarget(url, store);
      if ('problem' in target) throw target.problem;
      const known = 'menu' in target ? target.menu : undefined;
      if (known?.documents == null)
        await store.load(known?.erpId ?? (target as { erpId: string }).erpId);
      const menu = known ?? store.find((target as { erpId: string }).erpId);
      if (menu?.documents == null) throw new Problem('unavailable');
      if (!exchange.response.destroyed) send(exchange, menu, menu.documents, address);
    } catch (error) {
      const { problem, fault } = problemOfError(error);
      if (fault)
        log.error(
          { requestId: exchange.id, kind: problem.kind, error: loggable(error) },
          'a stream failed',
        );
      answers.refuse(exchange, problem);
    }
  }

  function send(
    exchange: HotExchange,
    menu: ServedMenu,
    documents: Documents,
    address: string,
  ): void {
    const { request, response, counter } = exchange;
    const isHead = request.method === 'HEAD';
    if (!isHead) streams.add('menu', response, address);
    const headers = uncachedHeaders(
      { type: 'text/event-stream; charset=utf-8', extra: STREAM_HEADERS },
      counter,
      env,
    );

    response.writeHead(200, fillRequestHeaders(headers, exchange, env));
    counts.count(READ.route, 200);
    if (isHead) {
      response.end();
      return;
    }

    const isCurrent = request.headers['last-event-id'] === eventId(documents);
    response.write(firstText() + (isCurrent ? '' : changes(null, menu.erpId, documents)));
    join(menu, documents, response);
  }

  function join(menu: ServedMenu, documents: Documents, response: ServerResponse): void {
    const room = rooms.get(menu) ?? { streams: new Set(), ...pickState(documents) };
    rooms.set(menu, room);
    room.streams.add(response);
    response.once('close', () => {
      room.streams.delete(response);
      if (room.streams.size === 0) rooms.delete(menu);
    });
  }

  return { handle, stop: () => counts.stop() };
}

const isStream = (url: string): boolean => url === PATH || url.startsWith(`${PATH}?`);

const pickState = ({
  revision,
  availability,
}: Documents): Pick<Room, 'revision' | 'availability'> => ({
  revision,
  availability: availability.etag,
});

const eventId = ({ revision, availability }: Documents): string =>
  `${revision}-${availability.etag.replaceAll(/\W/g, '')}`;

/** Returns all events without an earlier state. */
function changes(
  from: Omit<Room, 'streams'> | null,
  organizationId: string,
  documents: Documents,
): string {
  const { revision, availability } = documents;
  const events: StreamedEvent[] = [];
  if (from?.revision !== revision)
    events.push({ type: 'menu', data: JSON.stringify({ organizationId, revision }) });
  if (from?.availability !== availability.etag)
    events.push({ type: 'availability', data: availability.identity.toString('utf8') });

  return eventsText(eventId(documents), events);
}
