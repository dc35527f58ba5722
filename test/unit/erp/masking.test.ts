import { describe, expect, test } from '@jest/globals';
import { maskText } from '../../../erp/masking.ts';

describe('the function maskText', () => {
  test.each([
    ['a known secret anywhere', 'key s3cr"et is unknown', ['s3cr"et'], 'key [masked] is unknown'],
    [
      'a known secret as JSON writes it',
      '{"text":"key s3cr\\"et"}',
      ['s3cr"et'],
      '{"text":"key [masked]"}',
    ],
    [
      'a secret field',
      '{"apiLogin": "abc", "name":"x"}',
      [],
      '{"apiLogin": "[masked]", "name":"x"}',
    ],
    ['a secret field that is cut off', '{"token":"eyJhb', [], '{"token":"[masked]"'],
    ['a bearer token', 'Authorization: Bearer abc.def-1', [], 'Authorization: Bearer [masked]'],
    ['a JWT', 'bad token eyJhbGciOiJub25lIn0.eyJleHAiOjF9.x here', [], 'bad token [masked] here'],
    ['a phone', 'guest +79991234567 not found', [], 'guest [masked] not found'],
    ['an empty secret changes nothing', 'abc', [''], 'abc'],
  ])('%s', (_name, text, secrets, expected) => {
    expect(maskText(text, secrets)).toBe(expected);
  });
});
