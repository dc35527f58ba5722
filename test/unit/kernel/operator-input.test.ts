import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { bodyValidator } from '../../../api/http/input/validation.ts';
import {
  OPERATOR,
  operatorInputErrors,
  OWN_ID,
  wordsUpTo,
} from '../../../kernel/pure/operator-input.ts';
import { Id, Strict, Words } from '../../../kernel/pure/schemas.ts';

const INPUT = {
  by: OPERATOR,
  note: wordsUpTo(20),
  until: { type: 'string', format: 'date-time' },
  erpItemSizeId: OWN_ID,
  decision: { type: 'string', enum: ['GRANT', 'IGNORE'] },
} as const;
const VALID = {
  by: 'Anna',
  note: 'x',
  until: '2026-12-01T12:00:00Z',
  erpItemSizeId: 7,
  decision: 'GRANT',
};
const ofApi = bodyValidator(
  Strict({
    by: Type.String({ minLength: 1, maxLength: 100 }),
    note: Type.String({ minLength: 1, maxLength: 20 }),
    until: Type.String({ format: 'date-time' }),
    erpItemSizeId: Id,
    decision: Words(['GRANT', 'IGNORE']),
  }),
);

describe('the input of an operator', () => {
  test('[OPS-184] passes if it is valid', () => {
    expect(operatorInputErrors(INPUT, VALID)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a text instead of an object', 'hello'],
    ['null', null],
    ['a list', [VALID]],
    ['nothing', undefined],
    ['an empty object', {}],
    ['empty texts', { ...VALID, by: '', note: '' }],
    ['texts that are too long', { ...VALID, by: 'a'.repeat(101), note: '🙂'.repeat(21) }],
    ['values of other types', { by: 1, note: null, until: 5, erpItemSizeId: '7', decision: true }],
    ['a number that is no id', { ...VALID, erpItemSizeId: 0 }],
    ['a fraction', { ...VALID, erpItemSizeId: 1.5 }],
    ['an id beyond all ids', { ...VALID, erpItemSizeId: 2 ** 60 }],
    ['a word that is not listed', { ...VALID, decision: 'PERHAPS' }],
    ['an unknown field', { ...VALID, because: 'x' }],
    ['a text that is no moment', { ...VALID, until: 'Friday' }],
    ['a day that the month does not have', { ...VALID, until: '2026-02-30T12:00:00Z' }],
    ['a moment without a zone', { ...VALID, until: '2026-12-01T12:00:00' }],
    ['a text that PostgreSQL cannot store', { ...VALID, note: 'a\0b' }],
  ])('[OPS-184] causes the errors of the API for %s', (_, input) => {
    const errors = operatorInputErrors(INPUT, input);

    expect(errors).not.toEqual([]);
    expect(errors).toEqual(ofApi(input));
  });

  test('[OPS-184] contains no blank texts and no control characters', () => {
    expect(operatorInputErrors(INPUT, { ...VALID, by: ' ', note: 'a\u0007' })).toMatchObject([
      { field: 'by', code: 'required' },
      { field: 'note', code: 'invalid' },
    ]);
  });
});
