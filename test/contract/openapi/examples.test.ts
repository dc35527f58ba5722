import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';
import {
  EXAMPLES_FOLDER,
  toExampleFile,
  readExamples,
} from '../../../api/http/documents/examples.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { PROBLEM_EXAMPLES } from '../../../api/http/problems/problem-examples.ts';
import { listPermissions, type Api, type Route } from '../../../api/http/route.ts';
import { bodyValidator, queryValidator } from '../../../api/http/input/validation.ts';
import { routes } from '../../../api/routes.ts';
import { PROBLEMS } from '../../../kernel/pure/problems.ts';
import { RECIPES } from '../../examples/recipes.ts';

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema; example?: unknown; examples?: object }>;
type Operation = {
  parameters: { name: string; example?: unknown }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; examples: Record<string, unknown> };
};

const examples = readExamples();
/** A plain validator without our formats and keywords. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const document = (api: Api) => openApiDocument(api, routes, examples) as unknown as Description;
const documents = {
  public: document('public'),
  admin: document('admin'),
  webhooks: document('webhooks'),
};
for (const [api, each] of Object.entries(documents)) ajv.addSchema(each, `${api}.json`);
const within = (api: Api, schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${api}.json#/`)) as Schema;
const described = (route: Route) =>
  documents[route.api].paths[route.path]![route.method.toLowerCase()]!;

/** True if the example of an operation lacks a body or an answer. */
function lacks(route: Route): boolean {
  const example = examples[route.operationId];
  const answers = Object.values(route.responses).some((schema) => schema !== null);
  const reads = route.body !== undefined && route.files === undefined;
  return (answers && example?.answer === undefined) || (reads && example?.body === undefined);
}

describe('the examples of operations', () => {
  test('[HTTP-18] exist for every operation (npm run carte -- examples:record)', () => {
    expect(routes.filter(lacks).map((route) => route.operationId)).toEqual([]);
  });

  test('belong to existing operations', () => {
    const known = routes.map((route) => route.operationId);
    expect(Object.keys(examples).filter((id) => !known.includes(id))).toEqual([]);
  });

  test('come from recordings for gifts, where each command has its recipe', () => {
    const isOfGifts = ({ permission }: Route) =>
      listPermissions(permission).some((entry) => entry.startsWith('compensations.'));
    const commands = routes.filter((route) => route.method !== 'GET' && isOfGifts(route));

    expect(commands.length).toBeGreaterThan(10);
    expect(
      commands.map((route) => route.operationId).filter((id) => RECIPES[id] === undefined),
    ).toEqual([]);
  });

  // The recorder rewrites an example that is in another file.
  test('appear once, in the file of their API and tag', () => {
    const stand = readdirSync(EXAMPLES_FOLDER).flatMap((name) =>
      Object.keys(JSON.parse(readFileSync(new URL(name, EXAMPLES_FOLDER), 'utf8')) as object).map(
        (id) => [id, name],
      ),
    );
    const files = new Map(routes.map((route) => [route.operationId, toExampleFile(route)]));

    expect(stand.filter(([id, name]) => files.get(id!) !== name)).toEqual([]);
    expect(new Set(stand.map(([id]) => id)).size).toBe(stand.length);
  });

  test.each(routes.map((route) => [route.operationId, route] as const))(
    'match the requests and answers of %s',
    (id, route) => {
      const example = examples[id];
      if (example === undefined) return;
      const errors = [
        ...(route.params === undefined
          ? []
          : queryValidator(route.params, 'params')({ ...example.params })),
        ...(route.query === undefined
          ? []
          : queryValidator(route.query, 'query')({ ...example.query })),
        ...(route.body === undefined || example.body === undefined
          ? []
          : bodyValidator(route.body)(structuredClone(example.body))),
      ];
      const schema =
        described(route).responses[example.status]?.content?.[route.mediaType ?? 'application/json']
          ?.schema;

      expect(errors).toEqual([]);
      expect(Object.keys(route.responses)).toContain(String(example.status));
      if (schema !== undefined) ajv.validate(within(route.api, schema), example.answer);

      expect(schema === undefined).toBe(example.answer === undefined);
      expect(schema === undefined ? [] : (ajv.errors ?? [])).toEqual([]);
    },
  );

  test('appear in the description: parameters, body and answer', () => {
    const editProduct = described(routes.find((route) => route.operationId === 'editProduct')!);

    expect(editProduct.parameters[0]).toMatchObject({
      name: 'id',
      example: examples['editProduct']!.params!['id'],
    });
    expect(editProduct.requestBody!.content['application/json']!.example).toEqual(
      examples['editProduct']!.body,
    );
    expect(editProduct.responses['200']!.content!['application/json']!.example).toEqual(
      examples['editProduct']!.answer,
    );
  });

  test('contain no valid token or password', () => {
    const text = JSON.stringify(examples);
    const tokens = [...text.matchAll(/eyJ[\w-]+\.[\w-]+\.([\w-]+)/g)].map((match) =>
      atob(match[1]!),
    );

    expect(new Set(tokens)).toEqual(new Set(['signature']));
    expect(text).not.toMatch(/argon2|carte_refresh|BEGIN [A-Z ]*KEY/);
  });
});

describe('the examples of problems', () => {
  const { components } = documents.admin;

  test.each(Object.entries(PROBLEM_EXAMPLES))(
    'follow the schema of problems in %s',
    (kind, { value }) => {
      ajv.validate({ $ref: 'admin.json#/components/schemas/Problem' }, value);

      expect(ajv.errors ?? []).toEqual([]);
      expect(value).toMatchObject({
        type: `/problems/${kind}`,
        status: PROBLEMS[kind as keyof typeof PROBLEMS].status,
      });
    },
  );

  test('exist for every rejection in a description', () => {
    const text = JSON.stringify(documents.admin);
    const named = [...text.matchAll(/#\/components\/examples\/([a-z-]+)/g)].map(
      (match) => match[1]!,
    );

    expect(named.length).toBeGreaterThan(500);
    expect(named.filter((kind) => components.examples[kind] === undefined)).toEqual([]);
  });
});
