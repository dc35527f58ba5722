import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { HttpMiddleware } from './context.ts';
import { keptAnswer, type KeptAnswer } from './kept-answer.ts';
import type { LimitByAddress } from './request-limits.ts';

const OUTPUT = new URL('../../packages/docs-site/dist/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** Clients revalidate pages each time and get 304. */
const REVALIDATED = 'no-cache';
/** Names of assets contain a digest of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

type Served = { answer: KeptAnswer; policy: string | null };

/**
 * Serves the docs site at `/docs` (rule HTTP-72). Its pages have no extension in their URLs, and
 * their Markdown has `.md`. Files are read at their first request and count like media files. Other
 * paths of `/docs` belong to the API reference.
 *
 * @throws Error if the site has not been built
 */
export function docsSite(limit: LimitByAddress): HttpMiddleware {
  if (!existsSync(new URL('index.html', OUTPUT)))
    throw new Error('DOCS_SITE needs a built site: run `npm run build -w packages/docs-site`.');
  const files = new Map(globSync('**/*.*', { cwd: OUTPUT, exclude: ['404.html'] }).map((file) => [pathOf(file), file]));
  files.set('/docs', 'index.html');
  const served = new Map<string, Served>();
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const file = files.get(ctx.path);
    if (file === undefined) return files.has(`${ctx.path}/`) ? ctx.redirect(`${ctx.path}/`) : next();
    limit(ctx, 'media');
    const { answer, policy } = served.get(file) ?? read(file);
    served.set(file, { answer, policy });
    if (policy !== null) ctx.set('Content-Security-Policy', policy);
    await answer.send(ctx);
  };
}

function pathOf(file: string): string {
  return `/docs/${file.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`;
}

function read(file: string): Served {
  const bytes = readFileSync(new URL(file, OUTPUT));
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const answer = keptAnswer(type, bytes, file.startsWith('assets/') ? IMMUTABLE : REVALIDATED);
  return { answer, policy: extname(file) === '.html' ? policyOf(bytes.toString()) : null };
}

/** Allows scripts of this origin and the inline scripts of this page, by their digests. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inline].join(' '),
    // Colors of code are attributes of its words.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
