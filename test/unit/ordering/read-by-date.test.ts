import { expect, test } from '@jest/globals';
import type { ErpClient } from '../../../erp/client.ts';
import type { DeliverySearch } from '../../../erp/endpoints/deliveries-read.ts';
import { ErpFailure } from '../../../erp/failure.ts';
import { askWhole } from '../../../modules/ordering/polling/ask-together.ts';
import { readByDate } from '../../../modules/ordering/polling/read-by-date.ts';

const BEGIN = Temporal.Instant.from('2031-02-03T00:00:00Z');
const period = (hours: number, organizationIds = ['a', 'b', 'c']) => ({
  organizationIds,
  from: BEGIN,
  to: BEGIN.add({ hours }),
});
const countHours = ({ from, to }: DeliverySearch): number => from!.until(to!).total('hours');

/** Reads a period. Returns the answered searches and the saved ends. */
async function read(isRefused: (search: DeliverySearch) => boolean, of = period(48)) {
  const answered: DeliverySearch[] = [];
  const ends: number[] = [];
  const deliveriesByPhone = async (_: number, search: DeliverySearch) => {
    if (isRefused(search))
      throw new ErpFailure('CLIENT', {
        endpoint: '/x',
        status: 422,
        code: 'TOO_MANY_DATA_REQUESTED',
      });
    answered.push(search);
    return { orders: [], unreadable: 0, maxRevision: 1 };
  };
  const work = {
    apply: async () => undefined,
    done: async (to: Temporal.Instant) => void ends.push(BEGIN.until(to).total('hours')),
  };
  const error = await readByDate(
    { deliveriesByPhone } as unknown as ErpClient,
    1,
    of,
    work,
    askWhole(undefined),
  ).then(
    () => null,
    (failure: unknown) => failure,
  );
  return { answered, ends, error };
}

test('[ORD-101] days are read one by one, and each is saved', async () => {
  const { answered, ends } = await read(() => false, period(60));

  expect(answered.map(countHours)).toEqual([24, 24, 12]);
  expect(ends).toEqual([24, 48, 60]);
});

test('[ORD-101] a day that is too large is read by halves of time, in order', async () => {
  const { answered, ends, error } = await read((search) => countHours(search) > 6, period(24));

  expect(error).toBeNull();
  expect(answered.map(countHours)).toEqual([6, 6, 6, 6]);
  expect(new Set(ends)).toEqual(new Set([6, 12, 18, 24]));
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
});

test('[ORD-101] an hour that is too large is read by halves of its restaurants, and saved completely', async () => {
  const { answered, ends, error } = await read(
    ({ organizationIds }) => organizationIds.length > 1,
    period(1),
  );

  expect(error).toBeNull();
  expect(answered.map(({ organizationIds }) => organizationIds)).toEqual([['a'], ['b'], ['c']]);
  expect(new Set(ends)).toEqual(new Set([1]));
});

test('[ORD-101] an hour of one restaurant that is too large fails after the readable part was saved', async () => {
  const { ends, error } = await read(
    (search) => countHours(search) > 12 || search.from!.hour >= 12,
    period(24, ['a']),
  );

  expect(error).toMatchObject({ code: 'TOO_MANY_DATA_REQUESTED' });
  expect(Math.max(...ends)).toBe(12);
});
