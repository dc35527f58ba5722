import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { deadLinks, headingId } from '../check-links.ts';
import { referencePages, type Description } from '../reference.ts';
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const root = process.env['DOCS_ROOT'] ?? resolve(import.meta.dirname, '../../..');
const APIS = ['public', 'admin', 'webhooks'] as const;
const REFERENCE = 'packages/docs-site/reference/';
writeReference();

/** Pages outside `docs/`, which documents link to. */
const OUTSIDE = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  '{modules,packages,examples}/*/README.md',
  'ops/helm/carte/README.md',
  `${REFERENCE}**/*.md`,
];

const pages = [...globSync(['docs/**/*.md', ...OUTSIDE], { cwd: root })].toSorted();
/** Pages whose path would be that of a document. */
const OWN_PATHS: Readonly<Record<string, string>> = { 'SECURITY.md': 'report-a-vulnerability.md' };

/** Returns the path of a page without extension. `docs/` is the root. */
const pathOf = (file: string) =>
  (OWN_PATHS[file] ?? file)
    .replace(/^docs\//, '')
    .replace(REFERENCE, '')
    .replace(/README\.md$/, 'index.md')
    .toLowerCase();

const titleOf = (file: string) =>
  /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]?.replaceAll('`', '') ?? file;

/** Groups of pages, which patterns find. */
const GROUPS: readonly { text: string; files: string; isCollapsed?: boolean }[] = [
  { text: 'Start', files: 'docs/{README,readiness,api-stability,sizing}.md' },
  { text: 'Concepts', files: 'docs/{concepts/*,architecture,data-model,glossary}.md' },
  { text: 'Guides', files: 'docs/guides/*.md' },
  { text: 'Console', files: 'docs/console/*.md' },
  { text: 'По-русски', files: 'docs/{guides,console}/ru/*.md' },
  { text: 'Storefront API', files: `${REFERENCE}{public,public/*}.md`, isCollapsed: true },
  { text: 'Admin API', files: `${REFERENCE}{admin,admin/*}.md`, isCollapsed: true },
  { text: 'Webhooks of the ERP', files: `${REFERENCE}{webhooks,webhooks/*}.md`, isCollapsed: true },
  { text: 'Runbooks', files: 'docs/runbooks/*.md' },
  { text: 'Reference', files: 'docs/*.md' },
  { text: 'Rules', files: 'docs/rules/*.md', isCollapsed: true },
  { text: 'Decisions', files: 'docs/decisions/*.md', isCollapsed: true },
  { text: 'Contributing', files: '{CONTRIBUTING,CHANGELOG,SECURITY,docs/contributing/*}.md' },
  { text: 'Source folders', files: '{modules,packages,examples}/*/README.md', isCollapsed: true },
];

const grouped = new Set<string>();

const sidebar: DefaultTheme.SidebarItem[] = GROUPS.flatMap(
  ({ text, files, isCollapsed = false }) => {
    // A page belongs to the first matching group.
    const found = globSync(files, { cwd: root }).filter((file) => !grouped.has(file));
    for (const file of found) grouped.add(file);
    // Titles of reference pages end with the name of their API.
    const items = found.toSorted().map((file) => ({
      text: titleOf(file).replace(/ \((?:[\w ]+ API|webhooks)\)$/, ''),
      link: linkOf(file),
    }));

    return items.length === 0 ? [] : [{ text, items, ...(isCollapsed ? { collapsed: true } : {}) }];
  },
);

const isReference = (path: string): boolean =>
  new RegExp(`^(?:${REFERENCE}|(?:${APIS.join('|')})[/.])`).test(path);

function linkOf(file: string): string {
  return `/${pathOf(file).replace(/(?:index)?\.md$/, '')}`;
}

