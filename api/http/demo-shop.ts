import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import type { Env } from '../../modules/env.ts';
import type { HttpMiddleware } from './context.ts';
import { keptAnswer } from './kept-answer.ts';
import { escapeHtml } from './page.ts';

const OUTPUT = new URL('../../examples/storefront/dist/', import.meta.url);
/** Paths of the views. Each gets the same page, which shows the view of its URL. */
const VIEWS = ['/', '/cart', '/checkout', '/dish/:slug', '/order/:id'];
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};
/** Clients revalidate the page each time and get 304. */
const REVALIDATED = 'no-cache';
/** Names of assets contain a digest of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * The example storefront as the shop of the demo at `/` (decision 153). The output of its build is
 * read once, at the start.
 *
 * @throws Error if the storefront has not been built
 */
export function demoShop(env: Pick<Env, 'CUSTOMER_ISSUER' | 'PUBLIC_MEDIA_URL'>): HttpMiddleware {
  if (!existsSync(OUTPUT))
    throw new Error('DEMO_SHOP needs a built storefront: run `npm run build -w examples/storefront`.');
  const router = new Router({ sensitive: true, strict: true });
  const issuer = env.CUSTOMER_ISSUER ?? '';
  const html = readFileSync(new URL('index.html', OUTPUT), 'utf8');
  const page = keptAnswer(
    'text/html; charset=utf-8',
    html.replace('name="sign-in" content=""', `name="sign-in" content="${escapeHtml(issuer)}"`),
    REVALIDATED,
  );
  router.get(VIEWS, (ctx) => {
    ctx.set('Content-Security-Policy', policy(issuer, env.PUBLIC_MEDIA_URL));
    return page.send(ctx as never);
  });
  const assets = new URL('assets/', OUTPUT);
  for (const name of readdirSync(assets)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    const asset = keptAnswer(type, readFileSync(new URL(name, assets)), IMMUTABLE);
    router.get(`/assets/${name}`, (ctx) => asset.send(ctx as never));
  }
  return router.routes() as unknown as HttpMiddleware;
}

/**
 * Allows scripts and styles from files of this origin alone. Texts cannot become scripts, and no
 * page may frame this one.
 */
function policy(issuer: string, mediaUrl: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: ${mediaUrl === null ? '' : new URL(mediaUrl).origin}`.trim(),
    `connect-src 'self' ${issuer}`.trim(),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
