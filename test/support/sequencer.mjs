import { statSync } from 'node:fs';
import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Kinds of tests that take long, the longest first: what starts last must be short, or one core waits for the other. */
const LONG_KINDS = ['e2e', 'workflows', 'contract', 'integration', 'http'];
/** Tests of workflows wait for timers; beside each other they would leave the processor idle. */
const WAITING = LONG_KINDS.indexOf('workflows');

function rank({ path }) {
  const found = LONG_KINDS.findIndex((kind) => path.includes(`${sep}test${sep}${kind}${sep}`));
  return found < 0 ? LONG_KINDS.length : found;
}

const bytesOf = ({ path }) => statSync(path).size;

/** Both lists as one in which they progress alike, by the size of their files. */
function woven(one, other) {
  const shares = [one, other].map((tests) => {
    const all = tests.reduce((sum, test) => sum + bytesOf(test), 0);
    let before = 0;
    return tests.map((test) => {
      const at = before / all;
      before += bytesOf(test);
      return { test, at };
    });
  });
  return shares
    .flat()
    .toSorted((a, b) => a.at - b.at)
    .map(({ test }) => test);
}

/** Jest's own order (failed ones and known long ones first) inside each kind; those that wait between those that calculate. */
export default class KindSequencer extends Sequencer {
  async sort(tests) {
    const ordered = await super.sort(tests);
    const ofRanks = (isWanted) => ordered.filter((test) => isWanted(rank(test))).toSorted((a, b) => rank(a) - rank(b));
    return [
      ...ofRanks((each) => each < WAITING),
      ...woven(
        ofRanks((each) => each === WAITING),
        ofRanks((each) => each > WAITING),
      ),
    ];
  }
}
