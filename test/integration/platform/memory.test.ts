import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const platform = (name: string) => new URL(`../../../platform/${name}.ts`, import.meta.url).href;

async function run<T>(program: string, ...options: string[]): Promise<T> {
  const args = [
    '--disable-warning=ExperimentalWarning',
    ...options,
    '--input-type=module',
    '--eval',
    program,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return JSON.parse(stdout) as T;
}

test('[OPS-148] a collection after the start returns memory to the system', async () => {
  const { before, after } = await run<{ before: number; after: number }>(`
    import { collectGarbage } from '${platform('collect-garbage')}';
    let kept = Array.from({ length: 1_000_000 }, (_, index) => ({ index, twice: [index] }));
    const before = process.memoryUsage().heapTotal;
    kept = null;
    collectGarbage();
    console.log(JSON.stringify({ before, after: process.memoryUsage().heapTotal }));
  `);

  expect(before).toBeGreaterThan(60e6);
  expect(after).toBeLessThan(before / 3);
});

test('[OPS-59] a thread has a small young generation although the main thread has a large one', async () => {
  const churn = `
    const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
    let kept = [];
    for (let index = 0; index < 1_000_000; index += 1) {
      kept.push({ index, twice: [index] });
      if (kept.length > 50_000) kept = [];
    }
    const size = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  `;
  const sizes = await run<{ main: number; thread: number }>(
    `
    import { Worker } from 'node:worker_threads';
    import { keepThreadsLean } from '${platform('lean-threads')}';
    keepThreadsLean();
    ${churn}
    const text = ${JSON.stringify(`${churn} process.getBuiltinModule('node:worker_threads').parentPort.postMessage(size);`)};
    new Worker(text, { eval: true }).once('message', (thread) => console.log(JSON.stringify({ main: size, thread })));
  `,
    '--min-semi-space-size=16',
    '--max-semi-space-size=32',
  );

  expect(sizes.main).toBeGreaterThan(30e6);
  expect(sizes.thread).toBeLessThan(8e6);
});
