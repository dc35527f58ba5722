import { execFileSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = 'docs/decisions';
const MAX_RECORDS = 40;
const SECTIONS = ['Status', 'Context', 'Decision', 'Consequences', 'Rejected options'];
/** This file cites missing decisions as a negative control. */
const SELF = 'test/contract/project/decisions.test.ts';
const TEXT_FILE = /\.(?:conf|css|html|js|json|md|mjs|sh|sql|ts|ya?ml)$|Dockerfile$/;
const GENERATED = /^(?:api\/|migrations\/.*\.json$|package-lock\.json$|test\/replay\/histories\/)/;

interface Source {
  readonly file: string;
  readonly text: string;
}

/** Numbers cited as `decision 12` or `decisions 12, 13 and 14`, also across two comment lines. */
function citedNumbers(text: string): number[] {
  const citations = text.matchAll(
    /\bdecisions?\s+(?:(?:\*|\/\/|--|#)\s+)?(\d+(?:(?:, | and )\d+)*)\b/gi,
  );
  return [...citations].flatMap(([, numbers = '']) => (numbers.match(/\d+/g) ?? []).map(Number));
}

/** Record files in links and paths, such as `decisions/0001-record.md`. */
function linkedFiles(text: string): string[] {
  return [...text.matchAll(/\bdecisions\/(\d{4}-[\w-]+\.md)/g)].map(([, file]) => file!);
}

/** Rows of the index: a number and the current files of the decision. */
function indexRows(index: string): Map<number, string[]> {
  const rows = new Map<number, string[]>();
  for (const [, numbers = '', links = ''] of index.matchAll(/^\| (\d+(?:, \d+)*) +\| (.+) \|$/gm)) {
    const files = [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file!);
    for (const number of numbers.split(', ').map(Number))
      rows.set(number, [...(rows.get(number) ?? []), ...files]);
  }
  return rows;
}

function formFaults({ file, text }: Source): string[] {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
  const sections = SECTIONS.filter((section) => !headings.includes(section));
  const isTitled = text.startsWith(`# ${Number(file.slice(0, 4))}. `);
  return [
    ...(isTitled ? [] : [`${file}: the title must start with the number of the file`]),
    ...sections.map((section) => `${file}: section "${section}" is missing`),
  ];
}

function decisionFaults(
  records: readonly Source[],
  index: string,
  sources: readonly Source[],
): string[] {
  const rows = indexRows(index);
  const files = new Set(records.map(({ file }) => file));
  const linked = new Set([...rows.values()].flat());
  return [
    ...(records.length > MAX_RECORDS
      ? [`${records.length} records, the limit is ${MAX_RECORDS}`]
      : []),
    ...records.flatMap(formFaults),
    ...[...files].filter((file) => !linked.has(file)).map((file) => `${file} is not in the index`),
    ...[...linked]
      .filter((file) => !files.has(file))
      .map((file) => `the index links ${file}, which does not exist`),
    ...sources.flatMap(({ file, text }) =>
      citedNumbers(text)
        .filter((number) => !rows.has(number))
        .map((number) => `${file} cites decision ${number}, which is not in the index`),
    ),
    ...sources.flatMap(({ file, text }) =>
      linkedFiles(text)
        .filter((record) => !files.has(record))
        .map((record) => `${file} links ${record}, which does not exist`),
    ),
  ];
}

async function readRecords(): Promise<Source[]> {
  const files = (await readdir(`${ROOT}/${FOLDER}`))
    .filter((file) => file !== 'README.md')
    .toSorted();
  return Promise.all(
    files.map(async (file) => ({
      file,
      text: await readFile(`${ROOT}/${FOLDER}/${file}`, 'utf8'),
    })),
  );
}

async function readSources(): Promise<Source[]> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = listed
    .split('\n')
    .filter((file) => TEXT_FILE.test(file) && !GENERATED.test(file) && file !== SELF);
  return Promise.all(
    files.map(async (file) => ({
      file,
      text: await readFile(`${ROOT}/${file}`, 'utf8').catch(() => ''),
    })),
  );
}

test('every decision record has all sections, and every cited decision is in the index', async () => {
  const [records, index, sources] = await Promise.all([
    readRecords(),
    readFile(`${ROOT}/${FOLDER}/README.md`, 'utf8'),
    readSources(),
  ]);

  expect(decisionFaults(records, index, sources)).toEqual([]);
  expect(sources.flatMap(({ text }) => citedNumbers(text)).length).toBeGreaterThan(40);
});

describe('the check of decision records', () => {
  const record = (number: number, sections = SECTIONS): Source => ({
    file: `${String(number).padStart(4, '0')}-record.md`,
    text: [`# ${number}. A decision`, ...sections.map((section) => `## ${section}`)].join('\n\n'),
  });
  const row = (number: number) => `| ${number} | [A decision](${record(number).file}) |`;
  const rowsTo = (count: number) => Array.from({ length: count }, (_, position) => position + 1);

  test('reports a record without a section and one with a wrong title', () => {
    const incomplete = record(1, ['Status', 'Context', 'Decision', 'Consequences']);
    const wrong = { ...record(2), text: record(3).text };

    expect(decisionFaults([incomplete, wrong], [row(1), row(2)].join('\n'), [])).toEqual([
      '0001-record.md: section "Rejected options" is missing',
      '0002-record.md: the title must start with the number of the file',
    ]);
  });

  test('reports a record outside the index and a link to a missing record', () => {
    expect(decisionFaults([record(1)], row(2), [])).toEqual([
      '0001-record.md is not in the index',
      'the index links 0002-record.md, which does not exist',
    ]);
  });

  test('reports the 41st record', () => {
    const numbers = rowsTo(MAX_RECORDS + 1);
    const index = numbers.map(row).join('\n');

    expect(
      decisionFaults(
        numbers.map((number) => record(number)),
        index,
        [],
      ),
    ).toEqual(['41 records, the limit is 40']);
  });

  test('reports a link to a missing record', () => {
    const text = 'See [the record](docs/decisions/0009-record.md).';

    expect(decisionFaults([record(1)], row(1), [{ file: 'a.md', text }])).toEqual([
      'a.md links 0009-record.md, which does not exist',
    ]);
  });

  test.each([
    ['// See decision 9.', [9]],
    ['(decisions 1, 8 and 9)', [8, 9]],
    ['// The reason is in decision\n// 9.', [9]],
    ['[Decision 9](a.md)', [9]],
  ])('reports a citation that the index lacks: %j', (text, numbers) => {
    expect(decisionFaults([record(1)], row(1), [{ file: 'a.ts', text }])).toEqual(
      numbers.map((number) => `a.ts cites decision ${number}, which is not in the index`),
    );
  });
});
