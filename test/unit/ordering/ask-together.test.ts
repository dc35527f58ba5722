import { describe, expect, test } from '@jest/globals';
import { ErpFailure, type ErpFailureKind } from '../../../erp/failure.ts';
import { jointRequests } from '../../../modules/ordering/polling/ask-together.ts';

const failure = (kind: ErpFailureKind, status: number) =>
  new ErpFailure(kind, { endpoint: '/x', status });

function requests(
  ids: string[],
  refused: readonly string[],
  error: unknown = failure('FORBIDDEN', 403),
) {
  const leftOut: { id: string; notifies: boolean }[] = [];
  const calls: string[][] = [];
  const joint = jointRequests(
    ids,
    async (found, { notifies }) =>
      void leftOut.push(...found.map(({ organizationId }) => ({ id: organizationId, notifies }))),
    { isPart: true },
  );
  const request = async (some: string[]) => {
    calls.push(some);
    if (some.some((id) => refused.includes(id))) throw error;
    return some.join('');
  };
  const ask = async (among: readonly string[] = ids) =>
    (await joint.ask(among, request)).map(({ answer }) => answer).toSorted();
  return { joint, leftOut, calls, ask };
}

describe('[ORD-117] requests about several organizations', () => {
  test.each([
    [['c'], ['ab', 'd']],
    [
      ['a', 'd'],
      ['b', 'c'],
    ],
    [[], ['abcd']],
  ])('exclude rejected organizations and record them once: %j', async (refused, answers) => {
    const { joint, leftOut, ask, calls } = requests(['a', 'b', 'c', 'd'], refused);
    const first = await ask();
    const before = calls.length;
    const second = await ask();

    expect(first).toEqual(answers);
    expect(second).toHaveLength(1);
    expect(calls).toHaveLength(before + 1);
    expect(leftOut.map(({ id }) => id).toSorted()).toEqual(refused);
    expect(joint.answering().filter((id) => refused.includes(id))).toEqual([]);
  });

  test('return nothing about organizations that are all rejected while others are not', async () => {
    const { leftOut, ask, calls } = requests(['a', 'b', 'c'], ['a', 'b']);
    const found = [await ask(['a', 'b']), await ask(['a', 'b']), await ask(['c'])];

    expect(found).toEqual([[], [], ['c']]);
    expect(leftOut).toEqual(['a', 'b'].map((id) => ({ id, notifies: true })));
    expect(calls.at(-1)).toEqual(['c']);
    expect(calls).toHaveLength(4);
  });

  test('fail without a notification if every organization is rejected', async () => {
    const { leftOut, ask } = requests(['a', 'b'], ['a', 'b']);

    await expect(ask()).rejects.toMatchObject({ kind: 'FORBIDDEN' });
    expect(leftOut).toEqual(['a', 'b'].map((id) => ({ id, notifies: false })));
  });

  test.each([failure('SERVER', 500), failure('TIMEOUT', 0), new Error('stopped')])(
    'fail with any other error, and exclude no organization: %s',
    async (error) => {
      const { joint, leftOut, ask, calls } = requests(['a', 'b'], ['a'], error);

      await expect(ask()).rejects.toBe(error);
      expect([calls.length, leftOut, joint.answering()]).toEqual([1, [], ['a', 'b']]);
    },
  );
});
