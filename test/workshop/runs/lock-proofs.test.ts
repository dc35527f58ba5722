import { rm } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { withoutPlace, type Mutation } from '../../../packages/dev/locks/mutation.ts';
import { prove } from '../../../packages/dev/locks/prove.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SOURCE = 'platform/latest-run.ts';
const NAMED = {
  file: 'test/unit/platform/latest-run.test.ts',
  title: 'calls during a run share one further run',
};
const WAIT = `${SOURCE} latestRun unwrap state.current.then`;
const mutant = (id: string, edit: (text: string) => string, title = NAMED.title): Mutation => ({
  id,
  test: { ...NAMED, title },
  change: { file: SOURCE, edit },
});
const cases: readonly [Mutation, string][] = [
  [mutant('harmless', (text) => `${text}\n// nothing\n`), 'SURVIVED'],
  [mutant('harmful', (text) => withoutPlace(WAIT, text)), 'KILLED'],
  [mutant('broken', (text) => `${text}\n}`), 'NO_PROOF'],
  [mutant('untested', (text) => withoutPlace(WAIT, text), 'a title that no test has'), 'NO_PROOF'],
  [
    mutant('rewritten', (text) => withoutPlace(`${SOURCE} latestRun drop .forUpdate`, text)),
    'NO_PROOF',
  ],
];

test('the proof of locks reports a harmless mutation as surviving, and proves nothing for invalid entries', async () => {
  const folder = await temporaryFolder('locks');
  const signal = AbortSignal.timeout(240_000);
  try {
    const mutations = cases.map(([mutation]) => mutation);
    const verdicts = await prove(mutations, {
      root,
      folder,
      lanes: 2,
      env: process.env,
      signal,
      progress: () => undefined,
    });
    expect(verdicts.map(({ mutation, result }) => [mutation.id, result])).toEqual(
      cases.map(([{ id }, result]) => [id, result]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
