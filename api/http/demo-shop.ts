import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { Router } from '@koa/router';
import type { Env } from '../../modules/env.ts';
import type { HttpMiddleware } from './context.ts';
import { keptAnswer, type KeptAnswer } from './kept-answer.ts';
import { escapeHtml } from './page.ts';

const ROOT = new URL('../../packages/', import.meta.url);
/** What the page is made of: its own modules and the typed client, as they stand in the repository. */
const FOLDERS = ['demo/shop', 'client/src', 'client/src/generated'] as const;
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  ts: 'text/javascript; charset=utf-8',
};
/** A copy is asked about each time, which is answered 304. */
const ASK_ALWAYS = 'no-cache';

/**
 * The shop of the demo at `/` (decision 36). It is a page like one of any other storefront: plain files, no inline script, nothing that
 * the public API does not say. Read once, at start, with the types taken out.
 */
export function demoShop(env: Pick<Env, 'CUSTOMER_ISSUER' | 'PUBLIC_MEDIA_URL'>): HttpMiddleware {
  const router = new Router({ sensitive: true, strict: true });
  const issuer = env.CUSTOMER_ISSUER ?? '';
  const html = readFileSync(new URL('demo/shop/index.html', ROOT), 'utf8');
  const page = keptAnswer(
    'text/html; charset=utf-8',
    html.replace('name="sign-in" content=""', `name="sign-in" content="${escapeHtml(issuer)}"`),
    ASK_ALWAYS,
  );
  router.get('/', (ctx) => {
    ctx.set('Content-Security-Policy', policy(issuer, env.PUBLIC_MEDIA_URL));
    return page.send(ctx as never);
  });
  for (const [path, answer] of files()) router.get(path, (ctx) => answer.send(ctx as never));
  return router.routes() as unknown as HttpMiddleware;
}

/** Scripts and styles are files of ours, texts can never become script, and nobody frames the page. */
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

function files(): [path: string, answer: KeptAnswer][] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT)).flatMap((name): [string, KeptAnswer][] => {
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (type === undefined) return [];
      const source = readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8');
      const content = name.endsWith('.ts') ? withoutTypes(source) : source;
      return [[`/${folder}/${name}`, keptAnswer(type, content, ASK_ALWAYS)]];
    }),
  );
}

/** Types leave blanks behind, which would be most of the client. */
const withoutTypes = (source: string): string =>
  stripTypeScriptTypes(source)
    .replace(/^[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
