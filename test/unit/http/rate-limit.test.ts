import { describe, expect, test } from '@jest/globals';
import { BUDGETS_OF_SITE, createWindowCounter } from '../../../api/http/limits/hot-rate-limit.ts';

test('[HTTP-24] networks of one site have 64 budgets together, and other sites have their own', () => {
  const quota = 2;
  const counter = createWindowCounter('menu', quota);
  const network = (site: number, at: number) =>
    `2001:db8:${site.toString(16)}:${at.toString(16)}::/64`;
  const take = (site: number, at: number) => counter.take(network(site, at), 0);
  // Rejected requests do not use the budgets of neighboring networks.
  const first = Array.from({ length: 200 }, () => take(1, 0).allowed);
  const neighbours = Array.from({ length: BUDGETS_OF_SITE * quota }, (_, at) => take(1, at + 1));
  const ipv4 = Array.from(
    { length: 4 * BUDGETS_OF_SITE },
    (_, at) => counter.take(`203.0.113.${at}`, 0).allowed,
  );

  expect(first.filter(Boolean)).toHaveLength(quota);
  expect(neighbours.filter(({ allowed }) => allowed)).toHaveLength((BUDGETS_OF_SITE - 1) * quota);
  expect(neighbours.at(-1)).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
  expect(take(2, 0)).toEqual({ allowed: true, remaining: quota - 1, resetSeconds: 60 });
  expect(ipv4.every(Boolean)).toBe(true);
  expect(counter.take(network(1, 9), 60_000).allowed).toBe(true);
});

describe('[HTTP-78] a rate budget', () => {
  const allowedAt = (times: readonly number[], quota = 3) => {
    const counter = createWindowCounter('menu', quota);
    return times.filter((time) => counter.take('203.0.113.7', time).allowed);
  };

  test('never has more requests in any window of 60 s', () => {
    const times = Array.from({ length: 4_000 }, (_, at) => at * 50);
    const allowed = allowedAt(times, 60);
    const most = allowed.map(
      (time) => allowed.filter((other) => other >= time && other < time + 60_000).length,
    );

    expect(Math.max(...most)).toBe(60);
    expect(allowed).toHaveLength(240);
  });

  test('allows no second burst at the end of a window', () => {
    expect(allowedAt([0, 59_999, 59_999, 59_999, 60_000, 60_000, 119_998, 119_999])).toEqual([
      0, 59_999, 59_999, 60_000, 119_999,
    ]);
  });

  test('returns the seconds until the next request is allowed', () => {
    const counter = createWindowCounter('menu', 2);
    const take = (now: number, cost = 1) => counter.take('203.0.113.7', now, cost);

    expect(take(0)).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 });
    expect(take(20_000)).toEqual({ allowed: true, remaining: 0, resetSeconds: 40 });
    expect(take(30_000)).toEqual({ allowed: false, remaining: 0, resetSeconds: 30 });
    expect(take(30_000, 2)).toEqual({ allowed: false, remaining: 0, resetSeconds: 50 });
    expect(take(60_000)).toEqual({ allowed: true, remaining: 0, resetSeconds: 20 });
  });

  test('ends with a request that costs more than the balance', () => {
    const counter = createWindowCounter('media', 30);

    expect([25, 25, 1].map((cost) => counter.take('203.0.113.7', 0, cost).allowed)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
