import { expect, test } from '@jest/globals';
import { toPage } from '../../../api/http/schemas.ts';

test.each([
  [{}, { page: 1, size: 50, limit: 50, offset: 0, sort: [] }],
  [
    { page: 501, size: 200 },
    { page: 501, size: 200, limit: 200, offset: 100_000, sort: [] },
  ],
])('the page of %j is %j', (query, page) => {
  expect(toPage(query)).toEqual(page);
});

test('[OPS-62] a page that begins after 100,000 items is rejected', () => {
  for (const query of [{ page: 502, size: 200 }, { page: 1_000_000 }])
    expect(() => toPage(query)).toThrow(
      expect.objectContaining({
        kind: 'validation',
        details: { errors: [{ field: 'page', code: 'max', message: expect.any(String) }] },
      }),
    );
});
