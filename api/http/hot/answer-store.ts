import type { Env } from '../../../modules/env.ts';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import { emptyHeaders } from './hot-headers.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Route } from '../route.ts';
import { createStoredAnswer, type AnswerContent, type StoredAnswer } from './stored-answer.ts';

/** Stored answers to public reads, sent again while their basis is unchanged (rule HTTP-36). */
export type AnswerStore = {
  /** Returns the current answer to a URL that Koa has answered before. Synchronous. */
  find(url: string): StoredAnswer | undefined;
  /** Makes `find` return the answer to `request` for this URL. */
  remember(url: string, request: StoredRequest): void;
  /** Returns the current answer, or computes it once for all concurrent requests. */
  answerTo(request: StoredRequest, basis: string, make: () => Promise<NewAnswer>): Promise<StoredAnswer>;
};

/** A valid request whose answer may be stored. Requests with the same key have the same answer. */
export type StoredRequest = { key: string; route: Route; basis: () => string | null };

/** `keep` is false for an answer that depends on more than the basis of its route. */
export type NewAnswer = { content: AnswerContent; keep: boolean };

/** Bytes of answers in all encodings. */
const ANSWER_BYTES = 32 * 2 ** 20;
/** Most URLs with stored answers, and their greatest length. Koa handles all other URLs. */
const URLS = 10_000;
const URL_CHARACTERS = 300;

type AnswerStoreDeps = { env: Pick<Env, 'PUBLIC_ORIGINS'>; limits: Pick<RateLimits, 'counter'> };

/** Stores answers up to `bytes`; evicts the least recently requested ones (rule HTTP-37). */
export function createAnswerStore({ env, limits }: AnswerStoreDeps, bytes = ANSWER_BYTES): AnswerStore {
  const urls = boundedCache<string, StoredRequest>(URLS);
  const answers = boundedCache<string, StoredAnswer>(bytes);
  const running = new Map<string, Promise<StoredAnswer>>();

  async function answerFrom({ key, route }: StoredRequest, basis: string, make: () => Promise<NewAnswer>) {
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
      const begun = running.get(name);
      if (begun !== undefined) return begun;
      const answer = answerFrom(request, basis, make).finally(() => running.delete(name));
      running.set(name, answer);
      return answer;
    },
  };
}
