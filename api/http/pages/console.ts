import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Problem } from '../../../kernel/problem.ts';
import { readSettings } from '../../../modules/settings/read-settings.ts';
import type { Deps } from '../../deps.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { REVALIDATED, type KeptAnswer } from '../hot/kept-answer.ts';
import type { LimitByAddress } from '../limits/request-limits.ts';
import { builtFile } from './built-file.ts';

const OUTPUT = new URL('../../../packages/console/dist/', import.meta.url);
const ROOT = '/console';
const ASSETS = `${ROOT}/assets/`;
/** The worker that reads map tiles. */
const TILE_WORKER = `${ASSETS}tile-worker-`;

/**
 * Serves the console (rules CSL-1 to CSL-3) unless the setting `console` is `OFF` or it was not
 * built. Paths without a file get the page.
 */
export function consolePages(
  deps: Pick<Deps, 'db' | 'env'>,
  limit: LimitByAddress,
): HttpMiddleware {
  if (!existsSync(new URL('index.html', OUTPUT))) return (_, next) => next();
  const html = readFileSync(new URL('index.html', OUTPUT), 'utf8');
  const names = readdirSync(new URL('assets/', OUTPUT));
  const assets = new Map<string, KeptAnswer | null>(
    names.map((name) => [`${ASSETS}${name}`, null]),
  );

  const sendAsset = (ctx: HttpContext): Promise<void> => {
    const asset = assets.get(ctx.path) ?? builtFile(OUTPUT, ctx.path.slice(ROOT.length + 1));
    assets.set(ctx.path, asset);
    return asset.send(ctx);
  };

  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || !/^\/console(?:\/|$)/.test(ctx.path)) return next();
    const isAsset = assets.has(ctx.path);
    limit(ctx, isAsset ? 'media' : 'public');
    const settings = await readSettings(deps.db, 'console', 'map_tiles');
    if (settings.console === 'OFF') throw new Problem('not-found');
    const tilesUrl = settings.map_tiles?.url ?? null;
    if (ctx.path.startsWith(TILE_WORKER)) setTilePolicy(ctx, tilesUrl);
    if (isAsset) return sendAsset(ctx);
    if (ctx.path.startsWith(ASSETS)) throw new Problem('not-found');
    sendPage(ctx, html, deps.env.PUBLIC_MEDIA_URL);
  };
}

/** React Aria adds styles that need the nonce. */
function sendPage(ctx: HttpContext, html: string, mediaUrl: string | null): void {
  const nonce = randomBytes(16).toString('base64');
  ctx.set('Content-Security-Policy', policy(nonce, mediaUrl));
  ctx.set('Cache-Control', REVALIDATED);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html.replace('nonce=""', `nonce="${nonce}"`);
}

/** Not stored: a map reads the policy at its start, while that of an open page stays (CSL-22). */
function setTilePolicy(ctx: HttpContext, tilesUrl: string | null): void {
  const origin = tilesUrl === null ? "'none'" : new URL(tilesUrl).origin;
  ctx.set('Content-Security-Policy', `default-src 'none'; connect-src ${origin}`);
  ctx.set('Cache-Control', 'no-store');
}

/** Prevents injected scripts and framing. Trusted types allow only URLs of the map's workers. */
function policy(nonce: string, mediaUrl: string | null): string {
  const media = mediaUrl === null ? '' : ` ${new URL(mediaUrl).origin}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${media}`,
    "connect-src 'self'",
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}
