import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { BINDINGS } from '../../e2e/synchronization/bindings.ts';
import { ERRORS } from '../../e2e/synchronization/errors.ts';
import { LIMITS } from '../../e2e/synchronization/limits.ts';
import { STATES } from '../../e2e/synchronization/states.ts';

const FOLDER = 'docs/rules';
/** This file cites rules and documents that do not exist, to show that they are found. */
const SELF = 'test/contract/project/rules.test.ts';

type Rule = { id: string; text: string; proofs: { file: string; title: string }[] };

/** The rules of one page: `- **ABC-1.** text`, then lines `` `file` › title `` of the tests that fail without it. */
function rulesIn(page: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of page.split('\n')) {
    const head = /^- \*\*([A-Z]+-\d+)\.\*\* (.+)$/.exec(line);
    const proof = /^ {2}- `([^`]+\.ts)` › (.+)$/.exec(line);
    if (head) rules.push({ id: head[1]!, text: head[2]!, proofs: [] });
    else if (proof) rules.at(-1)?.proofs.push({ file: proof[1]!, title: proof[2]!.replaceAll('\\', '') });
  }
  return rules;
}

async function allRules(): Promise<Rule[]> {
  const pages = (await readdir(FOLDER)).filter((name) => name !== 'README.md').toSorted();
  const texts = await Promise.all(pages.map((name) => readFile(`${FOLDER}/${name}`, 'utf8')));
  return texts.flatMap(rulesIn);
}

/** What is wrong with a list of rules: repeated ids, rules without a test, files and titles that do not exist. */
async function faultsOf(rules: readonly Rule[]): Promise<string[]> {
  const repeated = rules.filter(({ id }, at) => rules.findIndex((each) => each.id === id) !== at);
  const proved = rules.flatMap(({ id, proofs }) => proofs.map((proof) => ({ id, ...proof })));
  const missing = await Promise.all(
    proved.map(async ({ id, file, title }) => {
      const text = await readFile(file, 'utf8').catch(() => null);
      if (text === null) return `${id}: ${file} does not exist`;
      // Titles with an apostrophe are escaped in the source.
      return text.replaceAll("\\'", "'").includes(title) ? null : `${id}: ${file} has no test called “${title}”`;
    }),
  );
  return [
    ...repeated.map(({ id }) => `${id} is there twice`),
    ...rules.filter(({ proofs }) => proofs.length === 0).map(({ id }) => `${id} names no test`),
    ...missing.filter((each) => each !== null),
  ];
}

type Source = { file: string; text: string };

/** Ids that a text cites as `rule ABC-1`, also several of them: `rules ABC-1, ABC-2 and DEF-3`. */
function citedIn(text: string): string[] {
  return [...text.matchAll(/\brules? ((?:[A-Z]{3,4}-\d+(?:, | and )?)+)/g)].flatMap(([, ids = '']) =>
    [...ids.matchAll(/[A-Z]{3,4}-\d+/g)].map(([id]) => id),
  );
}

function unknownCitations(sources: readonly Source[], ids: ReadonlySet<string>): string[] {
  return sources.flatMap(({ file, text }) =>
    citedIn(text)
      .filter((id) => !ids.has(id))
      .map((id) => `${file} cites ${id}`),
  );
}

/** Numbered sections of documents that readers of this repository cannot open. */
const FOREIGN = /\b(spec(ification)? [1-9]|design(\.md)?( section)? [0-9]|erp notes|the specification)\b/i;

function foreignCitations(texts: readonly Source[]): string[] {
  return texts.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => FOREIGN.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

/** Every text file of the repository but generated, recorded and locked ones. */
async function sources(): Promise<Source[]> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const files = listed
    .split('\0')
    .filter((file) => /\.(ts|mjs|md|yml|yaml)$/.test(file))
    .filter((file) => file !== SELF && !/^(client\/|contracts\/openapi\/|test\/replay\/histories\/)/.test(file));
  const read = files.map(async (file) => ({ file, text: await readFile(file, 'utf8').catch(() => '') }));
  return Promise.all(read);
}

describe('the rules in docs/rules', () => {
  test('have ids of their own and name tests that exist', async () => {
    const rules = await allRules();

    expect(await faultsOf(rules)).toEqual([]);
    expect(rules.length).toBeGreaterThan(150);
  });

  test('hold every case of the end-to-end tables', async () => {
    const titles = (await allRules()).flatMap(({ proofs }) => proofs.map(({ title }) => title));

    const cases = [...STATES, ...BINDINGS, ...ERRORS, ...LIMITS].map(({ id }) => id);

    expect(cases.filter((id) => !titles.includes(id))).toEqual([]);
  });

  test('are what the sources cite', async () => {
    const ids = new Set((await allRules()).map(({ id }) => id));

    expect(unknownCitations(await sources(), ids)).toEqual([]);
  });
});

test('nothing cites a document that the repository does not have', async () => {
  expect(foreignCitations(await sources())).toEqual([]);
});

describe('negative control', () => {
  test('a repeated id, a rule without a test, a file and a title that do not exist are found', async () => {
    const page = [
      '- **ABC-1.** A rule.',
      '  - `test/contract/project/run.test.ts` › no such title',
      '- **ABC-1.** The same id.',
      '  - `test/nowhere.test.ts` › anything',
      '- **ABC-2.** Nothing shows this.',
    ].join('\n');

    const faults = await faultsOf(rulesIn(page));

    expect(faults).toEqual([
      'ABC-1 is there twice',
      'ABC-2 names no test',
      'ABC-1: test/contract/project/run.test.ts has no test called “no such title”',
      'ABC-1: test/nowhere.test.ts does not exist',
    ]);
  });

  test('a citation of a rule that does not exist is found, also the second of two', () => {
    const text = '// As the rules ABC-1 and ABC-9 say.';

    expect(unknownCitations([{ file: 'a.ts', text }], new Set(['ABC-1']))).toEqual(['a.ts cites ABC-9']);
  });

  test.each(['spec 2, Limits', 'design section 6', 'design 4', 'erp notes, 6.2', 'as the specification says'])(
    'a citation of a foreign document is found: %s',
    (citation) => {
      expect(foreignCitations([{ file: 'a.ts', text: `const a = 1;\n// Once (${citation}).` }])).toHaveLength(1);
    },
  );
});
