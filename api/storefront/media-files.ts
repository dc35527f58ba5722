import { Problem } from '../../kernel/problem.ts';
import { MEDIA_PREFIX, toStoredFile } from '../../modules/media/media-urls.ts';
import type { Deps } from '../deps.ts';
import type { HttpMiddleware } from '../http/context.ts';
import { matchesEtag } from '../http/hot/kept-answer.ts';
import type { LimitByAddress } from '../http/limits/request-limits.ts';

/** Cost of a missing file, which is requested from the store and cannot be cached. */
const MISS_COST = 25;

/**
 * Serves renditions with a separate budget (rule HTTP-20). Accepts only names of renditions, so no
 * path leaves the store and originals are never served.
 */
export function mediaFiles({ media }: Pick<Deps, 'media'>, limit: LimitByAddress): HttpMiddleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(MEDIA_PREFIX)) return next();
    if (ctx.method !== 'OPTIONS') limit(ctx, 'media');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new Problem('method-not-allowed', { headers: { Allow: 'GET, HEAD' } });
    const file = toStoredFile(ctx.path);
    const content = file === undefined ? undefined : await media.store.find(file.key);
    if (file !== undefined && content === undefined) limit(ctx, 'media', MISS_COST - 1);
    if (file === undefined || content === undefined) throw new Problem('not-found');

    ctx.status = 200;
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('ETag', file.etag);
    // A range request returns the whole file, as RFC 9110 allows.
    ctx.set('Accept-Ranges', 'none');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.type = file.contentType;
    if (matchesEtag(ctx.req.headers['if-none-match'], file.etag)) {
      ctx.status = 304;
      return;
    }

    ctx.length = content.bytes;
    if (ctx.method === 'GET') ctx.body = await content.read();
  };
}
