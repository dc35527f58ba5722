import { expect, test } from '@jest/globals';
import { createAnswerStore, type StoredRequest } from '../../../api/http/hot/answer-store.ts';
import { createRateLimits } from '../../../api/http/limits/rate-limits.ts';
import type { Route } from '../../../api/http/route.ts';
import { readEnv } from '../../../modules/env.ts';
import { RATE_LIMIT_NAMES } from '../../support/rate-limit-names.ts';

const env = readEnv({ RATE_LIMIT_PUBLIC: 'off' }, ['PUBLIC_ORIGINS', ...RATE_LIMIT_NAMES]);
const store = (bytes?: number) => createAnswerStore({ env, limits: createRateLimits(env) }, bytes);
const route = { operationId: 'read', rateLimit: 'public', api: 'public' } as Route;
const request = (key: string, basis: () => string | null = () => 'one'): StoredRequest => ({
  key,
  route,
  basis,
});
const answer = (text: string, keep = true) => ({ content: { text, headers: {} }, keep });

test('[HTTP-37] one answer is computed for all concurrent requests', async () => {
  const answers = store();
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof answer>>();
  let made = 0;
  const make = () => {
    made += 1;
    return promise;
  };
  const waiting = Array.from({ length: 20 }, () => answers.answerTo(request('a'), 'one', make));
  resolve(answer('text'));
  const all = await Promise.all(waiting);

  expect(made).toBe(1);
  expect(new Set(all).size).toBe(1);
  expect(await answers.answerTo(request('a'), 'one', make)).toBe(all[0]);
  expect(made).toBe(1);
});

test('[HTTP-37] another answer is computed for another basis while the first is in progress', async () => {
  const answers = store();
  const first = Promise.withResolvers<ReturnType<typeof answer>>();
  const earlier = answers.answerTo(request('a'), 'one', () => first.promise);
  const later = await answers.answerTo(request('a'), 'two', () => Promise.resolve(answer('later')));
  first.resolve(answer('earlier'));

  expect((await earlier).basis).toBe('one');
  expect(later.basis).toBe('two');
});

test('[HTTP-36] no answer is returned if its basis has changed or is not in memory', async () => {
  const answers = store();
  let basis: string | null = 'one';
  const asked = request('a', () => basis);
  const kept = await answers.answerTo(asked, 'one', () => Promise.resolve(answer('text')));
  answers.remember('/a', asked);

  expect(answers.find('/a')).toBe(kept);
  basis = 'two';
  expect(answers.find('/a')).toBeUndefined();
  basis = null;
  expect(answers.find('/a')).toBeUndefined();
});

test('[HTTP-36] neither failures nor answers that depend on more than their basis are stored', async () => {
  const answers = store();
  const failure = new Error('not found');
  await expect(answers.answerTo(request('a'), 'one', () => Promise.reject(failure))).rejects.toBe(
    failure,
  );
  await answers.answerTo(request('b'), 'one', () => Promise.resolve(answer('moved', false)));
  for (const name of ['a', 'b']) answers.remember(`/${name}`, request(name));

  expect([answers.find('/a'), answers.find('/b')]).toEqual([undefined, undefined]);
  const again = await answers.answerTo(request('a'), 'one', () => Promise.resolve(answer('found')));
  expect(answers.find('/a')).toBe(again);
});

test('[HTTP-37] the least recently requested answers above the limit of bytes are evicted', async () => {
  const answers = store(100_000);
  const add = async (name: string) => {
    await answers.answerTo(request(name), 'one', () => Promise.resolve(answer('x'.repeat(26_000))));
    answers.remember(`/${name}`, request(name));
  };
  for (const name of ['a', 'b', 'c']) await add(name);
  answers.find('/a');
  await add('d');

  expect(['a', 'b', 'c', 'd'].filter((name) => answers.find(`/${name}`) !== undefined)).toEqual([
    'a',
    'c',
    'd',
  ]);
});
