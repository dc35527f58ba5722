import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codeBlocksOf, GUIDE_EXECUTIONS } from '../../support/guide-blocks.ts';
import { root } from '../../support/processes.ts';

const folder = join(root, 'docs/guides');
const guides = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted();
const russian = (await readdir(join(folder, 'ru'))).toSorted();
const read = (name: string) => readFile(join(folder, name), 'utf8');

/** Levels of the headings outside of code blocks, in order. */
const headingLevelsOf = (text: string): number[] =>
  [...text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').matchAll(/^(#+) /gm)].map(([, marks]) => marks!.length);

test('[OPS-139] a test is named for each guide', () => {
  expect(Object.keys(GUIDE_EXECUTIONS).toSorted()).toEqual(guides);
});

test.each(guides)('[OPS-139] the tests execute every code block of %s', async (guide) => {
  const text = await read(guide);
  const blocks = codeBlocksOf(text);
  const executions = GUIDE_EXECUTIONS[guide]!;
  const fixed = Object.entries(executions).filter(([, { blocks: count }]) => count !== undefined);
  const countOf = (language: string) => blocks.filter((block) => block.language === language).length;

  expect([...new Set(blocks.map(({ language }) => language))].toSorted()).toEqual(Object.keys(executions).toSorted());
  // Each fence belongs to a block that the tests find.
  expect(text.match(/^\s*(?:`{3,}|~{3,})/gm) ?? []).toHaveLength(2 * blocks.length);
  expect(fixed.map(([language]) => countOf(language))).toEqual(fixed.map(([, { blocks: count }]) => count));
});

test.each(russian)('[OPS-140] the Russian page %s has the code and the headings of the English one', async (name) => {
  const [english, translated] = await Promise.all([read(name), read(`ru/${name}`)]);

  expect(codeBlocksOf(translated)).toEqual(codeBlocksOf(english));
  expect(headingLevelsOf(translated)).toEqual(headingLevelsOf(english));
});

test('[OPS-139] code of the storefront guide fits a column of 80 characters', async () => {
  const lines = codeBlocksOf(await read('storefront.md')).flatMap(({ code }) => code.split('\n'));

  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('[OPS-140] the guides for storefronts and for staff have a Russian page', () => {
  expect(russian).toEqual(['admin.md', 'storefront.md']);
});
