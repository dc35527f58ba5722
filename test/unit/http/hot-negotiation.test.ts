import { describe, expect, test } from '@jest/globals';
import {
  bestEncoding,
  chooseEncoding,
  type Encoding,
} from '../../../api/http/hot/hot-negotiation.ts';

const ALL: readonly Encoding[] = ['br', 'gzip', 'identity'];

describe('an Accept-Encoding header', () => {
  test.each<[string | undefined, Encoding]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['BR', 'br'],
    ['br ; q=0.3 , gzip ; Q=0.4', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0, *', 'identity'],
    ['gzip, identity', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['*;q=0', 'identity'],
    ['deflate', 'identity'],
    ['gzip;q=high', 'identity'],
    ['gzip;q=-1', 'identity'],
    [',;,=,;q', 'identity'],
    ['deflate;a="gzip, br', 'identity'],
  ])('%j selects %s', (header, encoding) => {
    expect(bestEncoding(header, ALL)).toBe(encoding);
    // The second call reads the cached header.
    expect(bestEncoding(header, ALL)).toBe(encoding);
  });

  test('selects the next best encoding when the best one is not offered', () => {
    expect(bestEncoding('br, gzip;q=0.5', ['gzip', 'identity'])).toBe('gzip');
    expect(bestEncoding('gzip;q=0.1, *;q=0.5', ['gzip', 'identity'])).toBe('gzip');
    expect(bestEncoding('br', ['gzip', 'identity'])).toBe('identity');
    expect(bestEncoding('gzip;q=0, *', ['gzip', 'identity'])).toBe('identity');
  });

  test('selects an encoding in which the document exists', () => {
    const bytes = Buffer.alloc(1);
    const document = { etag: '"a"', identity: bytes, gzip: bytes, br: null } as Parameters<
      typeof chooseEncoding
    >[0];
    expect(chooseEncoding(document, 'br, gzip')).toBe('gzip');
    expect(chooseEncoding({ ...document, gzip: null }, 'br, gzip')).toBe('identity');
  });

  test('ends at its 1,000th character', () => {
    expect(bestEncoding(`${'a,'.repeat(498)}gzip`, ALL)).toBe('gzip');
    expect(bestEncoding(`${'a,'.repeat(500)}gzip`, ALL)).toBe('identity');
  });
});
