import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { Problem } from '../../../kernel/problem.ts';
import { builtFile } from './built-file.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import type { KeptAnswer } from '../hot/kept-answer.ts';
import type { LimitByAddress } from '../limits/request-limits.ts';
import { PREFIXES, type Api } from '../route.ts';

const OUTPUT = new URL('../../../packages/docs-site/dist/', import.meta.url);
const APIS = Object.keys(PREFIXES) as Api[];
type Served = { answer: KeptAnswer; policy: string | null };

const MISSING = '404.html';

/**
 * Serves the docs site (rule HTTP-72), without references of APIs that are not `shown`. Missing
 * URLs: HTTP-106.
 *
 * @throws Error if the site has not been built
 */
export function docsSite(limit: LimitByAddress, shown: readonly Api[]): HttpMiddleware {
  if (!existsSync(new URL('index.html', OUTPUT)))
    throw new Error('DOCS_SITE needs a built site: run `npm run build -w packages/docs-site`.');
  const hidden = APIS.filter((api) => !shown.includes(api));
  const isHidden = (file: string) =>
    hidden.some((api) => file.startsWith(`${api}/`) || file.startsWith(`${api}.`));
  const fileNames = globSync('**/*.*', { cwd: OUTPUT, exclude: [MISSING] }).filter(
    (file) => !isHidden(file),
  );
  const files = new Map(fileNames.map((file) => [toPath(file), file]));
  files.set('/docs', 'index.html');
  const served = new Map<string, Served>();
  const send = async (ctx: HttpContext, file: string) => {
    const ready = served.get(file) ?? read(file);
    served.set(file, ready);
    const { answer, policy } = ready;
    if (policy !== null) ctx.set('Content-Security-Policy', policy);
    await answer.send(ctx);
  };

  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || !/^\/docs(?:\/|$)/.test(ctx.path)) return next();
    const file = files.get(ctx.path);
    if (file === undefined && files.has(`${ctx.path}/`)) return ctx.redirect(`${ctx.path}/`);
    limit(ctx, file === undefined ? 'documents' : 'media');
    if (file !== undefined) return send(ctx, file);
    if (ctx.accepts('json', 'html') !== 'html') throw new Problem('not-found');
    await send(ctx, MISSING);
    ctx.status = 404;
  };
}

function toPath(file: string): string {
  return `/docs/${file.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`;
}

function read(file: string): Served {
  const bytes = readFileSync(new URL(file, OUTPUT));
  return {
    answer: builtFile(OUTPUT, file, bytes),
    policy: file.endsWith('.html') ? buildPolicy(bytes.toString()) : null,
  };
}

function buildPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inline].join(' '),
    // Highlighted code has inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
