import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toStoredFile } from '../../../modules/media/media-urls.ts';
import { longUrl, shortUrl } from '../../../modules/media/rules/short-url.ts';

const FOLDER = '11bfc848d50bc665da0d7ae9';

describe('the short URL of a rendition', () => {
  test.each([
    ['card.webp', 'c.webp'],
    ['card@2x.webp', 'c2.webp'],
    ['card@3x.jpeg', 'c3.jpeg'],
    ['thumb@2x.webp', 't2.webp'],
    ['full.jpeg', 'f.jpeg'],
    ['thumb.avif', 't.avif'],
  ])('leads from %s, as %s, to the same stored file', (long, short) => {
    const url = `/media/${FOLDER}/${long}`;

    expect(shortUrl(url)).toBe(`/media/Eb_ISNULxmXaDXrp/${short}`);
    expect(longUrl(shortUrl(url))).toBe(url);
    expect(toStoredFile(shortUrl(url))).toEqual(toStoredFile(url));
    expect(toStoredFile(url)?.key).toBe(`renditions/${FOLDER}/${long.replace('@', '-')}`);
  });

  test('[MED-4] contains all data of the long one', () => {
    const folder = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => bytes.toHex());
    const file = fc.tuple(
      fc.constantFrom('card', 'thumb', 'full'),
      fc.constantFrom('', '@2x', '@3x'),
      fc.constantFrom('webp', 'jpeg', 'avif'),
    );
    fc.assert(
      fc.property(folder, file, (some, [name, density, format]) => {
        const url = `/media/${some}/${name}${density}.${format}`;
        expect(longUrl(shortUrl(url))).toBe(url);
        expect(shortUrl(url).length).toBeLessThan(url.length - 8);
      }),
      { seed: 38, numRuns: 300 },
    );
  });

  test.each([
    '/media/Eb_ISNULxmXaDXr/c.webp',
    '/media/Eb_ISNULxmXaDXrp/x.webp',
    '/media/Eb_ISNULxmXaDXrp/c1.webp',
    '/media/Eb+ISNULxmXaDXrp/c.webp',
    '/media/../../etc/passwd',
    'https://cdn.example/card.webp',
    '',
  ])('leads nowhere for %s', (url) => {
    expect(shortUrl(url)).toBe(url);
    expect(longUrl(url)).toBe(url);
    expect(toStoredFile(url)).toBeUndefined();
  });
});
