import { describe, expect, test } from '@jest/globals';
import {
  referencePages,
  writeType,
  type Description,
} from '../../../packages/docs-site/reference.ts';

const DESCRIPTION: Description = {
  info: { title: 'Carte toy API', description: 'See [/problems](/problems).' },
  servers: [{ url: '/api/v9' }],
  tags: [{ name: 'Small things' }],
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        summary: 'Read a thing',
        description: 'Returns one thing.',
        tags: ['Small things'],
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'A | B',
            schema: { type: 'string', format: 'uuid' },
          },
        ],
        responses: {
          200: {
            description: 'Done',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Thing' },
                example: { id: 'a', items: Array.from({ length: 80 }, (_, index) => index) },
              },
            },
          },
          404: { description: '`not-found`: It does not exist.' },
        },
        'x-codeSamples': [
          { lang: 'Shell', label: 'curl', source: 'curl /api/v9/things/a' },
          { lang: 'Python', label: 'Python', source: 'import requests' },
        ],
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' }, kind: { enum: ['A', 'B'] } },
      },
    },
  },
};

describe('the pages of an API reference', () => {
  const pages = referencePages('toy', DESCRIPTION, '../docs');

  test('[OPS-169] contain an index with a console, a page for each tag, and one of all objects', () => {
    expect([...pages.keys()]).toEqual(['toy.md', 'toy/small-things.md', 'toy/objects.md']);
    const index = pages.get('toy.md')!;
    expect(index).toMatch(/^# Toy API\n/);
    expect(index).toContain(
      '- [Read a thing](toy/small-things.md#getThing): `GET /api/v9/things/{id}`',
    );
    expect(index).toContain('```api-console\ntoy\n```');
  });

  test('[OPS-169] show call, parameters, answers, problems, samples and a shortened example', () => {
    const page = pages.get('toy/small-things.md')!;

    expect(page).toContain(
      '## Read a thing {#getThing}\n\n`GET /api/v9/things/{id}`\n\nReturns one thing.',
    );
    expect(page).toContain(String.raw`| ${'`id`'} (required) | path | string (uuid) | A \| B |`);
    expect(page).toContain('| 200 | [Thing](objects.md#Thing) | Done |');
    expect(page).toContain('**Problems:** 404 [`not-found`](../../docs/problems.md#not-found).');
    expect(page).toMatch(/::: code-group\n\n````txt \[curl\]\n.*````txt \[Python\]\n/s);
    expect(page).toContain('\n…\n````');
    expect(page).toContain('[Try it out](../toy.md#/Small%20things/getThing)');
  });

  test('[OPS-169] describe each field of an object, and link documents instead of pages of an instance', () => {
    expect(pages.get('toy/objects.md')).toContain('| `kind` (optional) | `A`, `B` |  |');
    expect(pages.get('toy.md')).toContain('See [/problems](../docs/problems.md).');
  });

  test.each([
    [{ type: ['string', 'null'] }, 'string or null'],
    [
      { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
      'list of [Thing](objects.md#Thing)',
    ],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'map of number'],
    [{ const: 'LINE' }, '`"LINE"`'],
    [{}, 'any value'],
  ])('[OPS-169] name the type of %j', (schema, name) => {
    expect(writeType(schema)).toBe(name);
  });
});
