import { expect, test } from '@jest/globals';
import { isBulkheadRejectedError } from 'cockatiel';
import { MEDIA_USES } from '../../../modules/media-uses.ts';
import { createMedia } from '../../../modules/media/media-uses.ts';
import { localMediaStore } from '../../../platform/media-store-disk.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

const room = (limits: { slots: number; waiting: number }) =>
  createMedia({ store: localMediaStore('unused'), uses: MEDIA_USES }, limits).pool;

test('at most `slots` images run, `waiting` more queue in order, and the next one is rejected', async () => {
  const pool = room({ slots: 1, waiting: 1 });
  const started: string[] = [];
  const [first, second] = [gate(), gate()];
  const task = (name: string, door: { opened: Promise<void> }) => async () => {
    started.push(name);
    await door.opened;
    return name;
  };

  const one = pool.execute(task('one', first));
  const two = pool.execute(task('two', second));
  const rejection: unknown = await pool
    .execute(async () => 'three')
    .catch((error: unknown) => error);
  expect(isBulkheadRejectedError(rejection)).toBe(true);
  expect(started).toEqual(['one']);

  first.open();
  expect(await one).toBe('one');
  second.open();
  expect(await two).toBe('two');
  expect(started).toEqual(['one', 'two']);
});

test('a failed image frees its slot', async () => {
  const pool = room({ slots: 1, waiting: 0 });
  const failing = async () => {
    throw new Error('broken');
  };
  await expect(pool.execute(failing)).rejects.toThrow('broken');
  expect(await pool.execute(async () => 'next')).toBe('next');
});
