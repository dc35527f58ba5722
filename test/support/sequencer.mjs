import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * Kinds of tests, those that take long first (what starts last must be short, or one core waits for the other), and what each takes: seconds for a
 * kilobyte of its file, roughly. Tests that `wait` for timers and for processes leave the processor idle; where only some of a kind do, they are
 * `scattered`, because the longest of them are those.
 */
const KINDS = [
  { kind: 'e2e', pace: 6.5, waits: true },
  { kind: 'workflows', pace: 1.8, waits: true },
  { kind: 'contract', pace: 0.7, waits: true },
  { kind: 'integration', pace: 0.3, isScattered: true },
  { kind: 'http', pace: 0.2 },
  { kind: '', pace: 0.1 },
];
/** More of them would leave the processor idle, and all of them at the end still more. Those of the first kind begin all the same. */
const WAITING_AT_ONCE = 2;

/** @param {{ path: string }} test */
function placeOf({ path }) {
  const rank = KINDS.findIndex(({ kind }) => kind === '' || path.includes(`${sep}test${sep}${kind}${sep}`));
  const { pace, waits = false, isScattered = false } = KINDS[rank];
  const file = path.slice(path.lastIndexOf(`${sep}test${sep}`));
  return {
    rank,
    waits,
    seconds: (pace * statSync(path).size) / 1024,
    scattered: isScattered ? createHash('sha1').update(file).digest('hex') : '',
  };
}

/**
 * Jest's own order (failed ones and known long ones first) inside most kinds. Of those that wait, only a few run at a time: processes take the tests in
 * this order, so it is found by letting them do that here, with the times that tests of a kind take.
 */
export default class KindSequencer extends Sequencer {
  #processes;

  constructor(options) {
    super(options);
    this.#processes = options.globalConfig.maxWorkers;
  }

  async sort(tests) {
    const left = (await super.sort(tests))
      .map((test) => ({ test, ...placeOf(test) }))
      .toSorted((a, b) => a.rank - b.rank || a.scattered.localeCompare(b.scattered));
    const running = Array.from({ length: this.#processes }, () => ({ until: 0, waits: false }));
    const ordered = [];
    while (left.length > 0) {
      const free = running.toSorted((a, b) => a.until - b.until)[0];
      const waiting = running.filter(({ until, waits }) => waits && until > free.until).length;
      const fits = left.findIndex(({ rank, waits }) => rank === 0 || !waits || waiting < WAITING_AT_ONCE);
      const [{ test, seconds, waits }] = left.splice(Math.max(fits, 0), 1);
      Object.assign(free, { until: free.until + seconds, waits });
      ordered.push(test);
    }
    return ordered;
  }
}
