import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import {
  commentFaults,
  documentFaults,
  subjectFaults,
  titleFaults,
} from '../../../packages/dev/style/house-style.ts';
import { readSources } from '../../../packages/dev/style/sources.ts';
import { wrapComments } from '../../../packages/dev/style/wrap-comments.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Comments of the client come from the API descriptions. */
const GENERATED = /^packages\/client\/src\/generated\//;
/** Generated documents, and historical documents that keep their words. */
const FOREIGN_DOCUMENTS =
  /^docs\/(?:decisions\/|(?:access|codes|configuration|metrics|problems)\.md$)/;
/** This file contains faults on purpose. */
const SELF = /^test\/contract\/project\/house-style\.test\.ts$/;
/** Commits after this one must have short subjects. */
const FIRST_COMMIT = '5a460935a696590a853c05b29b8fd63049dd844f';
/** A rule id, split because titles with ids are linked to rules. */
const ID = ['[ABC', '1]'].join('-');

const sources = (pattern: RegExp, ...except: RegExp[]) =>
  readSources(ROOT, pattern).filter(({ file }) => !except.some((pattern) => pattern.test(file)));

const comment = (text: string) => commentFaults({ file: 'a.ts', text });
const title = (text: string) => titleFaults({ file: 'a.test.ts', text });

test('comments have at most 100 columns, begin with a noun or a verb, and use plain words', () => {
  const read = sources(/\.(?:tsx?|mjs)$/, GENERATED, SELF);

  expect(read.length).toBeGreaterThan(1_500);
  expect(read.flatMap(commentFaults)).toEqual([]);
});

test('titles of tests have at most 100 characters, begin with a subject or a verb, and use plain words', () => {
  const read = sources(/^test\/.*\.test\.ts$/, SELF);

  expect(read.length).toBeGreaterThan(300);
  expect(read.flatMap(titleFaults)).toEqual([]);
});

