import type { Env } from '../../modules/env.ts';
import type { Deps } from '../deps.ts';
import type { AnswerStore } from './hot/answer-store.ts';
import { readCaller } from './caller.ts';
import { fillRequestHeaders } from './hot/hot-headers.ts';
import { bestEncoding } from './hot/hot-negotiation.ts';
import { readHotHeaders, type HotRequestHeaders } from './hot/hot-request.ts';
import { matchesEtag } from './hot/kept-answer.ts';
import { observeAnswer } from './observe.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { chooseRequestId } from './request-id.ts';
import type { HotPath } from './server.ts';
import { OFFERED_ENCODINGS } from './hot/compression.ts';
import type { ReadyAnswer, StoredAnswer } from './hot/stored-answer.ts';

export type StoredPathDeps = Pick<Deps, 'log' | 'metrics'> & {
  answers: Pick<AnswerStore, 'find'>;
  env: Pick<Env, 'PUBLIC_ORIGINS' | 'TRUST_PROXY'>;
  limits: Pick<RateLimits, 'count'>;
};

/**
 * Creates the path that sends stored responses before Koa (rule HTTP-36). Returns false without a
 * current response, and for rejections.
 */
export function createStoredPath({ answers, env, limits, log, metrics }: StoredPathDeps): HotPath {
  return (request, response) => {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const answer = answers.find(request.url ?? '');
    if (answer === undefined) return false;
    const headers = readHotHeaders(request.rawHeaders);
    const ready = headers.hasBody ? undefined : readyFor(answer, headers);
    if (ready === undefined) return false;
    const { counter, budget } = limits.count(
      answer.route.rateLimit,
      readCaller(request, env.TRUST_PROXY),
    );
    if (budget !== null && !budget.allowed) return false;

    const id = chooseRequestId(headers.requestId);
    const { route } = answer;
    const state = {
      requestId: id,
      traceId: undefined,
      api: route.api,
      route,
      userId: null,
      refusedKey: null,
    };

    observeAnswer({ log, metrics }, method, response, state);
    response.writeHead(
      ready.status,
      fillRequestHeaders(ready.headers, { id, headers, counter, budget }, env),
    );

    if (ready.body === null || method === 'HEAD') response.end();
    else response.end(ready.body);

    return true;
  };
}

type Ready = { status: number; headers: ReadyAnswer['headers']; body: Buffer | null };

function readyFor(
  answer: StoredAnswer,
  { ifNoneMatch, acceptEncoding }: HotRequestHeaders,
): Ready | undefined {
  if (matchesEtag(ifNoneMatch, answer.etag)) {
    const headers = answer.notModified();
    return headers === undefined ? undefined : { status: 304, headers, body: null };
  }
  const ready = answer.ready(bestEncoding(acceptEncoding, OFFERED_ENCODINGS[answer.route.api]));

  return ready === undefined ? undefined : { status: 200, ...ready };
}
