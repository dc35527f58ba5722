import { expect, test } from '@jest/globals';
import { BUDGETS_OF_SITE, createWindowCounter } from '../../../api/http/hot-rate-limit.ts';

test('[HTTP-24] networks of one site have 64 budgets together, and other sites have their own', () => {
  const quota = 2;
  const counter = createWindowCounter('menu', quota);
  const network = (site: number, at: number) => `2001:db8:${site.toString(16)}:${at.toString(16)}::/64`;
  const take = (site: number, at: number) => counter.take(network(site, at), 0);
  // One network uses up its own budget; what it is rejected costs its neighbors nothing.
  const first = Array.from({ length: 200 }, () => take(1, 0).allowed);
  const neighbours = Array.from({ length: BUDGETS_OF_SITE * quota }, (_, at) => take(1, at + 1));
  const ipv4 = Array.from({ length: 4 * BUDGETS_OF_SITE }, (_, at) => counter.take(`203.0.113.${at}`, 0).allowed);

  expect(first.filter(Boolean)).toHaveLength(quota);
  expect(neighbours.filter(({ allowed }) => allowed)).toHaveLength((BUDGETS_OF_SITE - 1) * quota);
  expect(neighbours.at(-1)).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
  expect(take(2, 0)).toEqual({ allowed: true, remaining: quota - 1, resetSeconds: 60 });
  expect(ipv4.every(Boolean)).toBe(true);
  expect(counter.take(network(1, 9), 60_000).allowed).toBe(true);
});
