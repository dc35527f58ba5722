import { inLanguage, languageIn } from '../../kernel/guest-language.ts';
import { inStaffLanguage } from '../../kernel/staff-text.ts';
import { loggable } from '../../platform/log.ts';
import Koa from 'koa';
import type { Deps } from '../deps.ts';
import { createAnswerStore, type AnswerStore } from './hot/answer-store.ts';
import { mediaFiles } from '../storefront/media-files.ts';
import { compression } from './hot/compression.ts';
import type { HttpState, HttpContext, HttpMiddleware } from './context.ts';
import { crossOrigin, ownPagesOnly } from './access/cross-origin.ts';
import { consolePages } from './pages/console.ts';
import { demoShop } from './pages/demo-shop.ts';
import { docsSite } from './pages/docs-site.ts';
import { documents, SHOWN } from './documents/documents.ts';
import { observe } from './observe.ts';
import { problems, unmatched } from './problems/problems.ts';
import { createRateLimits, type RateLimits } from './limits/rate-limits.ts';
import type { Route, Api } from './route.ts';
import { proxyCheck } from './access/proxy-check.ts';
import { limitByAddress, preflightLimit, urlLimit } from './limits/request-limits.ts';
import { storefrontKeys } from './access/storefront-keys.ts';
import { createRouter } from './router.ts';
import helmet from 'koa-helmet';

/**
 * Creates the Koa application of both APIs. `limits` and `answers` are shared with the reads
 * before Koa.
 * @throws Error if routes contradict each other.
 */
export function createApp(
  deps: Deps,
  routes: readonly Route[],
  limits: RateLimits = createRateLimits(deps.env),
  answers: AnswerStore = createAnswerStore({ env: deps.env, limits }),
): Koa<HttpState> {
  const router = createRouter(routes, deps, limits, answers);
  const limit = limitByAddress(limits, deps.env);
  const koa = new Koa<HttpState>();
  koa.on('error', (error: unknown) => {
    // Disconnected clients are no fault.
    const code = (error as { code?: unknown }).code;
    if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    deps.log.error({ error: loggable(error) }, 'an answer could not be written');
  });

  koa.use(observe(deps));
  koa.use(languages());
  koa.use(protection());
  koa.use(compression());
  koa.use(problems(deps));
  koa.use(proxyCheck(deps));
  koa.use(preflightLimit(limit));
  koa.use(crossOrigin(deps.env));
  koa.use(ownPagesOnly(deps.env));
  koa.use(storefrontKeys(limits, deps.env));
  koa.use(urlLimit());
  if (deps.env.DEMO_SHOP) koa.use(demoShop(deps.env));
  koa.use(consolePages(deps, limit));
  if (deps.env.DOCS_SITE) koa.use(docsSite(limit, SHOWN[deps.env.API_DOCS]));
  koa.use(documents(routes, deps.env, limit));
  koa.use(mediaFiles(deps, limit));
  koa.use(router.middleware);
  koa.use(unmatched(router.allowedMethods, limit));

  return koa;
}

/**
 * Sets the languages from `Accept-Language` (HTTP-103, HTTP-110). All admin responses vary by this
 * header.
 */
const languages = (): HttpMiddleware => (ctx: HttpContext, next) => {
  const { api } = ctx.state;
  if (api === 'webhooks') return next();
  const language = languageIn(ctx.get('Accept-Language'));
  if (api === 'public') return inLanguage(language, next);
  const ofStaff = language ?? 'EN';
  ctx.vary('Accept-Language');
  ctx.set('Content-Language', ofStaff.toLowerCase());

  // Staff also read texts for guests.
  return inLanguage(language, () => inStaffLanguage(ofStaff, next));
};

/** Storefronts of other origins may embed public responses and images. */
function protection(): HttpMiddleware {
  const byApi: Record<Api, HttpMiddleware> = {
    public: helmet({ crossOriginResourcePolicy: { policy: 'cross-origin' } }) as HttpMiddleware,
    admin: helmet({ crossOriginResourcePolicy: { policy: 'same-site' } }) as HttpMiddleware,
    webhooks: helmet() as HttpMiddleware,
  };

  return (ctx: HttpContext, next) => {
    if (ctx.state.api !== 'public') ctx.set('Cache-Control', 'no-store');
    return byApi[ctx.state.api](ctx as Parameters<HttpMiddleware>[0], next);
  };
}
