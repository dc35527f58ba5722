import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OPEN_ENUM } from '../../../api/http/documents/document-schemas.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { generateClient, runTool } from '../../../packages/dev/openapi-generator/generate.ts';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { onPath } from '../../../tools/cached-program.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, testWith, unlessMandatory } from '../../support/unless-mandatory.ts';

// Tests do not install a JDK: without one they are todos, even with `CI=true`.
const [java, maven] = ['java', 'mvn'].map((name) => onPath(name, process.env['PATH']));
const log = (line: string) => void process.stderr.write(`${line}\n`);
const generator =
  java === undefined
    ? undefined
    : await toolFolder('openapi-generator', log).catch(unlessMandatory);
const archives =
  java === undefined || maven === undefined
    ? undefined
    : await toolFolder('kotlin-client', log).catch(unlessMandatory);

type Schema = {
  $ref?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  [OPEN_ENUM]?: string[];
};
type Operation = {
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }> }>;
};
const description = openApiDocument('public', routes);
const { components, paths } = description as unknown as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};
const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);

const MODELS = 'src/main/kotlin/storefront/models';
const NEWER = 'A_NEWER_CODE';

/** A recorded answer with a newer code wherever the description lists open codes. */
function withNewerCodes(schema: Schema, value: unknown): unknown {
  const { $ref, items = {}, properties, anyOf = [] } = schema;
  if ($ref !== undefined) return withNewerCodes(components.schemas[nameIn($ref)]!, value);
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((entry) => withNewerCodes(items, entry));
  if (typeof value === 'string' && schema[OPEN_ENUM] !== undefined) return NEWER;
  // The first alternative of a nullable value.
  if (properties === undefined && anyOf[0] !== undefined) return withNewerCodes(anyOf[0], value);
  if (typeof value !== 'object' || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withNewerCodes(properties[name] ?? {}, member),
    ]),
  );
}

/** Recorded JSON answers with newer codes, by schema name. */
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
const countNewer = (text: string) => text.split(NEWER).length - 1;

describeWith(generator, 'clients of OpenAPI Generator', (programs) => {
  let folder: string;
  let given: string;
  beforeAll(async () => {
    folder = await temporaryFolder('generated-clients');
    const finding = { code: NEWER, message: 'Newer', repair: { action: NEWER } };
    const verdict = answers.find(({ model }) => model === 'CheckoutVerdict')!;
    const blocked = {
      ...(verdict.value as object),
      blockers: [finding],
      warnings: [finding],
      adjustments: [finding],
    };
    given = join(folder, 'answers.json');
    await writeFile(given, JSON.stringify([...answers, { model: verdict.model, value: blocked }]));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(description));
    for (const language of ['kotlin', 'python'] as const)
      await generateClient(
        programs,
        language,
        join(folder, 'openapi.json'),
        join(folder, language),
      );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('[HTTP-77] read, in Python, every recorded answer with newer codes, and keep the codes', async () => {
    const script = join(root, 'packages/dev/openapi-generator/read_answers.py');
    const read = await runTool(join(programs, 'python'), [script, given], {
      PYTHONPATH: join(folder, 'python'),
    });

    expect(answers.map(({ model }) => model)).toEqual(
      expect.arrayContaining(['Menu', 'Order', 'Cart']),
    );
    expect(countNewer(JSON.stringify(answers))).toBeGreaterThan(20);
    expect(countNewer(read)).toBe(countNewer(await readFile(given, 'utf8')));
  });

  test('[HTTP-77] use, in Kotlin, strings for codes of answers, and only names of the description', async () => {
    const models = join(folder, 'kotlin', MODELS);
    const names = (await readdir(models)).map((name) => name.replace(/\.kt$/, ''));
    const sources = await Promise.all(
      names.map((name) => readFile(join(models, `${name}.kt`), 'utf8')),
    );
    const enumerations = sources.filter((source) => source.includes('enum class '));

    expect(sources[names.indexOf('Order')]).toContain('val status: kotlin.String');
    expect(names.filter((name) => !(name in components.schemas))).toEqual([]);
    expect(enumerations.length).toBeGreaterThan(5);
    expect(enumerations.filter((source) => !source.includes('unknown_default_open_api'))).toEqual(
      [],
    );
  });

  testWith(
    archives,
    '[HTTP-77] read, in Kotlin, every recorded answer with newer codes, and keep the codes',
    async (jarsFolder) => {
      const source = join(folder, 'kotlin', MODELS, '..');
      const helpers = (await readdir(join(source, 'infrastructure'))).filter((name) =>
        /^Serializer|Adapter\.kt$/.test(name),
      );
      const jars = (await readdir(jarsFolder))
        .map((name) => join(jarsFolder, name))
        .join(delimiter);
      const compiled = join(folder, 'compiled');
      await runTool(java!, [
        '-Xmx1g',
        '-XX:TieredStopAtLevel=1',
        '-classpath',
        jars,
        'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler',
        '-no-stdlib',
        '-no-reflect',
        '-nowarn',
        '-classpath',
        jars,
        '-d',
        compiled,
        join(root, 'packages/dev/kotlin-client/ReadAnswers.kt'),
        join(source, 'models'),
        ...helpers.map((name) => join(source, 'infrastructure', name)),
      ]);
      const written = await runTool(java!, [
        '-classpath',
        [compiled, jars].join(delimiter),
        'ReadAnswersKt',
        given,
      ]);

      expect(JSON.parse(written)).toHaveLength(answers.length + 1);
      expect(countNewer(written)).toBe(countNewer(await readFile(given, 'utf8')));
    },
  );
});
