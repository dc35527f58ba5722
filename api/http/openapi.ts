import type { TSchema } from 'typebox';
import { PROBLEMS, type ProblemKind } from '../../contracts/problems.ts';
import { readExamples, type Example } from './examples.ts';
import { IDEMPOTENCY_HEADER } from './idempotency-key.ts';
import { PARAMETER_TEXTS } from './parameter-texts.ts';
import { PROBLEM_EXAMPLES } from './problem-examples.ts';
import { problemKinds } from './problem-kinds.ts';
import { PROBLEM_TYPE } from './problem-body.ts';
import { permissionsOf, PREFIXES, type Contour, type Route } from './route.ts';

type Json = Record<string, unknown>;

const TITLES: Record<Contour, { title: string; description: string }> = {
  public: {
    title: 'Carte storefront API',
    description: `Menus for websites and apps. Read only, without a token; additive changes only within this version.

A restaurant is an organization; its \`id\` (a UUID) goes into \`organization_id\`. A storefront asks \`/organizations\` once, \`/menu\` once, then polls \`/availability\` and \`/menu/revision\` about once a minute with
\`If-None-Match\`, and asks \`/menu\` again when the revision changes. The \`ETag\` of an
answer, sent back as it came, gives 304 without a body while nothing has changed. Prices are final roubles with two decimals.
Text in a query must be percent-encoded UTF-8.

Every refusal is a problem; its \`type\` names a page under [/problems](/problems).`,
  },
  admin: {
    title: 'Carte admin API',
    description: `For the admin UI; changes together with it.

To sign in, send \`POST /auth/login\` with e-mail and password and take \`accessToken\` from the answer. Send it as
\`Authorization: Bearer <accessToken>\` with every other call (here: paste it under Authentication). It holds for \`expiresIn\`
seconds; \`POST /auth/refresh\`, with the cookie \`carte_refresh\` that signing in has set and without a body, gives the next one and
replaces the cookie. Programs that are not browsers have to keep the cookie of each answer.

\`PATCH\` merges: an absent field stays, \`null\` clears it; \`version\` is the one you have read. Creates take \`Idempotency-Key\`.
Lists take \`page\` and \`size\`. Text in a query must be percent-encoded UTF-8. \`organization_id\` is the number \`id\` of
\`GET /organizations\` here, not the UUID that storefronts use (there \`erpId\`).

| To | Use |
| --- | --- |
| put a dish on sale | \`GET /erp/items?bound=false\`, \`POST /erp/items/create-product\` with categories and a picture, \`POST /products/{id}/publish\` |
| change a product | \`GET /products/{id}\`, then \`PATCH /products/{id}\` with its \`version\`; after \`version-conflict\` read again |
| give it a picture | \`POST /media\`, then \`mainImageId\` of the product |
| place it | \`categoryIds\` of the product; \`PUT /categories/{id}/products/order\` for the order |
| publish many | \`POST /products/bulk\`; those that could not be are in \`failed\` |
| learn why a dish is not in a menu | \`GET /products/{id}/explain\` |
| see what needs a decision | \`GET /binding-incidents?status=OPEN\` |
| see who changed what | \`GET /audit?entity_type=product&entity_id={id}\` |

A change reaches guests when the menu of the restaurant has been rebuilt, usually within seconds: \`GET /snapshots/{organization_id}\`
shows what waits. Every refusal is a problem; its \`type\` names a page under [/problems](/problems).`,
  },
  webhooks: { title: 'Carte webhooks', description: 'Called by the external system with the secret of the webhook.' },
};

/** The OpenAPI 3.1 document of one contour, generated from its routes. The same routes always give the same document. */
export function openApiDocument(
  contour: Contour,
  routes: readonly Route[],
  examples: Readonly<Record<string, Example>> = readExamples(),
): Json {
  const paths: Record<string, Json> = {};
  const own = routes.filter((route) => route.contour === contour);
  const kinds = new Set(own.flatMap((route) => problemKinds(route)));
  for (const route of own.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)))
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operation(route, examples[route.operationId]),
    };
  return {
    openapi: '3.1.0',
    info: { ...TITLES[contour], version: '1.0.0' },
    servers: [{ url: PREFIXES[contour] }],
    tags: [...new Set(own.flatMap((route) => route.tags))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: PROBLEM_SCHEMA },
      examples: Object.fromEntries(Object.entries(PROBLEM_EXAMPLES).filter(([kind]) => kinds.has(kind as ProblemKind))),
      ...(contour === 'public' ? {} : { securitySchemes: SECURITY[contour] }),
    },
  };
}

function operation(route: Route, example: Example | undefined): Json {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, permissionLine(route)].filter((line) => line !== '').join('\n\n'),
    tags: route.tags,
    parameters: [
      ...parameters(route.params, 'path', example?.params),
      ...parameters(route.query, 'query', example?.query),
      ...(route.idempotent === true ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...requestBody(route, example),
    responses: { ...successes(route, example), ...failures(problemKinds(route)) },
    ...securityOf(route),
    ...(permissionsOf(route.permission).length === 0 ? {} : { 'x-permission': route.permission }),
  };
}

