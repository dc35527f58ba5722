import { describe, expect, test } from '@jest/globals';
import { askApart } from '../../../erp/apart.ts';
import { ErpFailure, type ErpFailureKind } from '../../../erp/failure.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index));

/** Requests organizations from an ERP that rejects each request that contains a member of `bad`. */
async function ask(
  all: string[],
  bad: string[],
  kind: ErpFailureKind = 'FORBIDDEN',
  isLastTry = false,
) {
  let calls = 0;
  const parts = await askApart(
    all,
    async (some) => {
      calls += 1;
      if (some.some((id) => bad.includes(id)))
        throw new ErpFailure(kind, { endpoint: '/x', status: 400 });
      return some;
    },
    { isLastTry },
  ).catch((error: unknown) => error as ErpFailure);
  if (parts instanceof ErpFailure) return { failure: parts.kind, calls };
  return {
    answered: parts.answers.flat().toSorted((a, b) => Number(a) - Number(b)),
    refused: parts.refused
      .map(({ organizationId }) => organizationId)
      .toSorted((a, b) => Number(a) - Number(b)),
    calls,
  };
}

describe('[MIR-67] the organizations of a request', () => {
  test('need one request if none is rejected', async () => {
    expect(await ask(ids(100), [])).toMatchObject({ refused: [], calls: 1 });
  });

  test.each([
    ['the last of three', 3, ['2']],
    ['the first of two', 2, ['0']],
    ['all but one', 5, ['0', '1', '2', '4']],
    ['one in each half', 8, ['1', '6']],
  ])('receive all answers except the rejected: %s', async (_what, count, bad) => {
    for (const kind of ['FORBIDDEN', 'CLIENT'] as const) {
      const found = await ask(ids(count), bad, kind);

      expect(found).toMatchObject({
        answered: ids(count).filter((id) => !bad.includes(id)),
        refused: bad,
      });
    }
  });

  test('need few requests for one rejected among a hundred', async () => {
    expect((await ask(ids(100), ['37'])).calls).toBeLessThanOrEqual(15);
  });

  test('need few rounds of requests with any number of rejected ones', async () => {
    const bad = ['3', '40', '41', '77'];
    let [running, rounds] = [0, 0];
    const parts = await askApart(ids(100), async (some) => {
      if (running === 0) rounds += 1;
      running += 1;
      await Promise.resolve();
      running -= 1;
      if (some.some((id) => bad.includes(id)))
        throw new ErpFailure('FORBIDDEN', { endpoint: '/x', status: 403 });
      return some;
    });

    expect(parts.refused.map(({ organizationId }) => organizationId).toSorted()).toEqual(
      bad.toSorted(),
    );
    expect(parts.answers.flat()).toHaveLength(96);
    expect(rounds).toBeLessThanOrEqual(8);
  });

  test('fail together if each of them is rejected', async () => {
    expect(await ask(ids(4), ids(4))).toEqual({ failure: 'FORBIDDEN', calls: 7 });
  });

  test('need separate requests for 5xx on the last try only, and not during an outage', async () => {
    expect(await ask(ids(8), ['3'], 'SERVER')).toEqual({ failure: 'SERVER', calls: 1 });
    expect(await ask(ids(8), ['3'], 'SERVER', true)).toMatchObject({ refused: ['3'] });
    expect(await ask(ids(100), ids(100), 'SERVER', true)).toEqual({ failure: 'SERVER', calls: 13 });
  });

  test.each([
    ['one of each quarter', 100, ['3', '40', '60', '90']],
    ['the first of each quarter', 100, ['0', '25', '50', '75']],
    ['five', 100, ['8', '24', '41', '58', '91']],
    ['each second one', 40, ids(40).filter((id) => Number(id) % 2 === 0)],
    ['all but the last of each pair', 8, ['0', '2', '4', '6']],
    ['all but one', 6, ['0', '1', '2', '4', '5']],
    ['all but one of three', 3, ['0', '2']],
  ])('[MIR-74] receive answers on the last try despite 5xx for %s', async (_what, count, bad) => {
    const found = await ask(ids(count), bad, 'SERVER', true);

    expect(found).toMatchObject({
      answered: ids(count).filter((id) => !bad.includes(id)),
      refused: bad,
    });
  });

  test('[MIR-74] end as an outage if six single requests fail, each sent once', async () => {
    for (const count of [1, 2, 4, 5, 6, 9, 30]) {
      const alone: string[] = [];
      const asked = askApart(
        ids(count),
        async (some) => {
          if (some.length === 1) alone.push(some[0]!);
          throw new ErpFailure('SERVER', { endpoint: '/x', status: 503 });
        },
        { isLastTry: true },
      );

      await expect(asked).rejects.toMatchObject({ kind: 'SERVER' });
      expect(new Set(alone).size).toBe(alone.length);
      expect(alone.length).toBeLessThanOrEqual(6);
    }
  });

  test('[ERP-27] mark every request except the first as one for a part', async () => {
    const splits: [number, boolean][] = [];
    await askApart(
      ids(40),
      async (some, { isSplit }) => {
        splits.push([some.length, isSplit]);
        if (some.some((id) => ['3', '13', '23', '33'].includes(id)))
          throw new ErpFailure('SERVER', { endpoint: '/x', status: 500 });
      },
      { isLastTry: true },
    );

    expect(splits[0]).toEqual([40, false]);
    expect(splits.slice(1).every(([, isSplit]) => isSplit)).toBe(true);
  });

  test.each(['TIMEOUT', 'CIRCUIT_OPEN', 'UNAUTHORIZED', 'RATE_LIMITED', 'INVALID_ANSWER'] as const)(
    'need no separate requests for %s',
    async (kind) => {
      expect(await ask(ids(4), ['1'], kind, true)).toEqual({ failure: kind, calls: 1 });
    },
  );
});
