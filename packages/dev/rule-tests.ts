import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export type Source = { file: string; text: string };
type TaggedTitle = { file: string; rules: string[] };
/** `misplaced` are other texts that contain an id in brackets. */
export type TitleTags = { titles: TaggedTitle[]; misplaced: Source[] };

const ID = String.raw`[A-Z]{3,4}-\d+`;
const RULE = new RegExp(String.raw`^- \*\*(${ID})\.\*\* .+$`, 'gm');
const LINKS = /(?:\[[⁰¹²³⁴⁵⁶⁷⁸⁹]+\]\([^)]*\))+$/gm;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const TAG = new RegExp(String.raw`^\[(${ID}(?:, ${ID})*)\] `);
const TAG_ANYWHERE = new RegExp(String.raw`\[${ID}`);

const INDEX = 'docs/rules/README.md';
/** Its titles name rules that do not exist. */
const NEGATIVE_CONTROLS = 'test/contract/project/rules.test.ts';

export function readRulesAndTests(root: string): { pages: Source[]; tests: Source[] } {
  const read = (pattern: string, except: string): Source[] =>
    globSync(pattern, { cwd: root })
      .filter((file) => file !== except)
      .toSorted()
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

  return { pages: read('docs/rules/*.md', INDEX), tests: read('test/**/*.ts', NEGATIVE_CONTROLS) };
}

/** Returns the rule ids of a page in order. A rule is a line `- **ABC-1.** text`. */
export const ruleIds = (page: string): string[] => [...page.matchAll(RULE)].map(([, id]) => id!);

/** Returns the rule ids at the start of a test title: `[ABC-1, DEF-2] title`. */
export const rulesOfTitle = (title: string): string[] => TAG.exec(title)?.[1]?.split(', ') ?? [];

/** Finds string literals that start with rule ids. */
export function titleTags(tests: readonly Source[]): TitleTags {
  const tags: TitleTags = { titles: [], misplaced: [] };

  for (const { file, text } of tests) {
    // Parsing every file would take seconds.
    if (!TAG_ANYWHERE.test(text)) continue;
    const read = (value: string, isStart: boolean): void => {
      const rules = isStart ? rulesOfTitle(value) : [];
      if (rules.length > 0) tags.titles.push({ file, rules });
      else if (TAG_ANYWHERE.test(value)) tags.misplaced.push({ file, text: value });
    };

    new Visitor({
      Literal: ({ value }) => {
        if (typeof value === 'string') read(value, true);
      },
      TemplateLiteral: ({ quasis }) => {
        for (const [index, { value }] of quasis.entries())
          read(value.cooked ?? value.raw, index === 0);
      },
    }).visit(parseSync(file, text).program);
  }

  return tags;
}

/** Lists duplicate rule ids, rules without a test, titles with unknown rules, and misplaced ids. */
export function ruleFaults(pages: readonly Source[], { titles, misplaced }: TitleTags): string[] {
  const ids = pages.flatMap(({ text }) => ruleIds(text));
  const known = new Set(ids);
  const tested = new Set(titles.flatMap(({ rules }) => rules));

  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is defined twice`),
    ...[...known.difference(tested)].map((id) => `${id} has no test: no title starts with its id`),
    ...titles.flatMap(({ file, rules }) =>
      rules
        .filter((id) => !known.has(id))
        .map((id) => `${file}: a title names ${id}, which is no rule`),
    ),
    ...misplaced.map(
      ({ file, text }) =>
        `${file}: rule ids must start a title, as in "[ABC-1, DEF-2] title": "${text}"`,
    ),
  ];
}

export const withoutTestLinks = (page: string): string => page.replaceAll(LINKS, '');

const superscript = (number: number): string =>
  Array.from(String(number), (digit) => SUPERSCRIPTS[Number(digit)]).join('');

/** Adds links to test files (`¹²`) at the end of each rule. */
export function withTestLinks(page: string, { titles }: TitleTags): string {
  return withoutTestLinks(page).replaceAll(RULE, (rule, id: string) => {
    const tagged = titles.filter(({ rules }) => rules.includes(id)).map(({ file }) => file);
    const links = [...new Set(tagged)]
      .toSorted()
      .map((file, index) => `[${superscript(index + 1)}](../../${file})`);
    return rule + links.join('');
  });
}
