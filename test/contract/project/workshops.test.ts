import { readdir, stat } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { WORKSHOPS } from '../../../packages/dev/workshops.ts';
import { root } from '../../support/processes.ts';

test('each folder of test/workshop has inputs that exist, and is one of them', async () => {
  const folders = await readdir(`${root}test/workshop`);
  const inputs = Object.values(WORKSHOPS).flat();
  const missing = await Promise.all(
    inputs.map((input) =>
      stat(root + input).then(
        () => [],
        () => [input],
      ),
    ),
  );

  expect(folders.toSorted()).toEqual(Object.keys(WORKSHOPS).toSorted());
  expect(missing.flat()).toEqual([]);
  for (const [name, own] of Object.entries(WORKSHOPS))
    expect(own).toContain(`test/workshop/${name}/`);
});
