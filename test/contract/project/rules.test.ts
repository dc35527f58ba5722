import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import {
  readRulesAndTests,
  ruleFaults,
  ruleIds,
  rulesOfTitle,
  titleTags,
  withoutTestLinks,
  withTestLinks,
  type Source,
} from '../../../packages/dev/rule-tests.ts';
import { BINDINGS } from '../../soak/synchronization/bindings.ts';
import { ERRORS } from '../../soak/synchronization/errors.ts';
import { LIMITS } from '../../soak/synchronization/limits.ts';
import { STATES } from '../../soak/synchronization/states.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** This file cites missing rules and documents as a negative control. */
const SELF = 'test/contract/project/rules.test.ts';

/** Ids cited as `rule ABC-1` or `rules ABC-1, ABC-2 and DEF-3`. */
function citedIn(text: string): string[] {
  return [...text.matchAll(/\brules? ((?:[A-Z]{3,4}-\d+(?:, | and )?)+)/g)].flatMap(
    ([, ids = '']) => [...ids.matchAll(/[A-Z]{3,4}-\d+/g)].map(([id]) => id),
  );
}

function unknownCitations(sources: readonly Source[], ids: ReadonlySet<string>): string[] {
  return sources.flatMap(({ file, text }) =>
    citedIn(text)
      .filter((id) => !ids.has(id))
      .map((id) => `${file} cites ${id}`),
  );
}

/** Numbered sections of documents outside of this repository. */
const FOREIGN =
  /\b(spec(ification)? [1-9]|design(\.md)?( section)? [0-9]|erp notes|the specification)\b/i;

function foreignCitations(texts: readonly Source[]): string[] {
  return texts.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => FOREIGN.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

async function sources(): Promise<Source[]> {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  );
  const files = listed
    .split('\0')
    .filter((file) => /\.(ts|mjs|md|yml|yaml)$/.test(file))
    .filter(
      (file) =>
        file !== SELF && !/^(client\/|contracts\/openapi\/|test\/replay\/histories\/)/.test(file),
    );
  const read = files.map(async (file) => ({
    file,
    text: await readFile(file, 'utf8').catch(() => ''),
  }));
  return Promise.all(read);
}

function sentenceFaults({ file, text }: Source): string[] {
  return [...withoutTestLinks(text).matchAll(/^- \*\*([A-Z]{3,4}-\d+)\.\*\* (.+)$/gm)].flatMap(
    ([, id, rule = '']) => {
      const plain = rule.replaceAll(/`[^`]+`/g, 'code').replaceAll(/\[[^\]]+\]\([^)]+\)/g, 'link');
      const sentences = plain.split(/(?<=[.!?]) (?=\p{Lu})/u);
      const isFine = sentences.length <= 3 && plain.endsWith('.');
      return isFine ? [] : [`${file}: ${id} must be one to three sentences`];
    },
  );
}

describe('the rules in docs/rules', () => {
  const { pages, tests } = readRulesAndTests(ROOT);
  const ids = pages.flatMap(({ text }) => ruleIds(text));

  test('contain unique ids and tests, and test titles name existing rules', () => {
    expect(ruleFaults(pages, titleTags(tests))).toEqual([]);
    expect(ids.length).toBeGreaterThan(150);
  });

  test('contain one to three sentences', () => {
    expect(pages.flatMap(sentenceFaults)).toEqual([]);
  });

  test('include every case of the end-to-end tables', () => {
    const cases = [...STATES, ...BINDINGS, ...ERRORS, ...LIMITS].map(({ id }) => id);

    expect(cases.filter((id) => rulesOfTitle(id).length === 0)).toEqual([]);
  });

  test('include everything that the sources cite', async () => {
    expect(unknownCitations(await sources(), new Set(ids))).toEqual([]);
  });
});

test('nothing cites a document that the repository does not have', async () => {
  expect(foreignCitations(await sources())).toEqual([]);
});

describe('the check of rules', () => {
  const PAGE = [
    '- **ABC-1.** A rule.',
    '- **ABC-1.** The same id.',
    '- **ABC-2.** A rule without a test.',
    '',
  ].join('\n');
  const readTags = (...lines: string[]) =>
    titleTags([{ file: 'test/a/b.test.ts', text: lines.join('\n') }]);

  test('finds a repeated id, a rule without a test, an unknown rule and misplaced ids', () => {
    const tags = readTags(
      "test('[ABC-1] title', noop);",
      "test.each(['[ABC-1, ABC-9] row'])('%s', noop);",
      "test('title [ABC-2]', noop);",
      "test('[ABC-1,ABC-2] title', noop);",
      'describe(`[ABC-1] ${name} [ABC-2]`, noop);',
      '// [ABC-2] comment',
    );

    expect(ruleFaults([{ file: 'docs/rules/page.md', text: PAGE }], tags)).toEqual([
      'ABC-1 is defined twice',
      'ABC-2 has no test: no title starts with its id',
      'test/a/b.test.ts: a title names ABC-9, which is no rule',
      'test/a/b.test.ts: rule ids must start a title, as in "[ABC-1, DEF-2] title": "title [ABC-2]"',
      'test/a/b.test.ts: rule ids must start a title, as in "[ABC-1, DEF-2] title": "[ABC-1,ABC-2] title"',
      'test/a/b.test.ts: rule ids must start a title, as in "[ABC-1, DEF-2] title": " [ABC-2]"',
    ]);
  });

  test('replaces outdated links, and links nothing where no title has the id', () => {
    const page = ['- **ABC-1.** A rule.[¹](../../test/gone.test.ts)', '- **ABC-2.** A rule.', ''];
    const tags = readTags("test('[ABC-1] title', noop);", "test('[ABC-1] another title', noop);");
    tags.titles.push({ file: 'test/c.test.ts', rules: ['ABC-1'] });

    expect(withTestLinks(page.join('\n'), tags).split('\n')).toEqual([
      '- **ABC-1.** A rule.[¹](../../test/a/b.test.ts)[²](../../test/c.test.ts)',
      '- **ABC-2.** A rule.',
      '',
    ]);
  });

  test('finds a rule of four sentences, and one without an end', () => {
    const page = [
      '- **ABC-1.** One. Two. Three. Four.',
      '- **ABC-2.** No end',
      '- **ABC-4.** The guide [From A. To B.](a.md) and `A. B.` are one sentence.',
      '- **ABC-5.** One fact. Another fact. A third fact.',
    ].join('\n');

    expect(sentenceFaults({ file: 'page.md', text: page })).toEqual([
      'page.md: ABC-1 must be one to three sentences',
      'page.md: ABC-2 must be one to three sentences',
    ]);
  });

  test('finds a citation of a missing rule, also the second of two', () => {
    const text = '// As the rules ABC-1 and ABC-9 say.';

    expect(unknownCitations([{ file: 'a.ts', text }], new Set(['ABC-1']))).toEqual([
      'a.ts cites ABC-9',
    ]);
  });

  test.each([
    'spec 2, Limits',
    'design section 6',
    'design 4',
    'erp notes, 6.2',
    'as the specification says',
  ])('finds a citation of a foreign document: %s', (citation) => {
    expect(
      foreignCitations([{ file: 'a.ts', text: `const a = 1;\n// Once (${citation}).` }]),
    ).toHaveLength(1);
  });
});
