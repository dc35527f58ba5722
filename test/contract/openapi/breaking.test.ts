import { describe, expect, test } from '@jest/globals';
import { breakingChanges, type ApiDescription } from '../../../tools/openapi-breaking.ts';

type Schema = Record<string, unknown>;

const describeApi = (answer: Schema, parameters: object[] = []): ApiDescription =>
  ({
    paths: {
      '/menu': {
        get: { parameters, responses: { 200: { content: { 'application/json': { schema: answer } } }, 304: {} } },
      },
    },
  }) as unknown as ApiDescription;

const text = { type: 'string' };
const orNull = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] });
const object = (properties: Schema, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const query = (name: string, required: boolean, schema: Schema = text) => ({ name, in: 'query', required, schema });

describe('is a break', () => {
  test.each<[string, ApiDescription, ApiDescription]>([
    ['a path that goes', describeApi(object({})), { paths: {} }],
    ['a field that goes', describeApi(object({ a: text })), describeApi(object({}))],
    ['a field that may be absent', describeApi(object({ a: text })), describeApi(object({ a: text }, []))],
    ['a field of another type', describeApi(object({ a: text })), describeApi(object({ a: { type: 'integer' } }))],
    ['a field that may be null', describeApi(object({ a: text })), describeApi(object({ a: orNull(text) }))],
    [
      'a deep field that goes',
      describeApi(object({ list: { type: 'array', items: orNull(object({ a: text, b: text })) } })),
      describeApi(object({ list: { type: 'array', items: orNull(object({ a: text })) } })),
    ],
    ['a parameter that goes', describeApi(text, [query('q', false)]), describeApi(text)],
    ['a new required parameter', describeApi(text), describeApi(text, [query('q', true)])],
    [
      'a parameter that becomes required',
      describeApi(text, [query('q', false)]),
      describeApi(text, [query('q', true)]),
    ],
    [
      'a value that is refused',
      describeApi(text, [query('q', false, { type: 'string', enum: ['a', 'b'] })]),
      describeApi(text, [query('q', false, { type: 'string', enum: ['a'] })]),
    ],
  ])('%s', (_, before, after) => {
    expect(breakingChanges(before, after)).toHaveLength(1);
  });
});

describe('is no break', () => {
  test.each<[string, ApiDescription, ApiDescription]>([
    ['a new field', describeApi(object({ a: text })), describeApi(object({ a: text, b: text }))],
    ['a field that is never null any more', describeApi(object({ a: orNull(text) })), describeApi(object({ a: text }))],
    ['a new optional parameter', describeApi(text), describeApi(text, [query('q', false)])],
    ['a new path', { paths: {} }, describeApi(text)],
    ['other prose', describeApi({ ...text, description: 'Old' }), describeApi({ ...text, description: 'New' })],
  ])('%s', (_, before, after) => {
    expect(breakingChanges(before, after)).toEqual([]);
  });
});