test('documents use plain words', () => {
  const read = sources(/\.md$/, FOREIGN_DOCUMENTS, /^packages\/demo\/|\/node_modules\//);

  expect(read.length).toBeGreaterThan(30);
  expect(read.flatMap(documentFaults)).toEqual([]);
});

test('Russian texts call products блюдо and the ERP учётная система, as the glossary does', () => {
  const read = sources(/(?:messages|texts)\/ru(?:\.ts|\/.*\.ts)$|^docs\/(?:guides|console)\/ru\//);
  const others = /(?<![а-яё])[тТ]овар(?!ищ)|(?<![.\w#/-])ERP(?![\w'])/g;
  const found = read.flatMap(({ file, text }) =>
    [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(others)].map(([word]) => `${file}: ${word}`),
  );

  expect(read.length).toBeGreaterThan(10);
  expect(found).toEqual([]);
});

test('subjects of new commits have at most 72 characters', () => {
  expect(subjectFaults(newSubjects())).toEqual([]);
});

/** Subjects since `FIRST_COMMIT`; none if the clone lacks it. */
function newSubjects(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  try {
    git('merge-base', '--is-ancestor', FIRST_COMMIT, 'HEAD');
  } catch {
    return [];
  }
  return git('log', '--no-merges', '--format=%s', `${FIRST_COMMIT}..HEAD`)
    .split('\n')
    .filter(Boolean);
}

describe('the style checks', () => {
  test('find a long line of a comment, but no long word and no directive', () => {
    const long = 'word '.repeat(25);

    expect(comment(`// ${long}\n`)).toEqual([
      'a.ts:1: the comment has 128 columns, at most 100 are allowed',
    ]);
    expect(comment(`/**\n * ${long}\n */`)).toHaveLength(1);
    expect(comment(`const a = 1; // ${long}`)).toHaveLength(1);
    expect(
      comment(
        `// https://example.org/${'a'.repeat(100)}\n// oxlint-disable-next-line a -- ${long}`,
      ),
    ).toEqual([]);
    expect(comment(`const a = '${long}'; // short`)).toHaveLength(1);
  });

  test('find a doc comment that begins with a clause', () => {
    const clauses = ['What', 'Who', 'Whether', 'How', 'Which', 'Where', 'When', 'If'];

    expect(clauses.flatMap((word) => comment(`/** ${word} it is. */`))).toHaveLength(
      clauses.length,
    );
    expect(comment('/**\n * Whether it is.\n */')).toHaveLength(1);
    expect(comment('/** Returns whether it is. */\n// What follows is no doc comment.')).toEqual(
      [],
    );
  });

  test('find avoided words in comments, titles and documents, but not in code marks', () => {
    expect(comment('// Staff are told.')).toEqual([
      'a.ts:1: avoid "told" (report, notify, return, distinguish)',
    ]);
    expect(title("test('staff are told', () => {});")).toHaveLength(1);
    expect(
      documentFaults({ file: 'a.md', text: 'Staff\nare told in `told`.\n```sh\ntold\n```\n' }),
    ).toEqual(['a.md:2: avoid "told" (report, notify, return, distinguish)']);
  });

  test('find words that only comments and titles avoid, with their exceptions', () => {
    expect(comment('// The answer says it.')).toEqual([
      'a.ts:1: avoid "says" (contain, report, return, state)',
    ]);
    expect(title("test('the menu holds a dish', () => {});")).toHaveLength(1);
    expect(
      comment('// It holds the lock of a row. The guard has held back rows, as HELD.'),
    ).toEqual([]);
    expect(comment('// A connection is refused: REFUSED.')).toEqual([]);
    expect(documentFaults({ file: 'a.md', text: 'The answer says it.\n' })).toEqual([]);
  });

  test('find a long title, and one that continues another title', () => {
    expect(title(`test('${'a'.repeat(101)}', () => {});`)).toHaveLength(1);
    expect(title(`describe.each([1])(\`${'a'.repeat(101)}\`, () => {});`)).toHaveLength(1);
    expect(title(`test('${ID} and writes nothing', () => {});`)).toEqual([
      `a.test.ts: the title "${ID} and writes nothing" continues another title: begin with a subject or a verb`,
    ]);
    expect(title(`test('${ID} writes nothing', () => {}); other('and so on');`)).toEqual([]);
  });

  test('find a title that begins with an auxiliary, a preposition or a verb behind its subject', () => {
    const fault = 'has no subject: begin with a subject, or with the verb of a noun in describe';
    const words = [
      'is',
      'are',
      'was',
      'were',
      'of',
      'by',
      'has',
      'have',
      'does',
      'do',
      'did',
      'gets',
      'get',
    ];

    for (const word of [...words, 'leaves', 'its', 'with', 'for'])
      expect(title(`test('${ID} ${word} it', () => {});`)).toEqual([
        `a.test.ts: the title "${ID} ${word} it" ${fault}`,
      ]);
    for (const call of [
      'longTest',
      'it',
      'test.skip',
      'test.todo',
      'test.each([1])',
      'longTest.each([1])',
    ])
      expect(title(`${call}('is it', () => {});`)).toHaveLength(1);
    expect(title(`testWith(python, 'is it', () => {});`)).toHaveLength(1);
    expect(title(`describeWith(python, 'staff are told', () => {});`)).toHaveLength(1);
    expect(title('test(`is ${name}`, () => {});')).toEqual([
      `a.test.ts: the title "is …" ${fault}`,
    ]);
    expect(
      title("describe('with a menu', () => { test('forms a menu of one', () => {}); });"),
    ).toEqual([]);
  });

  test('find a cell without a subject in a table whose title begins with it', () => {
    const cells = (title: string) =>
      `test.each([['is closed', 1], ['a menu', 2]] as const)('${title}', () => {});`;

    expect(title(cells('%s'))).toHaveLength(1);
    expect(title(cells(`${ID} %s: %i`))).toHaveLength(1);
    expect(title(cells('rejects a menu that %s'))).toEqual([]);
    expect(title("test.each(['of a menu', 'a menu'])('%s', () => {});")).toHaveLength(1);
  });

  test('find a long commit subject', () => {
    expect(subjectFaults(['fix: short', 'a'.repeat(73)])).toHaveLength(1);
  });
});

describe('the wrapping of comments', () => {
  const words = 'word '.repeat(25).trim();

  test('breaks long comments and moves those behind code above it', () => {
    const text = `  /** ${words} */\n  const a = 1; // ${words}\n`;
    const wrapped = wrapComments('a.ts', text);

    expect(wrapped.split('\n').every((line) => line.length <= 100)).toBe(true);
    expect(wrapped.match(/word/g)).toHaveLength(50);
    expect(wrapped).toMatch(/^ {2}\/\*\*\n {3}\* word .*\n {3}\* word .*\n {3}\*\/\n {2}\/\/ word/);
    expect(wrapped).toMatch(/\n {2}const a = 1;\n$/);
    expect(wrapComments('a.ts', wrapped)).toBe(wrapped);
  });

  test('keeps tags, lists, code and short comments', () => {
    const text = `/**\n * ${words}\n * - one\n * - two\n * @param a ${words}\n */\n// short\n// lines\n`;
    const wrapped = wrapComments('a.ts', text);

    expect(wrapped).toContain('\n * - one\n * - two\n * @param a word');
    expect(wrapped).toContain('// short\n// lines\n');
  });
});
