import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BASE = '/docs/';
/** Pages that a running product serves outside the site. */
const OF_THE_API = /^\/docs\/(?:public|admin|webhooks)$/;

/** Derives the id of a heading like Git hosts, so that links work in both places. */
export const headingId = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/**
 * Returns links and images without a target in the site, as `page: link` (OPS-137). VitePress
 * checks only pages.
 */
export function deadLinks(folder: string): string[] {
  const files = new Set(globSync('**/*.*', { cwd: folder }));
  const pages = [...files].filter((file) => file.endsWith('.html')).toSorted();
  const html = new Map(pages.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const ids = new Map(
    pages.map((file) => [
      file,
      new Set([...html.get(file)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );

  const findFile = (path: string) => {
    const file = path.slice(BASE.length);
    return [file, `${file}.html`, `${file}index.html`].find((name) => files.has(name));
  };

  return pages.flatMap((page) => {
    const own = BASE + page.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');
    const links = [...html.get(page)!.matchAll(/ (?:href|src)="((?:\/|#|\.)[^"]*)"/g)].map(
      ([, link]) => link!,
    );

    return links
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://site${own}`);
        if (OF_THE_API.test(pathname)) return false;
        const file = pathname.startsWith(BASE) ? findFile(decodeURIComponent(pathname)) : undefined;

        return (
          file === undefined ||
          (hash !== '' && !ids.get(file)?.has(decodeURIComponent(hash.slice(1))))
        );
      })
      .map((link) => `${page}: ${link}`);
  });
}
