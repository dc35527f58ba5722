import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createSecretBox, sameSecret } from '../../../platform/secrets.ts';

const oldKey = { id: 'old', key: randomBytes(32) };
const newKey = { id: 'new', key: randomBytes(32) };

describe('createSecretBox', () => {
  test('digests are equal wherever the keys are, and are compared by the key they name', () => {
    const [before, during, after] = [[oldKey], [newKey, oldKey], [newKey]].map((keys) => createSecretBox(keys));
    const digest = before!.digest('a', 'text');

    expect(createSecretBox([oldKey]).digest('a', 'text')).toBe(digest);
    expect([before, during, after].map((box) => box!.isDigestOf('a', 'text', digest))).toEqual([true, true, false]);
    expect(during!.isDigestOf('b', 'text', digest)).toBe(false);
    expect(during!.isDigestOf('a', 'other', digest)).toBe(false);
    expect(during!.digest('a', 'text')).not.toBe(digest);
  });

  test('opens what it sealed, and seals the same text differently each time', () => {
    const box = createSecretBox([newKey]);
    const [one, two] = [box.seal('token', 'секрет'), box.seal('token', 'секрет')];

    expect(box.open('token', one)).toBe('секрет');
    expect(one).not.toBe(two);
    expect(one).not.toContain('секрет');
  });

  test('reads older keys, writes with the first and says what is stale', () => {
    const sealed = createSecretBox([oldKey]).seal('token', 'x');
    const box = createSecretBox([newKey, oldKey]);

    expect(box.open('token', sealed)).toBe('x');
    expect(box.isStale(sealed)).toBe(true);
    expect(box.isStale(box.seal('token', 'x'))).toBe(false);
  });

  test.each([
    ['another purpose', (sealed: string) => createSecretBox([newKey]).open('apiLogin', sealed), 'authenticate'],
    ['an unknown key', (sealed: string) => createSecretBox([oldKey]).open('token', sealed), 'No encryption key'],
    [
      'changed bytes',
      (sealed: string) =>
        createSecretBox([newKey]).open('token', sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA')),
      'authenticate',
    ],
    ['a text that was never sealed', () => createSecretBox([newKey]).open('token', 'plain'), 'No encryption key'],
  ])('throws for %s', (_, open, message) => {
    const sealed = createSecretBox([newKey]).seal('token', 'a longer secret');

    expect(() => open(sealed)).toThrow(message);
  });
});

test.each([
  ['same', 'same', true],
  ['same', 'samE', false],
  ['short', 'a much longer text', false],
  ['', '', true],
])('sameSecret(%j, %j) is %s', (given, expected, same) => {
  expect(sameSecret(given, expected)).toBe(same);
});
