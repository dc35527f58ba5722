import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPEN_ENUM } from '../../../api/http/document-schemas.ts';
import { openApiDocument } from '../../../api/http/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { generateClient, runTool } from '../../../packages/dev/openapi-generator/generate.ts';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { onPath } from '../../../tools/cached-program.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pathUnlessMandatory, unlessMandatory } from '../../support/unless-mandatory.ts';

const javaPath = onPath('java', process.env['PATH']);
const java = pathUnlessMandatory(
  'Java',
  javaPath === undefined ? { path: 'java', reasons: ['none is on PATH'] } : { path: javaPath },
);
const programs =
  java === undefined
    ? { reason: 'there is no Java' }
    : await toolFolder('openapi-generator', (line) => process.stderr.write(`${line}\n`)).catch(unlessMandatory);

type Schema = {
  $ref?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  [OPEN_ENUM]?: string[];
};
type Operation = { responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }> }> };
const description = openApiDocument('public', routes);
const { components, paths } = description as unknown as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};
const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);

/** A code that no list contains. */
const NEWER = 'A_NEWER_CODE';

/** A recorded answer with a newer code wherever the description lists open codes. */
function withNewerCodes(schema: Schema, value: unknown): unknown {
  const { $ref, items = {}, properties, anyOf = [] } = schema;
  if ($ref !== undefined) return withNewerCodes(components.schemas[nameIn($ref)]!, value);
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((each) => withNewerCodes(items, each));
  if (typeof value === 'string' && schema[OPEN_ENUM] !== undefined) return NEWER;
  // The first alternative of a value that may be null.
  if (properties === undefined && anyOf[0] !== undefined) return withNewerCodes(anyOf[0], value);
  if (typeof value !== 'object' || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withNewerCodes(properties[name] ?? {}, member)]),
  );
}

/** Recorded JSON answers with newer codes, by the names of their schemas. */
const answers = Object.values(paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content = {} }) => {
      const { schema, example } = content['application/json'] ?? {};
      return schema?.$ref === undefined || example === undefined
        ? []
        : [{ model: nameIn(schema.$ref), value: withNewerCodes(schema, example) }];
    }),
  ),
);
const countOf = (text: string) => text.split(NEWER).length - 1;

describe('clients of OpenAPI Generator', () => {
  if (typeof programs !== 'string') {
    test.todo(`[HTTP-77] read answers with newer codes, but the generator cannot run: ${programs.reason}`);
    return;
  }

  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await temporaryFolder('generated-clients');
    file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(description));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('[HTTP-77] in Python read every recorded answer with newer codes, and keep the codes', async () => {
    const finding = { code: NEWER, message: 'Newer', repair: { action: NEWER } };
    const verdict = answers.find(({ model }) => model === 'CheckoutVerdict')!;
    const blocked = { ...(verdict.value as object), blockers: [finding], warnings: [finding], adjustments: [finding] };
    const given = join(folder, 'answers.json');
    await writeFile(given, JSON.stringify([...answers, { model: verdict.model, value: blocked }]));
    const client = join(folder, 'python');
    await generateClient(programs, 'python', file, client);
    const script = join(root, 'packages/dev/openapi-generator/read_answers.py');
    const read = await runTool(join(programs, 'python'), [script, given], { PYTHONPATH: client });

    expect(answers.map(({ model }) => model)).toEqual(expect.arrayContaining(['Menu', 'Order', 'Cart']));
    expect(countOf(JSON.stringify(answers))).toBeGreaterThan(20);
    expect(countOf(read)).toBe(countOf(await readFile(given, 'utf8')));
  });

  test('[HTTP-77] in Kotlin have strings for codes of answers, and only names of the description', async () => {
    const client = join(folder, 'kotlin');
    await generateClient(programs, 'kotlin', file, client);
    const models = join(client, 'src/main/kotlin/storefront/models');
    const names = (await readdir(models)).map((name) => name.replace(/\.kt$/, ''));
    const sourceOf = (name: string) => readFile(join(models, `${name}.kt`), 'utf8');
    const sources = await Promise.all(names.map(sourceOf));
    const enumerations = sources.filter((source) => source.includes('enum class '));

    expect(await sourceOf('Order')).toContain('val status: kotlin.String');
    // A field that only some codes have must not be required of all.
    expect(await sourceOf('CheckoutBlocker')).toContain('val code: kotlin.String,');
    expect(await sourceOf('CheckoutBlocker')).toContain('val repair: CheckoutRepair? = null');
    expect(names.filter((name) => !(name in components.schemas))).toEqual([]);
    expect(enumerations.length).toBeGreaterThan(5);
    expect(enumerations.filter((source) => !source.includes('unknown_default_open_api'))).toEqual([]);
  });
});
