import type { Env } from '../../modules/env.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import { emptyHeaders } from './hot-headers.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Route } from './route.ts';
import { createStoredAnswer, type AnswerContent, type StoredAnswer } from './stored-answer.ts';

/** Answers to public reads that are sent again as long as their basis holds (rule HTTP-36). */
export type AnswerStore = {
  /** The current answer to a URL that Koa has answered before; never waits. */
  find(url: string): StoredAnswer | undefined;
  /** Lets `find` return the answer to `request` for this URL. */
  remember(url: string, request: StoredRequest): void;
  /** Returns the current answer, or makes it: once for all requests that arrive meanwhile. */
  answerTo(request: StoredRequest, basis: string, make: () => Promise<NewAnswer>): Promise<StoredAnswer>;
};

/** A valid request whose answer may be sent again. Requests with the same key have the same answer. */
export type StoredRequest = { key: string; route: Route; basis: () => string | null };

/** `keep` is false for an answer that depends on more than the basis of its route. */
export type NewAnswer = { content: AnswerContent; keep: boolean };

/** Bytes of answers in all encodings. */
const ANSWER_BYTES = 32 * 2 ** 20;
/** URLs that lead to answers, and the length of the longest one; Koa reads the others each time. */
const URLS = 10_000;
const URL_CHARACTERS = 300;

type AnswerStoreDeps = { env: Pick<Env, 'PUBLIC_ORIGINS'>; limits: Pick<RateLimits, 'counter'> };

/** Keeps answers, `bytes` at most; drops those that were requested longest ago (rule HTTP-37). */
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
      const known = answers.get(request.key);
      if (known?.basis === basis) return known;
      const name = `${basis} ${request.key}`;
      const begun = running.get(name);
      if (begun !== undefined) return begun;
      const answer = answerFrom(request, basis, make).finally(() => running.delete(name));
      running.set(name, answer);
      return answer;
    },
  };
}
