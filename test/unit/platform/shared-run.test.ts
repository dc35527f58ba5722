import { expect, test } from '@jest/globals';
import { sharedRun } from '../../../platform/shared-run.ts';

/** Work that ends on demand; `runs` has one entry per run. */
function controlled() {
  const runs: PromiseWithResolvers<number>[] = [];
  const share = sharedRun<string, number>();
  const work = () => {
    const gate = Promise.withResolvers<number>();
    runs.push(gate);
    return gate.promise;
  };
  return { runs, run: (key: string) => share(key, work) };
}

test('[FUL-59] calls during a run receive its result, and a later call begins another run', async () => {
  const { runs, run } = controlled();
  const calls = [run('a'), run('a'), run('b')];
  expect(runs).toHaveLength(2);
  runs[0]!.resolve(1);
  runs[1]!.resolve(2);

  expect(await Promise.all(calls)).toEqual([1, 1, 2]);
  const later = run('a');
  runs[2]!.resolve(3);
  expect(await later).toBe(3);
});

test('[FUL-59] calls during a run receive its failure, and a later call begins another run', async () => {
  const { runs, run } = controlled();
  const calls = Promise.allSettled([run('a'), run('a')]);
  runs[0]!.reject(new Error('no'));
  expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const later = run('a');
  runs[1]!.resolve(2);

  expect(await later).toBe(2);
  expect(runs).toHaveLength(2);
});
