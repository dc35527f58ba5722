import { expect, test } from '@jest/globals';
import {
  commonSpans,
  joinSpans,
  spanAt,
  spanAtOrAfter,
  type Span,
} from '../../../kernel/pure/spans.ts';

const spans = (...pairs: [number, number][]): Span[] => pairs.map(([from, to]) => ({ from, to }));
const TWO = spans([1, 3], [5, 7]);

test.each<[string, Span[], Span[]]>([
  ['are sorted', spans([5, 7], [1, 3]), TWO],
  ['are joined where they overlap', spans([1, 3], [2, 5]), spans([1, 5])],
  ['are joined where they touch', spans([1, 3], [3, 5]), spans([1, 5])],
  ['end with the one that ends last', spans([1, 9], [2, 5]), spans([1, 9])],
  ['stay apart where they do not touch', TWO, TWO],
  ['are none where they are empty or end before they begin', spans([1, 1], [3, 2]), []],
])('the spans of a list %s', (_, given, expected) => {
  expect(joinSpans(given)).toEqual(expected);
});

test.each<[string, Span[], Span[]]>([
  ['lies in both', spans([2, 6]), spans([2, 3], [5, 6])],
  ['is none where they touch', spans([3, 5]), []],
  ['is all of it where one holds the other', spans([0, 9]), TWO],
])('the common time of two lists %s', (_, other, expected) => {
  expect(commonSpans(TWO, other)).toEqual(expected);
  expect(commonSpans(other, TWO)).toEqual(expected);
});

test.each([
  [0, undefined, 1],
  [1, 1, 1],
  [2, 1, 1],
  [3, undefined, 5],
  [5, 5, 5],
  [7, undefined, undefined],
])(
  'at %i the current span is that from %p, and the present or next one that from %p',
  (at, present, next) => {
    expect([spanAt(TWO, at)?.from, spanAtOrAfter(TWO, at)?.from]).toEqual([present, next]);
  },
);
