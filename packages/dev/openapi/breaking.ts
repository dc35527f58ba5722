import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DECIMAL_PLACES, OPEN_ENUM } from '../../../api/http/documents/document-schemas.ts';

/**
 * oasdiff only notes these, but clients rely on a 304 without a body and on the problems they
 * handle.
 */
const SEVERITIES =
  'response-non-success-status-removed err\nresponse-optional-property-removed err\n';

/** Exit code if changes break clients. Other codes except 0 mean that the comparison failed. */
const SOMETHING_BREAKS = 1;

/**
 * Lists changes that break a client of the `released` description (HTTP-17). `program`: path of
 * oasdiff. Throws if the comparison fails.
 */
export async function breakingChanges(
  program: string,
  released: object,
  current: object,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'carte-openapi-'));
  try {
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };

    const { code, stdout, stderr } = await run(program, [
      'breaking',
      '--fail-on=WARN',
      '--format=json',
      `--severity-levels=${await file('severities.txt', SEVERITIES)}`,
      await file('released.json', JSON.stringify(comparable(released))),
      await file('current.json', JSON.stringify(comparable(current))),
    ]);
    if (code !== 0 && code !== SOMETHING_BREAKS)
      throw new Error(`oasdiff ended with ${code}: ${stderr.trim()}`);

    const found = JSON.parse(stdout.trim() === '' ? '[]' : stdout) as Finding[];
    if (found.length > 0 !== (code === SOMETHING_BREAKS))
      throw new Error(`oasdiff contradicts itself: ${stdout}`);

    return [
      ...removedCodes(released, current),
      ...found.map(({ operation, path, text, id }) => `${operation} ${path}: ${text} (${id})`),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lists codes that answers no longer contain (HTTP-27). oasdiff would allow this. */
export function removedCodes(released: object, current: object): string[] {
  const now = codesByPlace(current);
  return [...codesByPlace(released)].flatMap(([place, codes]) =>
    [...codes]
      .filter((code) => now.get(place)?.has(code) !== true)
      .map((code) => `${place}: the code ${code} was removed (response-code-removed)`),
  );
}

/** Returns codes by operation and field. Alternatives of a union count as one field. */
function codesByPlace(description: object): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  const add = (place: string, values: unknown): void => {
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return;
    const codes = places.get(place) ?? new Set();
    places.set(place, codes);
    for (const value of values) codes.add(value);
  };

  const walk = (schema: unknown, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { anyOf = [], items, properties = {}, const: value, ...rest } = schema as ComparedSchema;
    add(place, rest[OPEN_ENUM] ?? rest.enum ?? (value === undefined ? undefined : [value]));
    for (const alternative of anyOf) walk(alternative, place);
    walk(items, `${place}[]`);
    for (const [name, field] of Object.entries(properties)) walk(field, `${place}.${name}`);
  };

  const { paths } = comparable(description) as {
    paths: Record<string, Record<string, ComparedOperation>>;
  };

  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses = {} }] of Object.entries(methods))
      for (const { content = {} } of Object.values(responses))
        for (const { schema } of Object.values(content))
          walk(schema, `${method.toUpperCase()} ${path}`);

  return places;
}

type ComparedSchema = {
  anyOf?: unknown[];
  items?: unknown;
  properties?: Record<string, unknown>;
  const?: unknown;
  enum?: unknown;
  [OPEN_ENUM]?: unknown;
};

type ComparedOperation = {
  responses?: Record<string, { content?: Record<string, { schema: unknown }> }>;
};

/** Limits recursive schemas. The category tree has at most five levels. */
const DEEPEST = 6;

/**
 * Schema of every problem body. It is compared once, because oasdiff needs 14 s for two hundred
 * copies.
 */
const PROBLEM = 'Problem';

type Described = {
  components?: object;
  paths?: object;
  webhooks?: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: unknown } } } } }
  >;
};

/**
 * Makes descriptions comparable for oasdiff. It treats a renamed schema in a union as another, so
 * schemas are inlined; it compares alternatives only as a whole, so they become fields. Decimal
 * places become `multipleOf`.
 */
function comparable(description: object): object {
  const { schemas = {} } =
    (description as { components?: { schemas?: Record<string, unknown> } }).components ?? {};
  const inline = (value: unknown, inside: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((entry) => inline(entry, inside));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, [DECIMAL_PLACES]: decimals, ...rest } = value as Record<string, unknown>;
    const name =
      typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined;
    if (name === PROBLEM) return {};
    if (name !== undefined)
      return inside.filter((text) => text === name).length < DEEPEST
        ? inline(schemas[name], [...inside, name])
        : {};

    return {
      ...withAlternatives(
        Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, inline(each, inside)])),
      ),
      ...($ref === undefined ? {} : { $ref }),
      ...(typeof decimals === 'number' ? { multipleOf: 10 ** -decimals } : {}),
    };
  };

  const { components, paths, webhooks = {}, ...rest } = description as Described;
  // A receiver of webhooks relies on the body that it gets, as a client relies on an answer.
  const sent = Object.entries(webhooks).map(([name, { post }]) => {
    const { schema } = post.requestBody.content['application/json'];
    return [`/webhooks/${name}`, { get: answering(inline(schema, [])) }];
  });

  return {
    ...rest,
    paths: {
      ...(inline(paths, []) as object),
      ...(Object.fromEntries(sent) as object),
      ...(PROBLEM in schemas
        ? { [`/${PROBLEM}`]: { get: answering(inline(schemas[PROBLEM], [])) } }
        : {}),
    },
    components: { ...components, schemas: {} },
  };
}

/** Converts a union by code to an object with one required field per code. */
function withAlternatives(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, properties, required = [], ...rest } = schema;
  if (!Array.isArray(anyOf) || typeof properties !== 'object') return schema;
  const alternatives = (anyOf as ComparedSchema[]).flatMap((alternative) =>
    Object.entries(alternative.properties ?? {}).flatMap(([name, field]) => {
      const { const: code } = field as ComparedSchema;
      return typeof code === 'string' ? [[`${name}=${code}`, alternative] as const] : [];
    }),
  );

  const names = alternatives.map(([name]) => name);

  return {
    ...rest,
    properties: { ...properties, ...Object.fromEntries(alternatives) },
    required: [...(required as string[]), ...names],
  };
}

const answering = (schema: unknown): object => ({
  responses: { 200: { description: '', content: { 'application/json': { schema } } } },
});

type Finding = { id: string; text: string; operation: string; path: string };

function run(
  program: string,
  args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 64 * 1_048_576 }, (error, stdout, stderr) => {
      const { code } = (error ?? { code: 0 }) as { code?: number | string };
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error as Error);
    });
  });
}
