import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { BINDINGS } from '../../e2e/synchronization/bindings.ts';
import { ERRORS } from '../../e2e/synchronization/errors.ts';
import { LIMITS } from '../../e2e/synchronization/limits.ts';
import { STATES } from '../../e2e/synchronization/states.ts';

const DOCUMENT = 'docs/synchronization-rules.md';

/** Pitfalls of the wire that concern synchronization; the others are about orders, clients and delivery. */
const PITFALLS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 22, 23, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34];

type Proof = { rule: string; file: string; title: string };

/** Every `file › title` of the table; a rule may have several, separated by line breaks in the cell. */
function proofsIn(text: string): Proof[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes(' › '))
    .flatMap((line) => {
      const [rule = '', proofs = ''] = line.slice(2).split(' | ');
      return [...proofs.matchAll(/`([^`]+\.ts)` › ([^<|]+?)(?=\s*(?:<br>|\|))/g)].map(([, file, title]) => ({
        rule: rule.trim(),
        file: file!,
        title: title!.trim().replaceAll('\\', ''),
      }));
    });
}

async function missing({ file, title }: Proof): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return `${file} does not exist`;
  // Titles with an apostrophe are escaped in the source.
  return text.replaceAll("\\'", "'").includes(title) ? null : `${file} has no test called “${title}”`;
}

describe('the table of synchronization rules', () => {
  test('names only tests that exist', async () => {
    const proofs = proofsIn(await readFile(DOCUMENT, 'utf8'));

    const wrong = (await Promise.all(proofs.map(missing))).filter((each) => each !== null);

    expect(wrong).toEqual([]);
    expect(proofs.length).toBeGreaterThan(80);
  });

  test('has every rule of the end-to-end tables and every pitfall', async () => {
    const text = await readFile(DOCUMENT, 'utf8');
    const rules = proofsIn(text).map((each) => each.rule);
    const titles = proofsIn(text).map((each) => each.title);

    const shown = [...STATES, ...BINDINGS, ...ERRORS, ...LIMITS]
      .map((each) => each.id)
      .filter((id) => !titles.includes(id));
    const pitfalls = PITFALLS.filter((number) => !rules.some((rule) => rule.startsWith(`P${number} `)));

    expect({ shown, pitfalls }).toEqual({ shown: [], pitfalls: [] });
  });

  test('a title that no test has is found', async () => {
    const [proof] = proofsIn(`| P1 x | \`${DOCUMENT.replace('.md', '.ts')}\` › no such test |`);

    expect(await missing(proof!)).toMatch(/does not exist/);
  });
});
