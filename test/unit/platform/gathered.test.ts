import { expect, test } from '@jest/globals';
import { gathered } from '../../../kernel/events/outbox-delivery.ts';

test('concurrent calls become one call, and later ones another', async () => {
  const calls: (readonly number[])[] = [];
  const mark = gathered(5, async (ids: readonly number[]) => void calls.push(ids));

  await Promise.all([mark(1), mark(2), mark(3)]);
  await mark(4);

  expect(calls).toEqual([[1, 2, 3], [4]]);
});

test('every call fails with its joined call, and the next one does not', async () => {
  let isDown = true;
  const mark = gathered(5, async () => {
    if (isDown) throw new Error('the database is away');
  });

  const failed = await Promise.allSettled([mark(1), mark(2)]);
  isDown = false;

  expect(failed.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  await expect(mark(3)).resolves.toBeUndefined();
});
