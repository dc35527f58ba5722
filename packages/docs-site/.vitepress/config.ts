import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { deadLinks, headingId } from '../check-links.ts';
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const root = process.env['DOCS_ROOT'] ?? resolve(import.meta.dirname, '../../..');
/** Pages outside `docs/`, which documents link to. */
const OUTSIDE = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  '{modules,packages,examples}/*/README.md',
  'ops/helm/carte/README.md',
];
const pages = [...globSync(['docs/**/*.md', ...OUTSIDE], { cwd: root })].toSorted();
/** Path of a page in the site, without extension: `docs/` is its root. */
const pathOf = (file: string) =>
  file
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
    .toLowerCase();
const titleOf = (file: string) =>
  /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]?.replaceAll('`', '') ?? file;

/** Groups of the sidebar: their pages are found, not listed. */
const GROUPS: readonly { text: string; files: string; isCollapsed?: boolean }[] = [
  { text: 'Guides', files: 'docs/guides/*.md' },
  { text: 'По-русски', files: 'docs/guides/ru/*.md' },
  { text: 'Runbooks', files: 'docs/runbooks/*.md' },
  { text: 'Concepts and reference', files: 'docs/*.md' },
  { text: 'Rules', files: 'docs/rules/*.md', isCollapsed: true },
  { text: 'Decisions', files: 'docs/decisions/*.md', isCollapsed: true },
  { text: 'Contributing', files: '{CONTRIBUTING,CHANGELOG,SECURITY,docs/contributing/*}.md' },
  { text: 'Source folders', files: '{modules,packages,examples}/*/README.md', isCollapsed: true },
];
const sidebar: DefaultTheme.SidebarItem[] = GROUPS.flatMap(({ text, files, isCollapsed = false }) => {
  const found = globSync(files, { cwd: root }).filter((file) => file !== 'docs/README.md');
  const items = found.toSorted().map((file) => ({ text: titleOf(file), link: linkOf(file) }));
  return items.length === 0 ? [] : [{ text, items, ...(isCollapsed ? { collapsed: true } : {}) }];
});

function linkOf(file: string): string {
  return `/${pathOf(file).replace(/(?:index)?\.md$/, '')}`;
}

/** The path from the root of the repository that a relative link of a file leads to. */
const targetOf = (file: string, href: string): string =>
  posix.join('/', dirname(file), href.replace(/[?#].*$/, '')).slice(1);

/** The page that a relative link of a file leads to, or undefined. */
function pageAt(file: string, href: string): string | undefined {
  const target = targetOf(file, href);
  return [target, posix.join(target, 'README.md')].find((page) => pages.includes(page));
}

/** Links to pages get URLs of the site. Links to other files, such as source code, become text. */
function siteLinks(markdown: MarkdownIt): void {
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    const { realPath, path } = env as { realPath?: string; path: string };
    const file = relative(root, realPath ?? path);
    for (const children of tokens.map((token) => token.children ?? []))
      for (const [at, token] of children.entries()) {
        const href = token.type === 'link_open' ? token.attrGet('href')! : '#';
        if (/^(?:[a-z]+:|#|\/)/i.test(href)) continue;
        const page = pageAt(file, href);
        if (page !== undefined) token.attrSet('href', linkOf(page) + href.slice(href.search(/#|$/)));
        else if (existsSync(join(root, targetOf(file, href))))
          for (const end of [token, children.slice(at).find(({ type }) => type === 'link_close')!])
            Object.assign(end, { tag: 'span', attrs: [] });
      }
  });
}

/** Markdown of a page with links to the Markdown of other pages; what is no page becomes text. */
function withSiteLinks(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replaceAll(/\[[¹²³⁴⁵⁶⁷⁸⁹⁰]+\]\([^)]*\)|!\[[^\]]*\]\((?![a-z]+:)[^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\((?![a-z]+:|[#/])([^)\s]+)\)/g, (_, text: string, href: string) => {
      const page = pageAt(file, href);
      return page === undefined ? text : `[${text}](/docs/${pathOf(page)}${href.slice(href.search(/#|$/))})`;
    });
}

/** The Markdown of each page at its path, and an index for language models (llms.txt). */
async function writeMarkdown(outDir: string): Promise<void> {
  const lines = ['# Carte', '', '> Backend of restaurant chains between an ERP and storefronts.', ''];
  for (const file of pages) {
    const target = join(outDir, pathOf(file));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, withSiteLinks(file));
    lines.push(`- [${titleOf(file)}](/docs/${pathOf(file)})`);
  }
  await writeFile(join(outDir, 'llms.txt'), `${lines.join('\n')}\n`);
}

export default defineConfig({
  title: 'Carte',
  description: 'Backend of restaurant chains between an ERP and storefronts',
  base: '/docs/',
  srcDir: root,
  srcExclude: globSync('**/*.md', { cwd: root, exclude: ['**/node_modules', '**/dist'] }).filter(
    (file) => !pages.includes(file),
  ),
  rewrites: Object.fromEntries(pages.map((page) => [page, pathOf(page)])),
  outDir: join(root, 'packages/docs-site/dist'),
  cacheDir: join(root, 'node_modules/.cache/docs-site'),
  // Browsers request no icon.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  cleanUrls: true,
  appearance: false,
  metaChunk: true,
  markdown: { html: false, anchor: { slugify: headingId }, config: siteLinks },
  themeConfig: {
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Storefront API', link: '/public', target: '_self' },
      { text: 'Admin API', link: '/admin', target: '_self' },
    ],
  },
  async buildEnd({ outDir }) {
    await writeMarkdown(outDir);
    const dead = deadLinks(outDir);
    if (dead.length > 0) throw new Error(`Dead links:\n${dead.join('\n')}`);
  },
});