/** How the routes of a contour are guarded. */
const SECURITY: Record<Exclude<Contour, 'public'>, Json> = {
  admin: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  webhooks: {
    webhookSecret: { type: 'http', scheme: 'bearer' },
    webhookToken: { type: 'apiKey', in: 'query', name: 'token' },
  },
};

function securityOf(route: Route): Json {
  if (route.permission === 'public') return {};
  const schemes = Object.keys(route.permission === 'webhook-secret' ? SECURITY.webhooks : SECURITY.admin);
  return { security: schemes.map((name) => ({ [name]: [] })) };
}

function permissionLine(route: Route): string {
  if (route.permission === 'webhook-secret') return 'Guarded by the secret of the webhook.';
  if (route.permission === 'public') return '';
  if (typeof route.permission === 'object') {
    const { field, needs } = route.permission;
    const words = Object.entries(needs).map(([word, permission]) => `${word} needs \`${permission}\``);
    return `Permission by \`${field}\`: ${words.join(', ')}.`;
  }
  return route.permission === 'authenticated' ? 'Any signed-in user.' : `Permission: \`${route.permission}\`.`;
}

function parameters(schema: Route['params'], place: 'path' | 'query', values: Json = {}): Json[] {
  const required = (schema as { required?: string[] } | undefined)?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, each]) => {
    const { description = PARAMETER_TEXTS[name], ...rest } = documentSchema(each) as Json;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description,
      schema: rest,
      ...(values[name] === undefined ? {} : { example: values[name] }),
    };
  });
}

const IDEMPOTENCY_PARAMETER: Json = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description: 'The same key with the same request gives the same answer and creates nothing twice.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

function requestBody(route: Route, example: Example | undefined): Json {
  if (route.files !== undefined) {
    const { field, description, maxBytes, types } = route.files;
    const form = (route.body === undefined ? { type: 'object' } : documentSchema(route.body)) as {
      properties?: Json;
      required?: string[];
    };
    const file = { type: 'string', format: 'binary', description: `${description} At most ${maxBytes} bytes.` };
    const schema = {
      ...form,
      properties: { [field]: file, ...form.properties },
      required: [field, ...(form.required ?? [])],
    };
    const encoding = { [field]: { contentType: types.join(', ') } };
    const shown = example === undefined ? {} : { example: { [field]: 'pizza.png', ...(example.body as Json) } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding, ...shown } } } };
  }
  if (route.body === undefined) return {};
  // Without a body the members are absent, which only some of them may be.
  const { type, required: members = [] } = route.body as { type?: string; required?: string[] };
  const required = type !== 'object' || members.length > 0;
  const content = { 'application/json': { schema: documentSchema(route.body), ...shownAs(example?.body) } };
  return { requestBody: { required, content } };
}

const STATUS_TEXTS: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; it runs in the background',
  204: 'Done, nothing to say',
  303: 'Go on at `Location`',
  304: 'Not modified: the `ETag` still holds',
};

function shownAs(value: unknown): Json {
  return value === undefined ? {} : { example: value };
}

function successes(route: Route, example: Example | undefined): Json {
  const declared = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: STATUS_TEXTS[status] ?? 'Answer',
      ...(schema === null
        ? {}
        : { content: { 'application/json': { schema: documentSchema(schema), ...shownAs(example?.answer) } } }),
    },
  ]);
  return {
    ...Object.fromEntries(declared),
    ...(route.contour === 'public' ? { 304: { description: STATUS_TEXTS[304] } } : {}),
  };
}

function failures(kinds: readonly ProblemKind[]): Json {
  const byStatus = Map.groupBy(kinds, (kind) => PROBLEMS[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((kind) => `\`${kind}\`: ${PROBLEMS[kind].when}`).join('\n\n'),
        content: {
          [PROBLEM_TYPE]: {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(group.map((kind) => [kind, { $ref: `#/components/examples/${kind}` }])),
          },
        },
      },
    ]),
  );
}

const text = { type: 'string' };
const PROBLEM_SCHEMA: Json = {
  type: 'object',
  description: 'RFC 9457 problem; the last segment of `type` is its kind.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri-reference', examples: ['/problems/validation'] },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: text,
    requestId: text,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: text, code: text, message: text },
      },
    },
    violations: {
      type: 'array',
      items: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } },
    },
    currentVersion: { type: 'integer', description: 'Of `version-conflict`: the version that is stored' },
    permission: { type: 'string', description: 'Of `forbidden`: the permission that is missing' },
    code: { type: 'string', description: 'Of `item-already-bound`: ITEM_ALREADY_BOUND' },
    boundProduct: {
      type: 'object',
      description: 'Of `item-already-bound`: the product that has the item',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: text },
    },
  },
};

/** A schema as readers see it: money is a number with two decimals, our own keyword is gone. */
function documentSchema(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('x-money' in value)) return value;
    const { 'x-money': _money, ...rest } = value;
    return { ...rest, multipleOf: 0.01, examples: [250.0] };
  });
}
