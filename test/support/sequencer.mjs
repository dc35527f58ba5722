import { statSync } from 'node:fs';
import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Tests that wait for processes and timers most of their time; beside each other they would leave the processor idle. */
const WAITING = ['e2e', 'workflows'];

/**
 * The longest tests that wait, in the order in which they start, and what they take alone in seconds. Those that use the processor least
 * stand apart from each other.
 */
const SECONDS = {
  'e2e/crash': 145,
  'e2e/start': 48,
  'e2e/topology': 42,
  'workflows/releases': 43,
  'e2e/runbooks': 75,
  'e2e/synchronization/synchronization': 35,
  'e2e/menu': 22,
  'workflows/imports': 35,
  'workflows/orders': 77,
  'workflows/menu-runs': 24,
  'workflows/bindings': 24,
  'e2e/shop/shop': 38,
  'http/base/process': 31,
  'workflows/snapshot-rebuild': 22,
  'workflows/gifts': 47,
  'e2e/temporal-loss': 17,
  'e2e/tracing': 16,
  'workflows/schedules': 30,
  'integration/connections/erp-limiter': 20,
  'contract/project/servers': 18,
  'integration/storefront/menu-store': 16,
  'e2e/temporal-tls': 20,
  'workflows/connection-states': 14,
  'integration/db/pool': 14,
  'workflows/stop-list-refresh': 13,
  'contract/project/interrupted-run': 12,
  'integration/platform/temporal': 12,
  'integration/review/temporal-address': 10,
};
const LISTED = Object.keys(SECONDS);
/** Of any other test; only their order among each other depends on it. */
const BYTES_PER_SECOND = 2_000;
/** Those that wait are through a little earlier: what is left at the end must keep the processor at work. */
const END_OF_WAITING = 0.9;

const nameOf = ({ path }) => path.split(`${sep}test${sep}`).at(-1).replaceAll(sep, '/').replace('.test.ts', '');
const isListed = (test) => LISTED.includes(nameOf(test));
const waits = (test) => isListed(test) || WAITING.includes(nameOf(test).split('/')[0]);
const secondsOf = (test) => SECONDS[nameOf(test)] ?? statSync(test.path).size / BYTES_PER_SECOND;
const longestFirst = (tests) => tests.toSorted((a, b) => secondsOf(b) - secondsOf(a));

/** Where each of these tests stands between the beginning (0) and `end`. */
function placed(tests, end) {
  const all = tests.reduce((sum, test) => sum + secondsOf(test), 0);
  let before = 0;
  return tests.map((test) => {
    const at = (end * before) / all;
    before += secondsOf(test);
    return { test, at };
  });
}

/** Tests that wait between those that calculate; what starts last must be short, or one core waits for the other. */
export default class WovenSequencer extends Sequencer {
  async sort(tests) {
    const waiting = tests.filter(waits);
    const inOrder = [
      ...waiting.filter(isListed).toSorted((a, b) => LISTED.indexOf(nameOf(a)) - LISTED.indexOf(nameOf(b))),
      ...longestFirst(waiting.filter((test) => !isListed(test))),
    ];
    const calculating = longestFirst(tests.filter((test) => !waits(test)));
    return [...placed(inOrder, END_OF_WAITING), ...placed(calculating, 1)]
      .toSorted((a, b) => a.at - b.at)
      .map(({ test }) => test);
  }
}
