import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Document } from '../../../modules/menus/storefront/documents.ts';
import type { MenuStore, ServedMenu } from '../../../modules/menus/storefront/menu-store.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Env } from '../../../modules/env.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { readCaller } from '../caller.ts';
import { problemOfError } from '../problems/error-problem.ts';
import { matchesEtag } from './kept-answer.ts';
import { createHotAnswers, type HotExchange } from './hot-answers.ts';
import { prepareAnswers, type PreparedAnswers } from './hot-headers.ts';
import { createHotMetrics } from './hot-metrics.ts';
import { chooseEncoding } from './hot-negotiation.ts';
import { readHotHeaders, type HotRequestHeaders } from './hot-request.ts';
import { findHotRead, resolveTarget, type HotRead } from './hot-target.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { isTooLong } from '../limits/request-limits.ts';
import { chooseRequestId } from '../request-id.ts';
import type { HotPath } from '../server.ts';

export type HotPathDeps = {
  store: Pick<MenuStore, 'find' | 'only' | 'load'>;
  env: Pick<Env, 'PUBLIC_ORIGINS' | 'TRUST_PROXY'>;
  limits: Pick<RateLimits, 'counter' | 'count'>;
  log: Log;
  metrics: Metrics;
};

/** Must not contain a document, which a URL requested once (`?revision=7`) would keep in memory. */
type Known = { read: HotRead; menu: ServedMenu };

type Exchange = HotExchange & { read: HotRead; headers: HotRequestHeaders };

/** Number of parsed URLs in memory. Others, such as cache-busting ones, are parsed each time. */
const KNOWN_LIMIT = 10_000;
const KNOWN_CHARACTERS = 200;

/**
 * Serves `GET` and `HEAD` of hot reads before Koa, without the database (rule STO-2). Returns
 * false for everything else.
 */
export function createHotPath(deps: HotPathDeps): { handle: HotPath; stop: () => void } {
  const { store, env, limits, log } = deps;
  const counts = createHotMetrics(deps.metrics);
  const { end, refuse } = createHotAnswers(env, counts);
  const cache = new Map<string, Known>();

  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const url = request.url ?? '';
    const hit = cache.get(url);
    const read = hit?.read ?? findHotRead(url);
    if (read === undefined) return false;
    const { counter, budget } = limits.count(read.limit, readCaller(request, env.TRUST_PROXY));
    const headers = readHotHeaders(request.rawHeaders);
    const exchange = {
      request,
      response,
      read,
      headers,
      id: chooseRequestId(headers.requestId),
      counter,
      budget,
    };

    if (budget !== null && !budget.allowed) refuse(exchange, new Problem('rate-limited'));
    // A menu that is no longer served has no documents, so its URL is parsed again.
    else if (hit?.menu.documents != null)
      send(exchange, prepared(read.document(hit.menu.documents), read));
    else if (isTooLong(url)) refuse(exchange, new Problem('uri-too-long'));
    else answer(exchange, url);

    return true;
  }

  function answer(exchange: Exchange, url: string): void {
    const target = resolveTarget(url, store);
    if ('problem' in target) refuse(exchange, target.problem);
    else if ('erpId' in target) void answerLater(exchange, target.erpId);
    else if (target.menu.documents === null) void answerLater(exchange, target.menu.erpId);
    else {
      const { read } = exchange;
      if (target.isNamed) remember(url, { read, menu: target.menu });
      send(exchange, prepared(read.document(target.menu.documents), read));
    }
  }

  function remember(url: string, entry: Known): void {
    if (url.length > KNOWN_CHARACTERS) return;
    if (cache.size >= KNOWN_LIMIT) cache.clear();
    cache.set(url, entry);
  }

  const latest = new WeakMap<Document, PreparedAnswers>();

  function prepared(document: Document, read: HotRead): PreparedAnswers {
    let answers = latest.get(document);
    if (answers === undefined)
      latest.set(
        document,
        (answers = prepareAnswers(document, read, limits.counter(read.limit), env)),
      );

    return answers;
  }

  /** Responds after loading or building a missing document. Never rejects. */
  async function answerLater(exchange: Exchange, erpId: string): Promise<void> {
    try {
      const documents = await store.load(erpId);
      send(exchange, prepared(exchange.read.document(documents), exchange.read));
    } catch (error) {
      const { problem, fault } = problemOfError(error);
      if (fault)
        log.error(
          { requestId: exchange.id, kind: problem.kind, error: loggable(error) },
          'a hot read failed',
        );
      refuse(exchange, problem);
    }
  }

  function send(exchange: Exchange, { document, notModified, ok }: PreparedAnswers): void {
    const { request, headers } = exchange;
    const { ifNoneMatch } = headers;
    if (
      ifNoneMatch !== undefined &&
      (ifNoneMatch === document.etag || matchesEtag(ifNoneMatch, document.etag))
    ) {
      end(exchange, 304, notModified, null);
      return;
    }

    const encoding = chooseEncoding(document, headers.acceptEncoding);
    end(exchange, 200, ok[encoding], request.method === 'HEAD' ? null : document[encoding]);
  }

  return { handle, stop: () => counts.stop() };
}
