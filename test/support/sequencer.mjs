import { statSync } from 'node:fs';
import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * Kinds of tests, and what each takes: seconds for a kilobyte of its file, roughly. Those that wait for timers and processes leave the processor to
 * others. End-to-end tests take longest: what starts last must be short, or one core waits for the other.
 */
const KINDS = [
  { kind: 'e2e', pace: 6.5, waits: true, isFirst: true },
  { kind: 'workflows', pace: 1.8, waits: true },
  { kind: 'contract', pace: 0.7, waits: true },
  { kind: 'integration', pace: 0.3 },
  { kind: 'http', pace: 0.2 },
  { kind: '', pace: 0.1 },
];
/** Files that wait although their kind calculates, and those that wait far longer than their size says: seconds. */
const LONG_WAITS = {
  'contract/project/interrupted-run': 14,
  'contract/project/servers': 20,
  'http/base/process': 28,
  'http/base/slow-clients': 7,
  'http/mirror/sync-pauses': 7,
  'http/mirror/sync-runs': 8,
  'integration/connections/erp-limiter': 20,
  'integration/db/pool': 14,
  'integration/erp/customers': 8,
  'integration/platform/temporal': 10,
  'integration/review/temporal-address': 10,
  'integration/secrets/running-processes': 7,
  'integration/storefront/menu-store': 18,
  'workflows/gifts': 48,
  'workflows/releases': 43,
};

/** @param {{ path: string }} test */
function placeOf({ path }) {
  const [name] = path.split(`${sep}test${sep}`).at(-1).replaceAll(sep, '/').split('.');
  const rank = KINDS.findIndex(({ kind }) => kind === '' || name.startsWith(`${kind}/`));
  const { pace, waits = false, isFirst = false } = KINDS[rank];
  const known = LONG_WAITS[name];
  return { rank, isFirst, waits: waits || known !== undefined, seconds: known ?? (pace * statSync(path).size) / 1024 };
}

/** Each of them is a product of several processes; more would be late beside each other. */
const FIRST_AT_ONCE = 3;

const secondsOf = (tests) => tests.reduce((sum, { seconds }) => sum + seconds, 0);

/**
 * End-to-end tests first, a few at a time, those that wait (the longest first) beside those that calculate (in jest's own order inside each kind: failed ones and known
 * long ones first), so that both end together and the processor always has work. Processes take the tests in this order, so it is found by letting them
 * do that here.
 */
export default class KindSequencer extends Sequencer {
  #processes;

  constructor(options) {
    super(options);
    this.#processes = options.globalConfig.maxWorkers;
  }

  async sort(tests) {
    const placed = (await super.sort(tests)).map((test) => ({ test, ...placeOf(test) }));
    const first = placed.filter(({ isFirst }) => isFirst);
    const others = placed.filter(({ isFirst }) => !isFirst);
    const waiting = others.filter(({ waits }) => waits).toSorted((a, b) => b.seconds - a.seconds);
    const calculating = others.filter(({ waits }) => !waits).toSorted((a, b) => a.rank - b.rank);
    const all = { waiting: secondsOf(waiting), calculating: secondsOf(calculating) };

    const running = Array.from({ length: this.#processes }, () => ({ until: 0, waits: false, isFirst: false }));
    const ordered = [];
    while (first.length + waiting.length + calculating.length > 0) {
      const free = running.toSorted((a, b) => a.until - b.until)[0];
      const busy = running.filter((each) => each.until > free.until);
      // One process at least is left to those that calculate.
      const isMixed = busy.filter((each) => each.waits).length < running.length - 1;
      const isTurn = isMixed && secondsOf(waiting) / all.waiting >= secondsOf(calculating) / all.calculating;
      const rest = calculating.length === 0 || (isTurn && waiting.length > 0) ? waiting : calculating;
      const isFirst =
        first.length > 0 && (rest.length === 0 || busy.filter((each) => each.isFirst).length < FIRST_AT_ONCE);
      const { test, seconds, waits } = (isFirst ? first : rest).shift();
      Object.assign(free, { until: free.until + seconds, waits, isFirst });
      ordered.push(test);
    }
    return ordered;
  }
}
