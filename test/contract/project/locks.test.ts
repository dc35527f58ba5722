import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { MUTATIONS } from '../../../tools/locks/list.ts';
import { mutated, type Mutation } from '../../../tools/locks/mutation.ts';
import { NO_LOCKS } from '../../../tools/locks/no-locks.ts';
import { prove } from '../../../tools/locks/prove.ts';
import { uniqueRules, unlistedLocks } from '../../../tools/locks/unlisted.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string) => readFile(join(root, file), 'utf8');

describe('the list of check:locks is true', () => {
  test('every mutation can still be applied, and changes something', async () => {
    for (const each of MUTATIONS) {
      expect(each.from).not.toContain('\n');
      const text = await read(each.file);
      expect(mutated(each, text)).not.toBe(text);
    }
    expect(MUTATIONS.length).toBeGreaterThan(100);
    expect(new Set(MUTATIONS.map(({ id }) => id)).size).toBe(MUTATIONS.length);
  });

  test('every test it names exists', async () => {
    const rules = (await uniqueRules(root)).map(({ name }) => `of two rows at once ${name} takes one`);
    const missing: string[] = [];
    for (const { id, test: named } of MUTATIONS)
      if (!rules.includes(named.title) && !(await read(named.file)).includes(named.title)) missing.push(id);
    expect(missing).toEqual([]);
  });

  test('what it calls no lock is still there', async () => {
    for (const { file, from } of NO_LOCKS) expect(`${file}: ${await read(file)}`).toContain(from);
  });

  test('without it, locks and unique rules are found to have no proof', async () => {
    const unlisted = await unlistedLocks(root, []);
    expect(unlisted).toContain('unique rule mirror_item_erp_unique');
    expect(unlisted.filter((line) => line.includes('await advisory.')).length).toBeGreaterThan(2);
  });
});

describe('negative control', () => {
  const POOL = 'platform/bounded-pool.ts';
  const NAMED = { file: 'test/unit/media/bounded-pool.test.ts', title: 'at most `slots` run' };
  const cases: readonly (Mutation & { result: string })[] = [
    {
      id: 'harmless',
      protects: 'nothing',
      file: POOL,
      test: NAMED,
      result: 'SURVIVED',
      from: '/** Tasks that run or wait now. */',
      to: '/** Tasks that run now or wait. */',
    },
    {
      id: 'harmful',
      protects: 'the number of slots',
      file: POOL,
      test: NAMED,
      result: 'KILLED',
      from: 'if (running >= slots)',
      to: 'if (running < 0)',
    },
    {
      id: 'broken',
      protects: 'the syntax',
      file: POOL,
      test: NAMED,
      result: 'NO_PROOF',
      from: 'export function createSlots',
      to: 'export function function',
    },
    {
      id: 'untested',
      protects: 'nothing that is tested',
      file: POOL,
      result: 'NO_PROOF',
      from: 'if (running >= slots)',
      to: 'if (running < 0)',
      test: { ...NAMED, title: 'a title that no test has' },
    },
    {
      id: 'rewritten',
      protects: 'a line that is there no more',
      file: POOL,
      test: NAMED,
      result: 'NO_PROOF',
      from: 'a line that nobody wrote',
      to: '',
    },
  ];

  test('a mutation that harms nothing survives; one that breaks the file, has no test or no line proves nothing', async () => {
    const folder = await temporaryFolder('locks');
    const signal = AbortSignal.timeout(50_000);
    try {
      const verdicts = await prove(cases, {
        root,
        folder,
        lanes: 2,
        env: process.env,
        signal,
        progress: () => undefined,
      });
      expect(verdicts.map(({ mutation, result }) => [mutation.id, result])).toEqual(
        cases.map(({ id, result }) => [id, result]),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a line that is there twice, or not at all, is refused', () => {
    const lock = { id: 'any', file: 'a.ts', from: 'lock()', to: '' };
    expect(mutated(lock, 'lock(); work();')).toBe('; work();');
    expect(() => mutated(lock, 'lock(); lock();')).toThrow('any: a.ts has 2 times "lock()"');
    expect(() => mutated(lock, 'work();')).toThrow('any: a.ts has 0 times "lock()"');
  });
});
