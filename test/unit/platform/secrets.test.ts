import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createSecretBox, sameSecret } from '../../../platform/secrets.ts';

const oldKey = { id: 'old', key: randomBytes(32) };
const newKey = { id: 'new', key: randomBytes(32) };

describe('the function createSecretBox', () => {
  test('returns equal digests wherever the keys are, compared by the key that they name', () => {
    const [before, during, after] = [[oldKey], [newKey, oldKey], [newKey]].map((keys) =>
      createSecretBox(keys),
    );
    const digest = before!.digest('a', 'text');

    expect(createSecretBox([oldKey]).digest('a', 'text')).toBe(digest);
    expect([before, during, after].map((box) => box!.isDigestOf('a', 'text', digest))).toEqual([
      true,
      true,
      false,
    ]);
    expect(during!.isDigestOf('b', 'text', digest)).toBe(false);
    expect(during!.isDigestOf('a', 'other', digest)).toBe(false);
    expect(during!.digest('a', 'text')).not.toBe(digest);
  });

  test('opens what it sealed, and seals the same text differently each time', () => {
    const box = createSecretBox([newKey]);
    const [one, two] = [box.seal('token', 1, 'секрет'), box.seal('token', 1, 'секрет')];

    expect(box.open('token', 1, one)).toBe('секрет');
    expect(one).not.toBe(two);
    expect(one).not.toContain('секрет');
  });

  test('reads older keys, writes with the first and reports outdated texts', () => {
    const sealed = createSecretBox([oldKey]).seal('token', 1, 'x');
    const box = createSecretBox([newKey, oldKey]);

    expect(box.open('token', 1, sealed)).toBe('x');
    expect(box.isStale(sealed)).toBe(true);
    expect(box.isStale(box.seal('token', 1, 'x'))).toBe(false);
  });

  test('[ACC-23] opens a text with a key bound to rows only in its row, by number or by text', () => {
    const [bound, free] = ['new@row', 'new'].map((id) => createSecretBox([{ ...newKey, id }]));
    const sealed = bound!.seal('token', 1, 'x');

    expect(bound!.open('token', '1', sealed)).toBe('x');
    expect(() => bound!.open('token', 2, sealed)).toThrow('authenticate');
    expect(free!.open('token', 2, free!.seal('token', 1, 'x'))).toBe('x');
  });

  test('[ACC-23] accepts no text of the same key without the marker for one with it', () => {
    const free = createSecretBox([newKey]).seal('token', 1, 'x');
    const bound = createSecretBox([{ ...newKey, id: 'new@row' }]);

    expect(bound.canOpen(free)).toBe(false);
    expect(() => bound.open('token', 1, free.replace('new.', 'new@row.'))).toThrow('authenticate');
  });

  test.each([
    [
      'another purpose',
      (sealed: string) => createSecretBox([newKey]).open('apiLogin', 1, sealed),
      'authenticate',
    ],
    [
      'an unknown key',
      (sealed: string) => createSecretBox([oldKey]).open('token', 1, sealed),
      'No encryption key',
    ],
    [
      'changed bytes',
      (sealed: string) =>
        createSecretBox([newKey]).open(
          'token',
          1,
          sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA'),
        ),
      'authenticate',
    ],
    [
      'a text that was never sealed',
      () => createSecretBox([newKey]).open('token', 1, 'plain'),
      'No encryption key',
    ],
  ])('throws for %s', (_, open, message) => {
    const sealed = createSecretBox([newKey]).seal('token', 1, 'a longer secret');

    expect(() => open(sealed)).toThrow(message);
  });
});

test.each([
  ['same', 'same', true],
  ['same', 'samE', false],
  ['short', 'a much longer text', false],
  ['', '', true],
])('the comparison sameSecret(%j, %j) is %s', (given, expected, same) => {
  expect(sameSecret(given, expected)).toBe(same);
});