/** Writes the reference from the descriptions of `tools/describe-apis.ts`. */
function writeReference(): void {
  const folder = join(root, REFERENCE);
  rmSync(folder, { recursive: true, force: true });

  for (const api of APIS) {
    const file = join(root, 'packages/docs-site/apis', `${api}.json`);
    if (!existsSync(file)) continue;
    const description = JSON.parse(readFileSync(file, 'utf8')) as Description;
    for (const [name, text] of referencePages(api, description, '../../../docs')) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  }
}

const targetOf = (file: string, href: string): string =>
  posix.join('/', dirname(file), href.replace(/[?#].*$/, '')).slice(1);

/** Returns undefined if the link leads to no page. */
function pageAt(file: string, href: string): string | undefined {
  const target = targetOf(file, href);
  return [target, posix.join(target, 'README.md')].find((page) => pages.includes(page));
}

/** Draws fences of Mermaid, and shows the console of an API. */
function drawnFences(markdown: MarkdownIt): void {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at]!;
    if (info === 'mermaid') return `<MermaidDiagram source="${encodeURIComponent(content)}" />`;
    if (info === 'api-console') return `<ApiConsole api="${content.trim()}" />`;
    return fence(tokens, at, ...rest);
  };
}

/**
 * Replaces links to pages by URLs of the site. Links to other files, such as source code, become
 * text.
 */
function siteLinks(markdown: MarkdownIt): void {
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    const { realPath, path } = env as { realPath?: string; path: string };
    const file = relative(root, realPath ?? path);

    for (const children of tokens.map((token) => token.children ?? []))
      for (const [at, token] of children.entries()) {
        const href = token.type === 'link_open' ? token.attrGet('href')! : '#';
        if (/^(?:[a-z]+:|#|\/)/i.test(href)) continue;
        const page = pageAt(file, href);
        if (page !== undefined)
          token.attrSet('href', linkOf(page) + href.slice(href.search(/#|$/)));
        else if (existsSync(join(root, targetOf(file, href))))
          for (const end of [token, children.slice(at).find(({ type }) => type === 'link_close')!])
            Object.assign(end, { tag: 'span', attrs: [] });
      }
  });
}

/** Replaces links to other pages by links to their Markdown. Links to other files become text. */
function withSiteLinks(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replaceAll(/\[[¹²³⁴⁵⁶⁷⁸⁹⁰]+\]\([^)]*\)|!\[[^\]]*\]\((?![a-z]+:)[^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\((?![a-z]+:|[#/])([^)\s]+)\)/g, (_, text: string, href: string) => {
      const page = pageAt(file, href);
      return page === undefined
        ? text
        : `[${text}](/docs/${pathOf(page)}${href.slice(href.search(/#|$/))})`;
    });
}

/** Writes the Markdown of each page, and an index for language models (llms.txt). */
async function writeMarkdown(outDir: string): Promise<void> {
  const lines = [
    '# Carte',
    '',
    '> Backend of restaurant chains between an ERP and storefronts.',
    '',
  ];

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
  // Scripts are not inlined as data URLs, which the policy of the pages forbids.
  vite: { build: { assetsInlineLimit: 0 } },
  markdown: {
    html: false,
    anchor: { slugify: headingId },
    config(markdown) {
      siteLinks(markdown);
      drawnFences(markdown);
    },
  },
  themeConfig: {
    sidebar,
    search: {
      provider: 'local',
      options: {
        // Examples of the reference would be most of the index.
        _render: (source, env, markdown) =>
          markdown.render(
            isReference(env.relativePath) ? source.replaceAll(/^````.*?^````$/gms, '') : source,
            env,
          ),
      },
    },
    outline: [2, 3],
    notFound: {
      title: 'Page not found',
      quote: 'The docs have no page at this URL. Search, or begin at the start page.',
      linkText: 'Start page',
    },
    nav: [
      { text: 'Storefront API', link: '/public' },
      { text: 'Admin API', link: '/admin' },
    ],
  },
  async buildEnd({ outDir }) {
    await writeMarkdown(outDir);
    const dead = deadLinks(outDir);
    if (dead.length > 0) throw new Error(`Dead links:\n${dead.join('\n')}`);
  },
});
