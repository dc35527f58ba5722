import { ProblemBody } from '../problems/problem-schema.ts';
import { PROBLEMS, type ProblemKind } from '../../../kernel/pure/problems.ts';
import { readVersion } from '../../../platform/build-info.ts';
import { KEY_PERMISSIONS } from '../../../kernel/pure/permissions.ts';
import { GUEST_HEADER, KEY_HEADER } from '../caller.ts';
import { codeSamples } from './code-samples.ts';
import { documentSchemas, type DocumentSchemas } from './document-schemas.ts';
import { eventWebhooks } from './event-webhooks.ts';
import { readExamples, type Example } from './examples.ts';
import { IDEMPOTENCY_HEADER, REPLAYED_HEADER } from '../input/idempotency-key.ts';
import { nameInlineSchemas } from './inline-schemas.ts';
import { mostValues } from '../input/json-body.ts';
import { PARAMETER_TEXTS } from './parameter-texts.ts';
import { PROBLEM_EXAMPLES } from '../problems/problem-examples.ts';
import { problemKinds } from '../problems/problem-kinds.ts';
import { PROBLEM_TYPE } from '../problems/problem-body.ts';
import { hasEtag, listPermissions, PREFIXES, type Api, type Route } from '../route.ts';

type Json = Record<string, unknown>;

const TITLES: Record<Api, { title: string; description: string }> = {
  public: {
    title: 'Carte storefront API',
    description: `This API gives menus to websites and apps and takes their orders. Guests need no token. Within this version it changes only by
additions.

A restaurant is an organization. Its \`id\` (a UUID) is the parameter \`organization_id\`. A storefront requests \`/organizations\`
and \`/menu\` once. Then it polls \`/availability\` and \`/menu/revision\` about once a minute with \`If-None-Match\`, and requests
\`/menu\` again when the revision changes. Send the \`ETag\` of an answer back unchanged: while nothing has changed, the answer is
304 without a body. Prices are final rubles with two decimals. Text in a query must be percent-encoded UTF-8.

\`POST /cart\` creates and changes a cart. Its response contains all prices and totals. The \`cartId\` of a guest is enough to read, change and
order the cart, so protect it like a password. \`POST /checkout/preflight\` lists every obstacle to an order, each with a code and its
repair. \`POST /orders\` needs an \`Idempotency-Key\` and is answered before the restaurant receives the order;
\`GET /orders/{order_id}\` shows its progress. Signed-in customers send the access token of the configured
OpenID Connect provider as \`Authorization: Bearer\`.

Every error is a problem. Its \`type\` names a page under [/problems](/problems). Codes in responses have pages under [/codes](/codes).`,
  },
  admin: {
    title: 'Carte admin API',
    description: `This API serves tools of staff, and programs with API keys. A minor release may change it; the changelog lists each change.

Programs send the token of an API key (\`POST /api-keys\`) as \`Authorization: Bearer\`. To sign in, send \`POST /auth/login\` with e-mail and password and take \`accessToken\` from the answer. Send it as
\`Authorization: Bearer <accessToken>\` with every other call (here: paste it under Authorize, \`staffToken\`). The token is valid for
\`expiresIn\` seconds. \`POST /auth/refresh\`, with the cookie \`__Host-carte_refresh\` (\`carte_refresh\` without TLS) from the sign-in and without a body, gives the next
token and replaces the cookie. Programs that are not browsers have to keep the cookie of each answer.

In a \`PATCH\` an absent field keeps its value and \`null\` clears it; \`version\` is the one that you have read. Operations that
create something take \`Idempotency-Key\`. Lists take \`page\` and \`size\`. Text in a query must be percent-encoded UTF-8.
\`organization_id\`, and \`organizationId\` of a body, is the number \`id\` of \`GET /organizations\` or its \`erpId\`, the UUID that
storefronts use. Answers name organizations by the number if the type of the field is integer. Orders, rewards, order sending and
explanations of gifts and delivery name them by the UUID.

| To | Use |
| --- | --- |
| put a dish on sale | \`GET /erp/items?bound=false\`, \`POST /erp/items/create-product\` with categories and an image, \`POST /products/{id}/publish\` |
| change a product | \`GET /products/{id}\`, then \`PATCH /products/{id}\` with its \`version\`; after \`version-conflict\` read again |
| give a product an image | \`POST /media\`, then \`mainImageId\` of the product |
| put a product into categories | \`categoryIds\` of the product; \`PUT /categories/{id}/products/order\` for the order |
| publish many products | \`POST /products/bulk\`; products that cannot be published are listed in \`failed\` |
| learn why a dish is not in a menu | \`GET /products/{id}/explain\` |
| see what needs a decision | \`GET /binding-incidents?status=OPEN\` |
| see who changed what | \`GET /audit?entity_type=product&entity_id={id}\` |

A change reaches guests when the menu of the restaurant has been rebuilt, usually within seconds: \`GET /snapshots/{organization_id}\`
shows whether a rebuild is waiting. Every error is a problem. Its \`type\` names a page under [/problems](/problems).`,
  },
  webhooks: {
    title: 'Carte webhooks',
    description: 'The ERP calls these URLs with the secret of the webhook.',
  },
};

