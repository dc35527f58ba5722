import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const program = new URL('../../../workers/roles.ts', import.meta.url);

async function priorityAfter(lower: number): Promise<number> {
  const script = `import { giveWay } from ${JSON.stringify(program.href)}; import { getPriority } from 'node:os'; giveWay(); console.log(getPriority());`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)('nice', ['-n', String(lower), ...node]);
  return Number(stdout);
}

test('[OPS-69] a process of builds lowers its priority, and keeps an already lower one', async () => {
  const own = getPriority();
  const lowest = 19;

  expect([await priorityAfter(0), await priorityAfter(15)]).toEqual([
    Math.max(own, 10),
    Math.max(Math.min(own + 15, lowest), 10),
  ]);
});
