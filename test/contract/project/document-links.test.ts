import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { headingId } from '../../../packages/docs-site/check-links.ts';

const root = new URL('../../..', import.meta.url).pathname;
const PAGES = globSync('{docs/**/*.md,*.md,modules/*/README.md,ops/helm/carte/README.md}', {
  cwd: root,
}).toSorted();

/** The text without code, because code may resemble links. */
const readProse = (file: string): string =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.slice(1, -1));

/** Ids of the headings. Equal headings are numbered. */
function listHeadings(file: string): Set<string> {
  const ids = new Map<string, number>();
  const lines = readProse(file).matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    Array.from(lines, ([, text]) => {
      const id = headingId(text!.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'));
      const seen = ids.get(id) ?? 0;
      ids.set(id, seen + 1);
      return seen === 0 ? id : `${id}-${seen}`;
    }),
  );
}

function findDeadLinks(file: string, prose = readProse(file)): string[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, link]) => link!);
  return links
    .filter((link) => !/^[a-z]+:|^\//.test(link))
    .filter((link) => {
      const [path, hash] = link.split('#') as [string, string?];
      const target = path === '' ? file : join(dirname(file), decodeURIComponent(path));
      if (!existsSync(join(root, target))) return true;
      if (hash === undefined || !target.endsWith('.md') || !statSync(join(root, target)).isFile())
        return false;
      return !listHeadings(target).has(decodeURIComponent(hash));
    })
    .map((link) => `${file}: ${link}`);
}

test('[OPS-137] every link of a document leads to an existing file and heading', () => {
  expect(PAGES.length).toBeGreaterThan(100);
  expect(PAGES.flatMap((file) => findDeadLinks(file))).toEqual([]);
});

test('a missing file, image or heading is reported', () => {
  const prose =
    '[a](rules/README.md) [b](wrong.md) ![c](images/wrong.webp) [d](scale.md#wrong) [e](#wrong)';
  expect(findDeadLinks('docs/scale.md', prose)).toEqual(
    ['wrong.md', 'images/wrong.webp', 'scale.md#wrong', '#wrong'].map(
      (link) => `docs/scale.md: ${link}`,
    ),
  );
});

test('[OPS-170] no diagram has a semicolon, which ends a statement of Mermaid', () => {
  const diagrams = PAGES.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^```mermaid\n(.*?)^```/gms)].map(
      ([, text]) => [file, text!],
    ),
  );

  expect(diagrams.length).toBeGreaterThan(10);
  expect(diagrams.filter(([, text]) => text!.includes(';'))).toEqual([]);
});
