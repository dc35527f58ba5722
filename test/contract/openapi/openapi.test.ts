import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nameInlineSchemas } from '../../../api/http/documents/inline-schemas.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { PARAMETER_TEXTS } from '../../../api/http/documents/parameter-texts.ts';
import { problemKinds, UNROUTED_KINDS } from '../../../api/http/problems/problem-kinds.ts';
import type { Api } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import {
  codePages,
  fieldsText,
  todoText,
  sourceText,
} from '../../../api/http/documents/code-pages.ts';
import { escapeHtml, withCode } from '../../../api/http/pages/page.ts';
import { CODE_LISTS, listCodes } from '../../../kernel/pure/codes.ts';
import { PROBLEMS } from '../../../kernel/pure/problems.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';

const BASELINE = new URL('../../../api/openapi/public.json', import.meta.url);
const APIS: Api[] = ['public', 'admin', 'webhooks'];

type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; description?: string }[];
  responses: object;
};
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> };
const built = new Map<Api, Document>(
  APIS.map((api) => [api, openApiDocument(api, routes) as unknown as Document]),
);
const document = (api: Api) => built.get(api)!;
const operations = (api: Api) =>
  Object.values(document(api).paths).flatMap((path) => Object.values(path));

describe('the document of the storefront API', () => {
  test('equals the committed baseline (npm run carte -- generate openapi writes it)', async () => {
    expect(document('public')).toEqual(JSON.parse(await readFile(BASELINE, 'utf8')));
  });
});

describe('the document of the admin API', () => {
  test('[HTTP-108] contains numbers as organizationId and externalMenuId in every answer', () => {
    const wrong = new Set<string>();
    const visit = (schema: unknown, operation: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties = {} } = schema as { properties?: Record<string, object> };
      for (const [name, member] of Object.entries(properties))
        if (
          /^(organizationId|externalMenuId)s?$/.test(name) &&
          !JSON.stringify(member).includes('"integer"')
        )
          wrong.add(`${operation} ${name}`);
      for (const member of Object.values(schema)) visit(member, operation);
    };
    for (const { api, operationId, responses } of routes)
      if (api === 'admin') visit(responses, operationId);

    expect([...wrong]).toEqual([]);
  });
});

describe('every operation of the description', () => {
  const all = APIS.flatMap((api) =>
    operations(api).map((operation) => [operation.operationId, operation] as const),
  );

  test('uses an id of its own', () => {
    expect(new Set(all.map(([id]) => id)).size).toBe(all.length);
    expect(all.length).toBe(routes.length);
  });

  test('[HTTP-18] describes every parameter, and no text is unused', () => {
    const parameters = all.flatMap(([id, operation]) =>
      operation.parameters.map((parameter) => ({ id, ...parameter })),
    );
    const texts = Object.entries(PARAMETER_TEXTS);

    expect(parameters.filter((parameter) => !/^\w.*\S$/.test(parameter.description ?? ''))).toEqual(
      [],
    );
    expect(
      texts.filter(
        ([name, text]) =>
          !parameters.some(
            (parameter) => parameter.name === name && parameter.description === text,
          ),
      ),
    ).toEqual([]);
  });

  test.each(all)(
    '[HTTP-18] contains for %s a summary, a description, a tag and its answers',
    (_, operation) => {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description).toMatch(/\.$/);
      expect(operation.tags).toHaveLength(1);
      expect(Object.keys(operation.responses).some((status) => /^2|^303$/.test(status))).toBe(true);
      // Any operation can return rejections before routing and unexpected failures.
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['414', '431', '500']),
      );
    },
  );
});

describe('the links of the description', () => {
  test('name existing operations, their parameters and members of the answer', () => {
    const linked = routes.flatMap((route) =>
      Object.entries(route.links ?? {}).flatMap(([target, parameters]) =>
        Object.entries(parameters).map(([name, member]) => ({ route, target, name, member })),
      ),
    );
    const wrong = linked.filter(({ route, target, name, member }) => {
      const { params, query } =
        routes.find((entry) => entry.api === route.api && entry.operationId === target) ?? {};
      const isParameter = name in { ...params?.properties, ...query?.properties };
      const answers = Object.values(route.responses) as { properties?: object }[];
      return !isParameter || !answers.every((answer) => member in (answer.properties ?? {}));
    });

    expect(linked.length).toBeGreaterThan(0);
    expect(
      wrong.map(({ route, target, name }) => `${route.operationId} → ${target} ${name}`),
    ).toEqual([]);
  });
});

describe('a request body', () => {
  test('may be omitted if each of its members may', () => {
    const isRequired = (api: Api, path: string) =>
      (document(api).paths[path]!['post'] as unknown as { requestBody: { required: boolean } })
        .requestBody.required;

    expect(isRequired('admin', '/connections/{id}/disable')).toBe(false);
    expect(isRequired('admin', '/connections')).toBe(true);
    expect(isRequired('webhooks', '/erp')).toBe(true);
  });
});

