/** The part that the pages show. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
};

type Media = Record<string, { schema?: Schema; example?: unknown }>;

type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { description?: string; content: Media };
  responses?: Record<string, { description: string; content?: Media }>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
};

/** The part that the pages show. */
export type Description = {
  info: { title: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** In lines. */
const EXAMPLE_LINES = 60;
const EVENTS = 'Events';

const toSlug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const cell = (text = ''): string =>
  text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', String.raw`\|`);

/**
 * Returns the pages of an API as Markdown by file: one that can send operations, one for each tag,
 * and one with all objects (OPS-169). `docs` is the path to `docs/` from the folder of the first
 * page.
 */
export function referencePages(
  api: string,
  description: Description,
  docs: string,
): Map<string, string> {
  const { info, tags, paths, webhooks = {}, components, servers } = description;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = tags.map(({ name }) => ({
    name,
    sections: all
      .filter(({ operation }) => operation.tags?.includes(name))
      .map((entry) => ({
        ...entry.operation,
        call: `${entry.method.toUpperCase()} ${servers[0]!.url}${entry.path}`,
        tag: name,
      })),
  }));

  const events = Object.values(webhooks).flatMap((methods) => Object.values(methods));
  const suffix = `(${info.title.replace(/^Carte /, '')})`;

  const index = [
    `# ${info.title.replace(/^Carte (.)/, (_, letter: string) => letter.toUpperCase())}`,
    info.description,
    '## Operations',
    ...groups.map(({ name, sections }) =>
      [
        `### ${name}`,
        '',
        ...sections.map(
          ({ call, summary, operationId }) =>
            `- [${summary}](${api}/${toSlug(name)}.md#${operationId}): \`${call}\``,
        ),
      ].join('\n'),
    ),
    ...(events.length === 0
      ? []
      : [`Carte sends [events](${api}/${toSlug(EVENTS)}-sent.md) to webhook endpoints.`]),
    `All fields are in the list of [objects](${api}/objects.md).`,
    '## Try it out',
    'Requests go to the instance that serves this page.',
    `\`\`\`api-console\n${api}\n\`\`\``,
  ];

  const pages = new Map([[`${api}.md`, index]]);

  for (const { name, sections } of groups)
    pages.set(`${api}/${toSlug(name)}.md`, [
      `# ${name} ${suffix}`,
      ...sections.flatMap((entry) => writeSection(api, entry)),
    ]);

  if (events.length > 0)
    pages.set(`${api}/${toSlug(EVENTS)}-sent.md`, [
      `# ${EVENTS} ${suffix}`,
      'Carte posts these bodies to the webhook endpoints that select them.',
      ...events.flatMap((event) => writeSection(api, event)),
    ]);

  pages.set(`${api}/objects.md`, [
    `# Objects ${suffix}`,
    ...Object.entries(components.schemas)
      .toSorted(([first], [second]) => (first < second ? -1 : 1))
      .flatMap(([name, schema]) => writeObject(name, schema)),
  ]);

  return new Map(
    [...pages].map(([file, parts]) => [file, withDocuments(parts.join('\n\n'), file, docs)]),
  );
}

/** Replaces links to pages of a running product by links to documents. */
function withDocuments(text: string, file: string, docs: string): string {
  const folder = file.includes('/') ? `../${docs}` : docs;
  const linked = text
    .replaceAll(/\]\(\/problems\/([\w-]+)\)/g, `](${folder}/problems.md#$1)`)
    .replaceAll(/\]\(\/(problems|codes)(?:\/\w+)?\)/g, `](${folder}/$1.md)`);
  return `${linked}\n`;
}

