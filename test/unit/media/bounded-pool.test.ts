import { expect, test } from '@jest/globals';
import { createBoundedPool } from '../../../platform/bounded-pool.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

test('at most `slots` run, `waiting` wait in order, and the next one is refused at once', async () => {
  const pool = createBoundedPool({ slots: 1, waiting: 1 });
  const started: string[] = [];
  const [first, second] = [gate(), gate()];
  const task = (name: string, door: { opened: Promise<void> }) => async () => {
    started.push(name);
    await door.opened;
    return name;
  };

  const one = pool.run(task('one', first));
  const two = pool.run(task('two', second));
  expect(pool.run(async () => 'three')).toBeUndefined();
  expect(started).toEqual(['one']);

  first.open();
  expect(await one).toBe('one');
  second.open();
  expect(await two).toBe('two');
  expect(started).toEqual(['one', 'two']);
});

test('a failed task gives its slot back', async () => {
  const pool = createBoundedPool({ slots: 1, waiting: 0 });
  const failing = async () => {
    throw new Error('broken');
  };
  await expect(pool.run(failing)).rejects.toThrow('broken');
  expect(await pool.run(async () => 'next')).toBe('next');
});