describe('a description of an API', () => {
  test.each(APIS)('contains for %s only keywords of JSON Schema and OpenAPI', (api) => {
    const text = JSON.stringify(document(api));

    expect(document(api).openapi).toBe('3.1.0');
    expect(text).not.toContain('x-money');
    expect(text).not.toContain('~kind');
  });

  test('[HTTP-7] shows money as numbers with two decimals, which no validator measures in floating point', () => {
    const text = JSON.stringify(APIS.map(document));

    expect(text).toContain('"x-decimal-places":2');
    expect(text).not.toContain('multipleOf');
  });

  test.each(APIS)('names every answer of %s', (api) => {
    const answers = operations(api).flatMap(({ operationId, responses }) =>
      Object.entries(
        responses as Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>,
      ).flatMap(([status, { content = {} }]) =>
        Object.values(content).map(
          ({ schema }) => `${operationId} ${status} ${schema.$ref ?? 'without a name'}`,
        ),
      ),
    );

    expect(answers.filter((answer) => answer.includes('without a name'))).toEqual([]);
  });

  test.each(APIS)(
    '[HTTP-74] contains for %s names in place of inline objects, enumerations and unions',
    (api) => {
      expect(unnamedIn(document(api))).toEqual([]);
    },
  );

  test('[HTTP-74] names inline schemas after their owners, once for the same title', () => {
    const either = {
      title: 'Either',
      description: 'Here',
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    };
    const sizes = {
      type: 'array',
      items: { type: 'object', properties: { unit: { enum: ['g', 'ml'] } } },
    };
    const text = { schema: { type: 'string', enum: ['a'] } };
    const given = {
      paths: {
        '/x': { get: { operationId: 'listX', parameters: [{ name: 'sort_by', ...text }] } },
      },
      components: {
        schemas: {
          Dish: { properties: { sizes, id: either, other: { anyOf: [either, { type: 'null' }] } } },
        },
      },
    };
    const { components, paths } = nameInlineSchemas(given) as typeof given;
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

    expect(unnamedIn(given as never)).toHaveLength(5);
    expect(components.schemas).toEqual({
      Dish: {
        properties: {
          sizes: { type: 'array', items: reference('DishSize') },
          id: { description: 'Here', ...reference('Either') },
          other: { anyOf: [{ description: 'Here', ...reference('Either') }, { type: 'null' }] },
        },
      },
      DishSize: { type: 'object', properties: { unit: reference('DishSizeUnit') } },
      DishSizeUnit: { enum: ['g', 'ml'] },
      Either: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      ListXSortBy: text.schema,
    });
    expect(paths['/x'].get.parameters).toEqual([
      { name: 'sort_by', schema: reference('ListXSortBy') },
    ]);
  });

  test('[HTTP-74] rejects two different schemas with one name', () => {
    const Dish = { properties: { size: { enum: ['S'] } } };
    const schemas = { Dish, DishSize: { enum: ['L'] } };

    expect(() => nameInlineSchemas({ paths: {}, components: { schemas } })).toThrow(
      'Two different schemas are named DishSize',
    );
  });

  test.each(APIS)('refers for %s to nothing that is missing', (api) => {
    const { components } = document(api) as unknown as { components: { schemas: object } };
    const named = [...JSON.stringify(document(api)).matchAll(/#\/components\/schemas\/(\w+)/g)];

    expect(named.map((match) => match[1]!).filter((name) => !(name in components.schemas))).toEqual(
      [],
    );
  });

  test.each(APIS)('declares for %s the security of every operation', (api) => {
    const unguarded = operations(api).filter((operation) => !('security' in operation));

    expect(unguarded.map(({ operationId }) => operationId)).toEqual([]);
  });
});

type Shape = { [keyword: string]: unknown };

/**
 * Schemas without a name outside of components. Forms are omitted, because their members become
 * arguments.
 */
function unnamedIn(description: Document): string[] {
  const { components, paths } = description as unknown as {
    components: { schemas: Record<string, Shape> };
    paths: Record<string, Record<string, Shape>>;
  };
  const below = (schema: Shape, place: string): string[] =>
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (keyword === 'items') return unnamed(value as Shape, `${place}[]`);
      const parts = ['anyOf', 'properties', 'patternProperties'].includes(keyword)
        ? (value as Shape)
        : {};
      return Object.entries(parts).flatMap(([name, part]) =>
        unnamed(part as Shape, `${place}.${name}`),
      );
    });
  const unnamed = (schema: Shape, place: string): string[] => {
    const alternatives = ((schema['anyOf'] ?? []) as Shape[]).filter(
      (shape) => shape['type'] !== 'null',
    );
    const isShape = 'properties' in schema || 'enum' in schema || alternatives.length > 1;
    return [...(isShape ? [place] : []), ...below(schema, place)];
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => below(schema, name)),
    ...operations.flatMap(({ operationId, parameters, requestBody }) => [
      ...(parameters as { name: string; schema: Shape }[]).flatMap(({ name, schema }) =>
        unnamed(schema, `${operationId as string} ${name}`),
      ),
      ...Object.entries(
        (requestBody as { content: Record<string, { schema: Shape }> } | undefined)?.content ?? {},
      ).flatMap(([type, { schema }]) =>
        (type === 'application/json' ? unnamed : below)(schema, `${operationId as string} body`),
      ),
    ]),
  ];
}