/** Checking all routes takes longer than describing one API. */
const wellNamed = new WeakSet<readonly Route[]>();

/** Throws if two different schemas of any API have one name. */
function checkNames(routes: readonly Route[]): void {
  if (wellNamed.has(routes)) return;
  const all = documentSchemas();
  for (const route of routes) operation(route, undefined, all);
  wellNamed.add(routes);
}

/**
 * Generates the OpenAPI 3.1 document of an API, deterministically. Throws if two different
 * schemas have one name.
 */
export function openApiDocument(
  api: Api,
  routes: readonly Route[],
  examples: Readonly<Record<string, Example>> = readExamples(),
): Json {
  checkNames(routes);
  const paths: Record<string, Json> = {};
  const schemas = documentSchemas();
  schemas.show(ProblemBody);
  const own = routes.filter((route) => route.api === api);
  const kinds = new Set(own.flatMap((route) => problemKinds(route)));

  for (const route of own.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)))
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operation(route, examples[route.operationId], schemas),
    };

  return nameInlineSchemas({
    openapi: '3.1.0',
    info: { ...TITLES[api], version: readVersion() },
    servers: [{ url: PREFIXES[api] }],
    tags: [...new Set(own.flatMap((route) => route.tags))].toSorted().map((name) => ({ name })),
    paths,
    ...(api === 'admin' ? { webhooks: eventWebhooks(schemas) } : {}),
    components: {
      schemas: schemas.components(),
      examples: Object.fromEntries(
        Object.entries(PROBLEM_EXAMPLES).filter(([kind]) => kinds.has(kind as ProblemKind)),
      ),
      securitySchemes: SECURITY[api],
    },
  });
}

function operation(route: Route, example: Example | undefined, schemas: DocumentSchemas): Json {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, permissionLine(route)]
      .filter((line) => line !== '')
      .join('\n\n'),
    tags: route.tags,
    parameters: [
      ...parameters(schemas, route.params, 'path', example?.params),
      ...parameters(schemas, route.query, 'query', example?.query),
      ...(route.idempotent === undefined
        ? []
        : [idempotencyParameter(route.idempotent === 'required')]),
    ],
    ...requestBody(route, example, schemas),
    responses: { ...successes(route, example, schemas), ...failures(problemKinds(route)) },
    ...buildSecurity(route),
    'x-codeSamples': codeSamples(route, example, needsToken(route)),
    ...(listPermissions(route.permission).length === 0 ? {} : { 'x-permission': route.permission }),
    ...(route.api === 'admin' && route.permission !== 'public'
      ? { 'x-restaurants': typeof route.restaurants === 'function' ? 'ROW' : route.restaurants }
      : {}),
  };
}

const SECURITY: Record<Api, Json> = {
  public: {
    customerToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'The access token of a signed-in customer, from the configured OpenID Connect provider. Guests do not need it.',
    },
    storefrontKey: {
      type: 'apiKey',
      in: 'header',
      name: KEY_HEADER,
      description: `Optional key of a server that renders pages: its own rate class. The header ${GUEST_HEADER} names the guest.`,
    },
  },
  admin: {
    staffToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        '`accessToken` of `POST /auth/login`, without the word Bearer. Valid for 15 minutes.',
    },
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The token of an API key, `carte_…`, from `POST /api-keys`, without the word Bearer.',
    },
  },
  webhooks: {
    webhookSecret: {
      type: 'http',
      scheme: 'bearer',
      description: 'The secret of the webhook as a header.',
    },
    webhookToken: {
      type: 'apiKey',
      in: 'query',
      name: 'token',
      description: 'The same secret in the URL.',
    },
  },
};

function buildSecurity({ api, permission }: Route): { security: Json[] } {
  if (permission === 'public')
    return { security: api === 'public' ? [{}, { storefrontKey: [] }] : [] };
  const names = Object.keys(SECURITY[api]).filter((name) => !isRefused(name, permission));
  const schemes: Json[] = names.map((name) => ({ [name]: [] }));

  // A guest needs only the id of the cart or order.
  return { security: permission === 'cart' || permission === 'order' ? [{}, ...schemes] : schemes };
}

const needsToken = (route: Route): boolean =>
  buildSecurity(route).security.length > 0 &&
  buildSecurity(route).security.every((scheme) => Object.keys(scheme).length > 0);

function isRefused(scheme: string, permission: Route['permission']): boolean {
  if (scheme === 'storefrontKey') return true;
  if (permission === 'staff') return false;

  return (
    scheme === 'apiKey' &&
    !listPermissions(permission).some((name) => KEY_PERMISSIONS.includes(name))
  );
}

