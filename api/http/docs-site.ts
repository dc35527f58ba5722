import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtFile } from './built-file.ts';
import type { HttpMiddleware } from './context.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { LimitByAddress } from './request-limits.ts';

const OUTPUT = new URL('../../packages/docs-site/dist/', import.meta.url);
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
    const ready = served.get(file) ?? read(file);
    served.set(file, ready);
    const { answer, policy } = ready;
    if (policy !== null) ctx.set('Content-Security-Policy', policy);
    await answer.send(ctx);
  };
}

function pathOf(file: string): string {
  return `/docs/${file.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`;
}

function read(file: string): Served {
  const bytes = readFileSync(new URL(file, OUTPUT));
  return { answer: builtFile(OUTPUT, file, bytes), policy: file.endsWith('.html') ? policyOf(bytes.toString()) : null };
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