function writeSection(
  api: string,
  operation: Operation & { call?: string; tag?: string },
): string[] {
  const {
    operationId,
    summary,
    description,
    call,
    tag,
    parameters = [],
    requestBody,
    responses = {},
  } = operation;

  const successes = Object.entries(responses).filter(([status]) => status < '400');
  const failures = Object.entries(responses).filter(([status]) => status >= '400');
  const bodies = Object.values(requestBody?.content ?? {});
  const answers = successes.flatMap(([, { content = {} }]) => Object.values(content));

  return [
    `## ${summary} {#${operationId}}`,
    ...(call === undefined ? [] : [`\`${call}\``]),
    ...(description === undefined ? [] : [description]),
    ...(parameters.length === 0
      ? []
      : [table(['Parameter', 'In', 'Type', 'Meaning'], parameters.map(parameterRow))]),
    ...bodies.map(({ schema }) =>
      `**Body:** ${writeType(schema ?? {})}. ${requestBody!.description ?? ''}`.trim(),
    ),
    ...(successes.length === 0
      ? []
      : [
          table(
            ['Answer', 'Body', 'Meaning'],
            successes.map(([status, { description: meaning, content = {} }]) => [
              status,
              Object.entries(content)
                .map(([type, { schema }]) =>
                  type === 'application/json' ? writeType(schema ?? {}) : `\`${type}\``,
                )
                .join(', '),
              meaning,
            ]),
          ),
        ]),
    ...(failures.length === 0
      ? []
      : [
          `**Problems:** ${failures.map(([status, { description: text }]) => `${status} ${linkKinds(text)}`).join('; ')}.`,
        ]),
    ...writeSamples(operation),
    ...writeExample('Example of the answer', answers),
    ...(call === undefined
      ? []
      : [`[Try it out](../${api}.md#/${encodeURIComponent(tag!)}/${operationId})`]),
  ];
}

const parameterRow = ({
  name,
  in: place,
  required,
  description,
  schema,
}: NonNullable<Operation['parameters']>[number]) => [
  `\`${name}\`${required === true ? ' (required)' : ''}`,
  place,
  writeType(schema),
  description ?? '',
];

/** Problem kinds begin the paragraphs of an answer. */
const linkKinds = (text: string): string =>
  [...text.matchAll(/^`([a-z-]+)`:/gm)]
    .map(([, kind]) => `[\`${kind}\`](/problems/${kind})`)
    .join(', ');

function writeSamples({ 'x-codeSamples': samples = [] }: Operation): string[] {
  if (samples.length === 0) return [];
  const blocks = samples.map(({ label, source }) => fence(`txt [${label}]`, source));
  return [`::: code-group\n\n${blocks.join('\n\n')}\n\n:::`];
}

function writeExample(title: string, media: Media[string][]): string[] {
  const example = media.find((entry) => entry.example !== undefined)?.example;
  if (example === undefined) return [];
  const lines = JSON.stringify(example, null, 2).split('\n');
  const shown = lines.length > EXAMPLE_LINES ? [...lines.slice(0, EXAMPLE_LINES), '…'] : lines;
  return [`**${title}**`, fence('txt', shown.join('\n'))];
}

const fence = (info: string, text: string): string => `\`\`\`\`${info}\n${text}\n\`\`\`\``;

function writeObject(name: string, schema: Schema): string[] {
  const { description, properties, required = [] } = schema;
  const rows = Object.entries(properties ?? {}).map(([field, value]) => [
    `\`${field}\`${required.includes(field) ? '' : ' (optional)'}`,
    writeType(value, ''),
    value.description ?? '',
  ]);

  return [
    `## ${name} {#${name}}`,
    ...(description === undefined ? [] : [description]),
    rows.length === 0
      ? writeType({ ...schema, description: '' }, '')
      : table(['Field', 'Type', 'Meaning'], rows),
  ];
}

/** Returns a type whose objects are links to the page `objects`. */
export function writeType(schema: Schema, objects = 'objects.md'): string {
  const {
    $ref,
    type,
    format,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    items,
    additionalProperties,
  } = schema;
  if ($ref !== undefined) return `[${nameOf($ref)}](${objects}#${nameOf($ref)})`;

  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  const several = anyOf ?? oneOf ?? allOf;
  if (several !== undefined)
    return [...new Set(several.map((entry) => writeType(entry, objects)))].join(' or ');
  if (type === 'array') return `list of ${writeType(items ?? {}, objects)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `map of ${writeType(additionalProperties, objects)}`;
  const name = [type ?? 'any value'].flat().join(' or ');

  return format === undefined ? name : `${name} (${format})`;
}

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
