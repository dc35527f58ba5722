import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Kinds of tests that take long, the longest first: what starts last must be short, or one core waits for the other. */
const LONG_KINDS = ['e2e', 'workflows', 'contract', 'integration', 'http'];

function rank({ path }) {
  const found = LONG_KINDS.findIndex((kind) => path.includes(`${sep}test${sep}${kind}${sep}`));
  return found < 0 ? LONG_KINDS.length : found;
}

/** Jest's own order (failed ones and known long ones first) inside each kind. */
export default class KindSequencer extends Sequencer {
  async sort(tests) {
    const ordered = await super.sort(tests);
    return ordered.toSorted((one, other) => rank(one) - rank(other));
  }
}
