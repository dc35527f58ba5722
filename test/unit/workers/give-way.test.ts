import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const program = new URL('../../../workers/roles.ts', import.meta.url);

/** The priority of a process after it has given way, which was started with this one. */
async function priorityAfter(before: number): Promise<number> {
  const script = `import { giveWay } from ${JSON.stringify(program.href)}; import { getPriority } from 'node:os'; giveWay(); console.log(getPriority());`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)('nice', ['-n', String(before), ...node]);
  return Number(stdout);
}

test('[OPS-69] a process of builds lowers its priority, and keeps a lower one that it has already', async () => {
  expect([await priorityAfter(0), await priorityAfter(15)]).toEqual([10, 15]);
});
