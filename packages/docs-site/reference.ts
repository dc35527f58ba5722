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

/** For the URL of a page. */
const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** For a cell of a table. */
const cell = (text = ''): string =>
  text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', String.raw`\|`);

/**
 * Returns the pages of an API as Markdown by file: one page that can send operations, one for
 * each tag, and one with all objects. `docs` is the path to `docs/` from the folder of the first
 * page. (OPS-169)
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
            `- [${summary}](${api}/${slugOf(name)}.md#${operationId}): \`${call}\``,
        ),
      ].join('\n'),
    ),
    ...(events.length === 0
      ? []
      : [`Carte sends [events](${api}/${slugOf(EVENTS)}-sent.md) to webhook endpoints.`]),
    `All fields are in the list of [objects](${api}/objects.md).`,
    '## Try it out',
    'Requests go to the instance that serves this page.',
    `\`\`\`api-console\n${api}\n\`\`\``,
  ];
  const pages = new Map([[`${api}.md`, index]]);
  for (const { name, sections } of groups)
    pages.set(`${api}/${slugOf(name)}.md`, [
      `# ${name} ${suffix}`,
      ...sections.flatMap((entry) => sectionOf(api, entry)),
    ]);
  if (events.length > 0)
    pages.set(`${api}/${slugOf(EVENTS)}-sent.md`, [
      `# ${EVENTS} ${suffix}`,
      'Carte posts these bodies to the webhook endpoints that select them.',
      ...events.flatMap((event) => sectionOf(api, event)),
    ]);
  pages.set(`${api}/objects.md`, [
    `# Objects ${suffix}`,
    ...Object.entries(components.schemas)
      .toSorted(([first], [second]) => (first < second ? -1 : 1))
      .flatMap(([name, schema]) => objectOf(name, schema)),
  ]);
  return new Map(
    [...pages].map(([file, parts]) => [file, withDocuments(parts.join('\n\n'), file, docs)]),
  );
}

/** Converts links to pages of a running product to links to documents. */
function withDocuments(text: string, file: string, docs: string): string {
  const folder = file.includes('/') ? `../${docs}` : docs;
  const linked = text
    .replaceAll(/\]\(\/problems\/([\w-]+)\)/g, `](${folder}/problems.md#$1)`)
    .replaceAll(/\]\(\/(problems|codes)(?:\/\w+)?\)/g, `](${folder}/$1.md)`);
  return `${linked}\n`;
}

function sectionOf(api: string, operation: Operation & { call?: string; tag?: string }): string[] {
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
      `**Body:** ${typeOf(schema ?? {})}. ${requestBody!.description ?? ''}`.trim(),
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
                  type === 'application/json' ? typeOf(schema ?? {}) : `\`${type}\``,
                )
                .join(', '),
              meaning,
            ]),
          ),
        ]),
    ...(failures.length === 0
      ? []
      : [
          `**Problems:** ${failures.map(([status, { description: text }]) => `${status} ${kindsOf(text)}`).join('; ')}.`,
        ]),
    ...samplesOf(operation),
    ...exampleOf('Example of the answer', answers),
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
  typeOf(schema),
  description ?? '',
];

/** Problem kinds begin the paragraphs of an answer. */
const kindsOf = (text: string): string =>
  [...text.matchAll(/^`([a-z-]+)`:/gm)]
    .map(([, kind]) => `[\`${kind}\`](/problems/${kind})`)
    .join(', ');

function samplesOf({ 'x-codeSamples': samples = [] }: Operation): string[] {
  if (samples.length === 0) return [];
  const blocks = samples.map(({ label, source }) => fence(`txt [${label}]`, source));
  return [`::: code-group\n\n${blocks.join('\n\n')}\n\n:::`];
}

function exampleOf(title: string, media: Media[string][]): string[] {
  const example = media.find((entry) => entry.example !== undefined)?.example;
  if (example === undefined) return [];
  const lines = JSON.stringify(example, null, 2).split('\n');
  const shown = lines.length > EXAMPLE_LINES ? [...lines.slice(0, EXAMPLE_LINES), '…'] : lines;
  return [`**${title}**`, fence('txt', shown.join('\n'))];
}

const fence = (info: string, text: string): string => `\`\`\`\`${info}\n${text}\n\`\`\`\``;

function objectOf(name: string, schema: Schema): string[] {
  const { description, properties, required = [] } = schema;
  const rows = Object.entries(properties ?? {}).map(([field, value]) => [
    `\`${field}\`${required.includes(field) ? '' : ' (optional)'}`,
    typeOf(value, ''),
    value.description ?? '',
  ]);
  return [
    `## ${name} {#${name}}`,
    ...(description === undefined ? [] : [description]),
    rows.length === 0
      ? typeOf({ ...schema, description: '' }, '')
      : table(['Field', 'Type', 'Meaning'], rows),
  ];
}

/** Returns a type with links to objects on the page at `objects`. */
export function typeOf(schema: Schema, objects = 'objects.md'): string {
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
    return [...new Set(several.map((entry) => typeOf(entry, objects)))].join(' or ');
  if (type === 'array') return `list of ${typeOf(items ?? {}, objects)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `map of ${typeOf(additionalProperties, objects)}`;
  const name = [type ?? 'any value'].flat().join(' or ');
  return format === undefined ? name : `${name} (${format})`;
}

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
