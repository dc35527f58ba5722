import type { Env } from '../../../modules/env.ts';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import { emptyHeaders } from './hot-headers.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Route } from '../route.ts';
import { createStoredAnswer, type AnswerContent, type StoredAnswer } from './stored-answer.ts';

/** Stored responses, valid while their basis is unchanged (rule HTTP-36). */
export type AnswerStore = {
  /** Returns a stored response synchronously. Finds only URLs that Koa has served before. */
  find(url: string): StoredAnswer | undefined;
  remember(url: string, request: StoredRequest): void;
  /** Computes a response once for concurrent requests. */
  answerTo(
    request: StoredRequest,
    basis: string,
    make: () => Promise<NewAnswer>,
  ): Promise<StoredAnswer>;
};

/** Equal keys have equal responses. */
export type StoredRequest = { key: string; route: Route; basis: () => string | null };

/** `keep` is false if the response depends on more than the basis of its route. */
export type NewAnswer = { content: AnswerContent; keep: boolean };

const ANSWER_BYTES = 32 * 2 ** 20;
/** Koa handles other URLs. */
const URLS = 10_000;
const URL_CHARACTERS = 300;

type AnswerStoreDeps = { env: Pick<Env, 'PUBLIC_ORIGINS'>; limits: Pick<RateLimits, 'counter'> };

/** Creates a store of up to `bytes` with LRU eviction (rule HTTP-37). */
export function createAnswerStore(
  { env, limits }: AnswerStoreDeps,
  bytes = ANSWER_BYTES,
): AnswerStore {
  const urls = boundedCache<string, StoredRequest>(URLS);
  const answers = boundedCache<string, StoredAnswer>(bytes);
  const running = new Map<string, Promise<StoredAnswer>>();

  async function answerFrom(
    { key, route }: StoredRequest,
    basis: string,
    make: () => Promise<NewAnswer>,
  ) {
    const { content, keep } = await make();
    const requestHeaders = emptyHeaders(limits.counter(route.rateLimit), env);
    const grown = () => {
      if (answers.get(key) === answer) answers.set(key, answer, answer.bytes());
    };
    const answer = createStoredAnswer({ route, basis }, content, { requestHeaders, grown });
    if (keep) answers.set(key, answer, answer.bytes());

    return answer;
  }

  return {
    find(url) {
      const request = urls.get(url);
      if (request === undefined) return undefined;
      const answer = answers.get(request.key);
      return answer !== undefined && answer.basis === request.basis() ? answer : undefined;
    },
    remember(url, request) {
      if (url.length <= URL_CHARACTERS) urls.set(url, request);
    },
    async answerTo(request, basis, make) {
      const cached = answers.get(request.key);
      if (cached?.basis === basis) return cached;
      const name = `${basis} ${request.key}`;
      const pendingAnswer = running.get(name);
      if (pendingAnswer !== undefined) return pendingAnswer;
      const answer = answerFrom(request, basis, make).finally(() => running.delete(name));
      running.set(name, answer);

      return answer;
    },
  };
}
