import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import type { Env } from '../../../modules/env.ts';
import { builtFile } from './built-file.ts';
import type { HttpMiddleware } from '../context.ts';
import { keptAnswer, REVALIDATED } from '../hot/kept-answer.ts';
import { escapeHtml } from './page.ts';

const OUTPUT = new URL('../../../examples/storefront/dist/', import.meta.url);
const VIEWS = ['/', '/cart', '/checkout', '/dish/:slug', '/order/:id'];

/**
 * Serves the example storefront at `/` (decision 153).
 *
 * @throws Error if the storefront has not been built
 */
export function demoShop(env: Pick<Env, 'CUSTOMER_ISSUER' | 'PUBLIC_MEDIA_URL'>): HttpMiddleware {
  if (!existsSync(OUTPUT))
    throw new Error(
      'DEMO_SHOP needs a built storefront: run `npm run build -w examples/storefront`.',
    );

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

  for (const name of readdirSync(new URL('assets/', OUTPUT))) {
    const asset = builtFile(OUTPUT, `assets/${name}`);
    router.get(`/assets/${name}`, (ctx) => asset.send(ctx as never));
  }

  return router.routes() as unknown as HttpMiddleware;
}

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
