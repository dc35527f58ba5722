import { existsSync, globSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildDocsSite } from '../../../tools/built-site.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SITE = join(root, 'packages/docs-site/dist');
const log = (line: string) => void process.stderr.write(`${line}\n`);
beforeAll(() => buildDocsSite(log), 240_000);

async function readContent(path: string): Promise<string> {
  const file = [`${path}.html`, `${path}/index.html`]
    .map((text) => join(SITE, text))
    .find((text) => existsSync(text));
  const html = await readFile(file!, 'utf8');
  return html.slice(html.indexOf('class="vp-doc'), html.indexOf('class="VPDocFooter'));
}
const listLinks = (html: string) =>
  [...html.matchAll(/<a href="\/docs\/([^"#]*)(?:#[^"]*)?"/g)].map(([, path]) => path!);
const listHeadings = (html: string) =>
  [...html.matchAll(/<h[1-3][^>]*>(.*?)<\/h[1-3]>/gs)].map(([, text]) =>
    text!.replaceAll(/<[^>]*>|&[^;]+;|\u200B/g, '').trim(),
  );

describe('the docs site', () => {
  test('[HTTP-72] contains every document, its Markdown and a line in llms.txt', async () => {
    const documents = globSync('docs/**/*.md', { cwd: root }).map((file) =>
      file.slice('docs/'.length).toLowerCase(),
    );
    const index = await readFile(join(SITE, 'llms.txt'), 'utf8');

    expect(documents.length).toBeGreaterThan(60);
    for (const file of documents.map((name) => name.replace(/readme\.md$/, 'index.md'))) {
      expect(existsSync(join(SITE, file.replace(/md$/, 'html')))).toBe(true);
      expect(existsSync(join(SITE, file))).toBe(true);
      expect(index).toContain(`(/docs/${file})`);
    }
    const picture = await readFile(
      join(SITE, 'assets', globSync('shop.*.webp', { cwd: join(SITE, 'assets') })[0]!),
    );
    expect(picture).toEqual(await readFile(join(root, 'docs/images/shop.webp')));
  });

  test('[OPS-169] lists the operations of each API in pages, search and Markdown', async () => {
    const index = await readFile(join(SITE, 'llms.txt'), 'utf8');
    const search = globSync('assets/chunks/@localSearchIndex*.js', { cwd: SITE });

    for (const [page, operation] of [
      ['public/orders', 'placeOrder'],
      ['admin/products', 'editProduct'],
      ['webhooks/webhooks', 'receiveErpWebhook'],
    ] as const) {
      expect(await readContent(page)).toContain(`<h2 id="${operation}"`);
      expect(index).toContain(`(/docs/${page}.md)`);
      expect(await readFile(join(SITE, search[0]!), 'utf8')).toContain(
        `/docs/${page}#${operation}`,
      );
    }
  });

  test('[HTTP-72] links Markdown only to Markdown of the site', async () => {
    const dead: string[] = [];
    for (const file of globSync('**/*.md', { cwd: SITE })) {
      const text = (await readFile(join(SITE, file), 'utf8')).replaceAll(
        /```.*?```|`[^`\n]*`/gs,
        '',
      );
      for (const [, href = ''] of text.matchAll(/\]\((?![a-z]+:|#)([^)\s]*)\)/g))
        if (
          !/^\/docs\/.*\.md(?:#|$)/.test(href) ||
          !existsSync(join(SITE, href.slice('/docs/'.length).replace(/#.*/, '')))
        )
          dead.push(`${file}: ${href}`);
    }

    expect(dead).toEqual([]);
  });

  test.each([
    ['gifts in a shop', /show gifts in/i],
    ['rate limits of rendering servers', /rate limits behind server-side rendering/i],
    ['a new restaurant', /open a new restaurant/i],
    ['a missing dish', /why (?:a|this) dish is missing/i],
    ['the restore of a backup', /restore a backup/i],
  ])(
    '[OPS-138] leads to %s in two clicks from the text of its start page',
    async (_subject, heading) => {
      const first = listLinks(await readContent('index'));
      const found: string[] = [];
      for (const path of new Set(first)) {
        const html = await readContent(path);
        if (listHeadings(html).some((text) => heading.test(text))) found.push(path);
        for (const next of new Set(listLinks(html)))
          if (
            !next.includes('.') &&
            listHeadings(await readContent(next)).some((text) => heading.test(text))
          )
            found.push(`${path} > ${next}`);
      }

      expect(found).not.toEqual([]);
    },
  );

  describe('with a dead link', () => {
    let copy: string;
    beforeAll(async () => {
      copy = await temporaryFolder('docs-site');
      for (const path of [
        'docs/glossary.md',
        'docs/README.md',
        'docs/images',
        'packages/docs-site',
        'package-lock.json',
      ])
        await cp(join(root, path), join(copy, path), {
          recursive: true,
          // Excludes the API reference, whose pages link to further documents.
          filter: (source) => !/\/(?:dist|reference|apis\/\w+\.json)$/.test(source),
        });
      await mkdir(join(copy, 'node_modules'));
      for (const name of [
        '@mermaid-js',
        'swagger-ui-dist',
        'vitepress',
        'vue',
        '@vue',
        '@vueuse',
        'vite',
        '@vitejs',
        'focus-trap',
        'mark.js',
        'minisearch',
      ])
        if (existsSync(join(root, 'node_modules', name)))
          await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
      await appendFile(join(copy, 'docs/README.md'), '\n[nothing](guides/no-such-page.md)\n');
    });
    afterAll(() => rm(copy, { recursive: true, force: true }));

    test('[OPS-137] fails to build, and the output names the link and its page', async () => {
      await expect(buildDocsSite(log, copy)).rejects.toThrow(
        /The docs site could not be built: .*dead link .*guides\/no-such-page.* in file .*README\.md/s,
      );
    }, 240_000);
  });
});
