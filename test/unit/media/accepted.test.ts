import { describe, expect, test } from '@jest/globals';
import {
  ACCEPTED_FORMATS,
  decideImage,
  formatOfMime,
} from '../../../modules/media/rules/accepted.ts';
import { normalFolder, shownFileName } from '../../../modules/media/rules/folder.ts';

describe('an uploaded image', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'can be %s, with up to 50 million pixels',
    (format) => {
      expect(decideImage({ format, width: 10_000, height: 5_000 })).toEqual({
        kind: 'accepted',
        format,
      });
      expect(decideImage({ format, width: 10_000, height: 5_001 })).toMatchObject({
        kind: 'refused',
        code: 'too_many_pixels',
        message: 'The image has more than 50 million pixels.',
      });
    },
  );

  test.each(['gif', 'toString', undefined])('cannot be %s', (format) => {
    expect(decideImage({ format, width: 1, height: 1 })).toMatchObject({
      kind: 'refused',
      code: 'unsupported_format',
    });
  });

  test('must match the format of its stored content type', () => {
    for (const [format, { mime }] of Object.entries(ACCEPTED_FORMATS))
      expect(formatOfMime(mime)).toBe(format);
    expect(() => formatOfMime('image/gif')).toThrow('image/gif');
  });
});

test.each([
  ['', ''],
  ['/', ''],
  ['dishes', 'dishes'],
  [' / dishes //hot soups/ ', 'dishes/hot soups'],
])('the folder %j is stored as %j', (written, stored) => {
  expect(normalFolder(written)).toBe(stored);
});

test.each([
  ['soup.png', 'soup.png'],
  ['C:\\pictures\\soup.png', 'soup.png'],
  ['/home/of/soup.png', 'soup.png'],
  [' so\u0000up\u202e.png\n', 'soup.png'],
  ['half\ud83d', 'half\ufffd'],
  ['pictures/', 'picture'],
  ['\u202e \n', 'picture'],
  ['🍣'.repeat(256), '🍣'.repeat(255)],
])('a file %j is shown as %j', (name, shown) => {
  expect(shownFileName(name)).toBe(shown);
});