describe('the kinds of problems', () => {
  test('appear each in a route, except the one for unknown routes', () => {
    const used = new Set([...routes.flatMap((route) => problemKinds(route)), ...UNROUTED_KINDS]);

    const unused = Object.keys(PROBLEMS).filter((kind) => !used.has(kind as never));
    expect(unused).toEqual([]);
  });
});

describe('the pages of the documentation', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ routes, env: { RATE_LIMIT_DOCUMENTS: 'off' } });
  });
  afterAll(() => api.stop());

  test.each(['/api/v1/openapi.json', '/api/admin/v1/openapi.json'])('include %s', async (path) => {
    const response = await fetch(api.url + path);

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' });
  });

  test('load everything for /docs from the server and allow nothing else', async () => {
    const response = await fetch(`${api.url}/docs`);
    const html = await response.text();
    const scripts = [...html.matchAll(/src="([^"]+)"/g)].map((match) => match[1]!);
    const answers = await Promise.all(scripts.map((path) => fetch(api.url + path)));

    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(html).not.toMatch(/https?:/);
    expect(scripts).toHaveLength(2);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('javascript');
      await answer.arrayBuffer();
    }
  });

  test.each(Object.entries(PROBLEMS))(
    '[HTTP-66] show at /problems/%s the meaning and what to do',
    async (kind, { when, todo }) => {
      const response = await fetch(`${api.url}/problems/${kind}`);

      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch('text/html');
      const html = await response.text();
      for (const part of [`/problems/${kind}`, withCode(when), `What to do: ${withCode(todo)}`])
        expect(html).toContain(part);
      const forPrograms = await fetch(response.url, { headers: { accept: 'application/json' } });
      expect(await forPrograms.json()).toMatchObject({
        kind,
        todo,
        example: { type: `/problems/${kind}` },
      });
    },
  );

  test('[HTTP-10] list every kind at /problems, and 404 for an unknown one', async () => {
    const list = await (await fetch(`${api.url}/problems`)).text();

    for (const kind of Object.keys(PROBLEMS)) expect(list).toContain(`/problems/${kind}`);
    expect((await fetch(`${api.url}/problems/unknown`)).status).toBe(404);
  });

  test.each(codePages())(
    '[HTTP-28, HTTP-66] show at /codes/$code each meaning, its fields, what to do and its example',
    async (page) => {
      const response = await fetch(api.url + page.url);
      const html = (await response.text()).replaceAll(/<\/?a\b[^>]*>/g, '');
      const forPrograms = await fetch(response.url, { headers: { accept: 'application/json' } });
      const shown = page.meanings.flatMap((meaning) => [
        `<h2><code>${meaning.list}</code></h2>`,
        ...[meaning.meaning, fieldsText(meaning), todoText(meaning), sourceText(meaning)].flatMap(
          (text) => (text === undefined ? [] : [`<p>${withCode(text)}</p>`]),
        ),
        ...(meaning.example === null
          ? []
          : [escapeHtml(JSON.stringify(meaning.example.object, null, 2))]),
      ]);

      expect(response.status).toBe(200);
      expect(shown.filter((part) => !html.includes(part))).toEqual([]);
      expect(await forPrograms.json()).toEqual(page);
    },
  );

  test('[HTTP-67] name the schemes of Authorize after the tokens of callers, each with a description', () => {
    const schemes = (['public', 'admin', 'webhooks'] as const).map((name) => {
      const { components } = openApiDocument(name, routes) as {
        components: { securitySchemes: object };
      };
      return Object.entries(components.securitySchemes as Record<string, { description?: string }>);
    });

    expect(schemes.map((scheme) => scheme.map(([name]) => name))).toEqual([
      ['customerToken', 'storefrontKey'],
      ['staffToken', 'apiKey'],
      ['webhookSecret', 'webhookToken'],
    ]);
    expect(schemes.flat().filter(([, { description }]) => description === undefined)).toEqual([]);
  });

  test('[HTTP-28] show for every code an example or the reason why no answer contains it', () => {
    const withoutExample = codePages().flatMap(({ code, meanings }) =>
      meanings.filter(({ example, notEmitted }) =>
        notEmitted === null ? !JSON.stringify(example).includes(`"${code}"`) : example !== null,
      ),
    );

    expect(withoutExample).toEqual([]);
  });

  test('[HTTP-28] list every code at /codes, and 404 for an unknown one', async () => {
    const list = await (await fetch(`${api.url}/codes`)).text();
    const items = await (
      await fetch(`${api.url}/codes`, { headers: { accept: 'application/json' } })
    ).json();

    for (const code of listCodes(...CODE_LISTS)) expect(list).toContain(`href="/codes/${code}"`);
    expect(items).toEqual({ items: codePages() });
    expect((await fetch(`${api.url}/codes/UNKNOWN_CODE`)).status).toBe(404);
  });
});
