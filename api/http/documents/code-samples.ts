import type { Example } from './examples.ts';
import { IDEMPOTENCY_HEADER } from '../input/idempotency-key.ts';
import { PREFIXES, type Api, type Route } from '../route.ts';

export type CodeSample = { lang: string; label: string; source: string };

/** The reference replaces this host with its own origin. */
export const SAMPLE_HOST = 'api.example.com';
const SAMPLE_ORIGIN = `https://${SAMPLE_HOST}`;

type SampleRequest = {
  route: Route;
  path: Readonly<Record<string, string | number>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** Excludes the query. */
  url: string;
  needsToken: boolean;
};

/**
 * Returns samples in curl, TypeScript and Python for the recorded example (rule HTTP-75).
 * TypeScript uses `@carte/client` where possible.
 */
export function codeSamples(
  route: Route,
  example: Example = { status: 200 },
  needsToken: boolean,
): CodeSample[] {
  const path = Object.fromEntries(
    Object.keys(route.params?.properties ?? {}).map((name) => [name, example.params?.[name] ?? 1]),
  ) as Record<string, string | number>;
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name]!),
  );
  const request: SampleRequest = {
    route,
    path,
    query: example.query ?? {},
    body: route.body === undefined ? undefined : (example.body ?? {}),
    url: SAMPLE_ORIGIN + PREFIXES[route.api] + filled,
    needsToken,
  };

  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: CLIENTS[route.api](request) },
    { lang: 'Python', label: 'Python', source: python(request) },
  ];
}

const isStream = ({ mediaType }: Route): boolean => mediaType === 'text/event-stream';

/** Excludes the file. */
const listMembers = (body: unknown): [string, string][] =>
  Object.entries((body ?? {}) as object).map(([name, value]) => [name, String(value)]);

const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl({ route, url, query, body, needsToken }: SampleRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((entry) => [name, String(entry)]),
    ),
  );

  const form = [
    ...(route.files === undefined ? [] : [[route.files.field, `@${route.files.example}`]]),
    ...listMembers(body),
  ];

  return [
    `curl --request ${route.method} ${shellText(url + (search.size === 0 ? '' : `?${search.toString()}`))}`,
    ...(isStream(route) ? ['--no-buffer'] : []),
    ...(needsToken ? ['--header "Authorization: Bearer $CARTE_TOKEN"'] : []),
    ...(route.idempotent === undefined
      ? []
      : [`--header "${IDEMPOTENCY_HEADER}: $(node -p 'crypto.randomUUID()')"`]),
    ...(route.files === undefined
      ? body === undefined
        ? []
        : [
            "--header 'Content-Type: application/json'",
            `--data ${shellText(JSON.stringify(body, null, 2))}`,
          ]
      : form.map(([name, value]) => `--form ${shellText(`${name}=${value}`)}`)),
  ].join(' \\\n  ');
}

const typescriptValue = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

const PYTHON_WORDS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
};

const pythonValue = (value: unknown): string =>
  JSON.stringify(value, null, 4)
    .replaceAll(
      /(^\s*|": )(true|false|null)(?=,?$)/gm,
      (_, before: string, word: string) => before + PYTHON_WORDS[word],
    )
    .replaceAll('\n', '\n    ');

const clientSample =
  (name: string, from: string) =>
  ({ route, path, query, body, needsToken }: SampleRequest): string => {
    const { params, query: accepted, files, idempotent } = route;
    const members = { ...path, ...query };
    const takesParams = Object.keys({ ...params?.properties, ...accepted?.properties }).length > 0;
    const sent =
      files === undefined
        ? typescriptValue(body ?? {})
        : `{ ${[`${files.field}: new File([], '${files.example}')`, ...listMembers(body).map(([key, text]) => `${key}: ${JSON.stringify(text)}`)].join(', ')} }`;

    const callArguments = [
      ...(takesParams
        ? [{ text: typescriptValue(members), isEmpty: Object.keys(members).length === 0 }]
        : []),
      ...(body === undefined && files === undefined
        ? []
        : [{ text: sent, isEmpty: sent === '{}' }]),
      ...(idempotent === undefined
        ? []
        : [{ text: '{ idempotencyKey: crypto.randomUUID() }', isEmpty: false }]),
    ];

    const last = callArguments.findLastIndex(({ isEmpty }) => !isEmpty);
    const values = callArguments.slice(0, last + 1).map(({ text }) => text);
    const options = [
      `baseUrl: '${SAMPLE_ORIGIN}'`,
      ...(needsToken ? ["accessToken: process.env['CARTE_TOKEN'] ?? ''"] : []),
    ];

    return [
      `import { ${name} } from '@carte/client/${from}';`,
      '',
      `const api = new ${name}({ ${options.join(', ')} });`,
      `const { data } = await api.${route.operationId}(${values.join(', ')});`,
      'console.log(data);',
    ].join('\n');
  };

function fetchSample({ route, url, body, needsToken }: SampleRequest): string {
  const headers = [
    ...(needsToken ? ["    Authorization: `Bearer ${process.env['CARTE_TOKEN'] ?? ''}`,"] : []),
    "    'Content-Type': 'application/json',",
  ];

  return [
    `const answer = await fetch('${url}', {`,
    `  method: '${route.method}',`,
    '  headers: {',
    ...headers,
    '  },',
    `  body: JSON.stringify(${typescriptValue(body).replaceAll('\n', '\n  ')}),`,
    '});',
    'console.log(answer.status);',
  ].join('\n');
}

const CLIENTS: Readonly<Record<Api, (request: SampleRequest) => string>> = {
  public: clientSample('PublicApi', 'storefront'),
  admin: clientSample('AdminApi', 'admin'),
  webhooks: fetchSample,
};

function python({ route, url, query, body, needsToken }: SampleRequest): string {
  const { files, idempotent } = route;
  const headers = [
    ...(needsToken ? [`"Authorization": f"Bearer {os.environ['CARTE_TOKEN']}"`] : []),
    ...(idempotent === undefined ? [] : [`"${IDEMPOTENCY_HEADER}": str(uuid.uuid4())`]),
  ];

  const texts = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(String) : String(value),
  ]);

  const members = Object.fromEntries(listMembers(body));
  const input: string[] =
    files === undefined
      ? body === undefined
        ? []
        : [`json=${pythonValue(body)}`]
      : [
          `files={"${files.field}": open("${files.example}", "rb")}`,
          `data=${pythonValue(members)}`,
        ];

  const values = [
    `"${url}"`,
    ...(texts.length === 0 ? [] : [`params=${pythonValue(Object.fromEntries(texts))}`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...input,
    ...(isStream(route) ? ['stream=True'] : []),
    'timeout=30',
  ];

  const imports = [
    ...(needsToken ? ['import os'] : []),
    ...(idempotent === undefined ? [] : ['import uuid']),
  ];

  return [
    ...imports,
    ...(imports.length === 0 ? [] : ['']),
    'import requests',
    '',
    `answer = requests.${route.method.toLowerCase()}(`,
    ...values.map((value) => `    ${value},`),
    ')',
    'answer.raise_for_status()',
    ...(isStream(route)
      ? ['for line in answer.iter_lines(decode_unicode=True):', '    print(line)']
      : ['print(answer.text)']),
  ].join('\n');
}