function permissionLine(route: Route): string {
  if (route.permission === 'webhook-secret')
    return 'The caller must send the secret of the webhook.';
  if (route.permission === 'public') return '';
  if (route.permission === 'customer') return 'The caller must be a customer who has signed in.';
  if (route.permission === 'cart')
    return "The id alone gives access to the cart of a guest. The cart of a customer needs that customer's token.";
  if (route.permission === 'order')
    return "The id alone gives access to the order of a guest. The order of a customer needs that customer's token.";
  if (typeof route.permission === 'object') {
    const { field, needs } = route.permission;
    const words = Object.entries(needs).map(
      ([word, permission]) => `${word} needs \`${permission}\``,
    );
    return `The permission depends on \`${field}\`: ${words.join(', ')}.`;
  }

  if (route.permission === 'staff')
    return 'Every signed-in user and every key of the admin API may do this.';

  return route.permission === 'authenticated'
    ? 'Every signed-in user may do this.'
    : `The permission \`${route.permission}\` is required.`;
}

function parameters(
  schemas: DocumentSchemas,
  schema: Route['params'],
  location: 'path' | 'query',
  values: Json = {},
): Json[] {
  const required = (schema as { required?: string[] } | undefined)?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, each]) => {
    const { description = PARAMETER_TEXTS[name], ...rest } = schemas.show(each) as Json;
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      description,
      schema: rest,
      ...(values[name] === undefined ? {} : { example: values[name] }),
    };
  });
}

const idempotencyParameter = (required: boolean): Json => ({
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required,
  description:
    'A repeated request with the same key and the same body gets the first answer, and nothing is created twice.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
});

function requestBody(route: Route, example: Example | undefined, schemas: DocumentSchemas): Json {
  if (route.files !== undefined) {
    const { field, description, maxBytes, types, example: name } = route.files;
    const form = (route.body === undefined ? { type: 'object' } : schemas.show(route.body)) as {
      properties?: Json;
      required?: string[];
    };

    const file = {
      type: 'string',
      format: 'binary',
      description: `${description} At most ${maxBytes} bytes.`,
    };

    const schema = {
      ...form,
      properties: { [field]: file, ...form.properties },
      required: [field, ...(form.required ?? [])],
    };

    const encoding = { [field]: { contentType: types.join(', ') } };
    const shown =
      example === undefined ? {} : { example: { [field]: name, ...(example.body as Json) } };

    return {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema, encoding, ...shown } },
      },
    };
  }

  if (route.body === undefined) return {};
  const { type, required: members = [] } = route.body as { type?: string; required?: string[] };
  const required = type !== 'object' || members.length > 0;
  const content = {
    'application/json': { schema: schemas.show(route.body), ...shownAs(example?.body) },
  };

  return {
    requestBody: {
      description: `At most ${route.bodyLimit} bytes and ${mostValues(route.bodyLimit)} values.`,
      required,
      content,
    },
  };
}

const STATUS_TEXTS: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted. The work continues in the background',
  204: 'Done. The answer has no body',
  303: 'Continue at `Location`',
  304: 'Not modified. The `ETag` is still valid',
};

function replayedHeader(route: Route): Json {
  if (route.idempotent === undefined) return {};
  const description =
    '`true` when the answer is the stored one of an earlier request with the same key.';

  return {
    headers: { [REPLAYED_HEADER]: { description, schema: { type: 'string', enum: ['true'] } } },
  };
}

function shownAs(value: unknown): Json {
  return value === undefined ? {} : { example: value };
}

function successes(route: Route, example: Example | undefined, schemas: DocumentSchemas): Json {
  const declared = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: STATUS_TEXTS[status] ?? 'Answer',
      ...replayedHeader(route),
      ...(schema === null
        ? {}
        : {
            content: {
              [route.mediaType ?? 'application/json']: {
                schema: schemas.show(schema),
                ...shownAs(example?.answer),
              },
              ...(route.otherMediaType === undefined
                ? {}
                : { [route.otherMediaType]: { schema: schemas.show(schema) } }),
            },
            ...buildLinks(route),
          }),
    },
  ]);

  return {
    ...Object.fromEntries(declared),
    ...(hasEtag(route) ? { 304: { description: STATUS_TEXTS[304] } } : {}),
  };
}

function buildLinks({ links }: Route): Json {
  if (links === undefined) return {};
  const targets = Object.entries(links).map(([operationId, parameters]) => [
    operationId,
    {
      operationId,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, member]) => [name, `$response.body#/${member}`]),
      ),
    },
  ]);

  return { links: Object.fromEntries(targets) as Json };
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };

function failures(kinds: readonly ProblemKind[]): Json {
  const byStatus = Map.groupBy(kinds, (kind) => PROBLEMS[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((kind) => `\`${kind}\`: ${PROBLEMS[kind].when}`).join('\n\n'),
        content: {
          [PROBLEM_TYPE]: {
            schema: PROBLEM,
            examples: Object.fromEntries(
              group.map((kind) => [kind, { $ref: `#/components/examples/${kind}` }]),
            ),
          },
        },
      },
    ]),
  );
}
