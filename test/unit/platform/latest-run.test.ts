import { expect, test } from '@jest/globals';
import { latestRun } from '../../../platform/latest-run.ts';

/** Work that ends on demand; `runs` has one entry per run. */
function controlled() {
  const runs: PromiseWithResolvers<number>[] = [];
  const run = latestRun<string, number>(() => {
    const gate = Promise.withResolvers<number>();
    runs.push(gate);
    return gate.promise;
  });
  return { runs, run };
}

test('calls during a run share one further run that starts after it', async () => {
  const { runs, run } = controlled();
  const first = run('a');
  const [second, third] = [run('a'), run('a')];
  expect(runs).toHaveLength(1);

  runs[0]!.resolve(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(runs).toHaveLength(2);
  const fourth = run('a');
  runs[1]!.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await Promise.resolve();
  runs[2]!.resolve(3);

  expect(await fourth).toBe(3);
  expect(runs).toHaveLength(3);
});

test('keys do not wait for each other', () => {
  const { runs, run } = controlled();
  void run('a');
  void run('b');

  expect(runs).toHaveLength(2);
});

test('a failed run fails its own callers only', async () => {
  const { runs, run } = controlled();
  const failed = run('a');
  const next = run('a');
  runs[0]!.reject(new Error('no'));
  await expect(failed).rejects.toThrow('no');
  await Promise.resolve();
  runs[1]!.resolve(5);

  expect(await next).toBe(5);
});

test('[OPS-49] a run that does not end fails for its callers, and does not block the next one', async () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const run = latestRun<string, number>(
    () => {
      const gate = Promise.withResolvers<number>();
      runs.push(gate);
      return gate.promise;
    },
    { limitMs: 30 },
  );
  const first = run('a');
  const second = run('a');
  await expect(first).rejects.toThrow('a run took longer than 30 ms');
  await Promise.resolve();
  runs[1]!.resolve(2);

  expect(await second).toBe(2);
  const third = run('a');
  runs[2]!.resolve(3);
  expect(await third).toBe(3);
});
