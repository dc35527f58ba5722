import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { readAnswer } from '../../../erp/answer.ts';
import { isErpFailure, type ErpFailure } from '../../../erp/failure.ts';
import { createCheck, Id } from '../../../erp/schemas/check.ts';

const check = createCheck(Type.Object({ rows: Type.Array(Type.Object({ id: Id })) }));

function read(
  status: number,
  body: string,
  options: { contentType?: string; retryAfter?: string } = {},
) {
  const { contentType = 'application/json', retryAfter } = options;
  const raw = { status, contentType, retryAfter, body: Buffer.from(body) };
  return readAnswer({ path: '/api/1/x', check }, raw, ['top-secret']).data;
}

function catchFailure(work: () => unknown): ErpFailure {
  try {
    work();
  } catch (error) {
    if (isErpFailure(error)) return error;
    throw error;
  }
  throw new Error('no failure');
}

describe('the function readAnswer', () => {
  test('returns the data with unknown fields, with or without a byte order mark', () => {
    expect(read(200, '{"rows":[{"id":"1","more":true}]}')).toEqual({
      rows: [{ id: '1', more: true }],
    });
    expect(read(200, '\uFEFF{"rows":[]}')).toEqual({ rows: [] });
  });

  test.each([
    ['NUL goes', String.raw`A\u0000B`, 'AB'],
    ['half of a pair is replaced', String.raw`A\ud800B`, 'A\ufffdB'],
    ['the other half too', String.raw`A\uDC00\uD83D`, 'A\ufffd\ufffd'],
    ['a half before a pair', String.raw`\ud83d\ud83c\udf55`, '\ufffd🍕'],
    ['a pair stays', String.raw`\ud83c\udf55 \u0416`, '🍕 Ж'],
    [
      'an escaped backslash is no escape',
      String.raw`\\u0000 \\ud800 \\\u0000`,
      String.raw`\u0000 \ud800 ` + '\\',
    ],
  ])('makes text storable that a database rejects: %s', (_what, escaped, text) => {
    expect(read(200, `{"rows":[{"id":"${escaped}"}]}`)).toEqual({ rows: [{ id: text }] });
    expect(read(200, `{"rows":[],"${escaped}":1}`)).toEqual({ rows: [], [text]: 1 });
  });

  test.each([
    [400, 'CLIENT', false],
    [401, 'UNAUTHORIZED', false],
    [403, 'FORBIDDEN', false],
    [404, 'CLIENT', false],
    [408, 'TIMEOUT', true],
    [410, 'GONE', false],
    [422, 'CLIENT', false],
    [429, 'RATE_LIMITED', true],
    [302, 'CLIENT', false],
    [500, 'SERVER', true],
    [502, 'SERVER', true],
    [503, 'SERVER', true],
  ])('treats status %i as %s, retryable %s', (status, kind, retryable) => {
    expect(catchFailure(() => read(status, '{}'))).toMatchObject({
      kind,
      status,
      retryable,
      endpoint: '/api/1/x',
    });
  });

  test('keeps the status of an HTML page of a gateway', () => {
    const failure = catchFailure(() =>
      read(502, '<html>Bad Gateway</html>', { contentType: 'text/html' }),
    );
    expect(failure).toMatchObject({ kind: 'SERVER', status: 502, retryable: true });
    expect(failure.message).toBe('ERP /api/1/x SERVER 502');
  });

  test('reports a success that is not JSON without quoting the body', () => {
    const failure = catchFailure(() => read(200, '{"rows":[{"id":"top-se'));
    expect(failure).toMatchObject({ kind: 'NOT_JSON', status: 200, retryable: false });
    expect(failure).not.toHaveProperty('cause');
    expect(failure.message).toBe(
      'ERP /api/1/x NOT_JSON 200: 22 bytes of application/json are not JSON',
    );
  });

  test.each([
    ['{"rows":[{"id":"1"},{"id":""}]}', 'rows.1.id must match pattern "\\S"'],
    ['{"rows":[{"id":"  "}]}', 'rows.0.id must match pattern "\\S"'],
    ['{"rows":[{}]}', 'rows.0.id is missing'],
    ['{"rows":[{"id":7}]}', 'rows.0.id must be string'],
    ['{"rows":null}', 'rows must be array'],
    ['{}', 'rows is missing'],
    ['null', 'the answer must be object'],
  ])('reports %s as an invalid answer with the position', (body, where) => {
    const failure = catchFailure(() => read(200, body));
    expect(failure).toMatchObject({ kind: 'INVALID_ANSWER', status: 200, retryable: false });
    expect(failure.message).toBe(`ERP /api/1/x INVALID_ANSWER 200: ${where}`);
  });

  test('shortens and masks the message of the ERP', () => {
    const body = {
      correlationId: 'c-1',
      errorDescription: `Key top-secret is bad. ${'x'.repeat(500)}`,
      error: 'BAD_KEY',
    };
    const failure = catchFailure(() => read(400, JSON.stringify(body)));
    expect(failure).toMatchObject({ correlationId: 'c-1', code: 'BAD_KEY' });
    expect(failure.message).toContain('Key [masked] is bad.');
    expect(failure.message.length).toBeLessThan(260);
  });

  test('reads the other error formats, and invalid ones are harmless', () => {
    expect(catchFailure(() => read(400, '{"code":"Transport_X","message":"No"}'))).toMatchObject({
      code: 'Transport_X',
    });
    for (const body of ['', '[]', '"text"', '{"errorDescription":{"a":1},"error":null}'])
      expect(catchFailure(() => read(400, body)).message).toBe('ERP /api/1/x CLIENT 400');
  });

  test('returns the Retry-After', () => {
    expect(catchFailure(() => read(429, '{}', { retryAfter: '3' })).retryAfterMs).toBe(3000);
  });
});
