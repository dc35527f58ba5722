import { Router } from '@koa/router';
import type { Deps } from '../deps.ts';
import type { HttpContext, HttpMiddleware } from './context.ts';
import type { AnswerStore } from './hot/answer-store.ts';
import { createEndpoint } from './endpoint.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { PREFIXES, type Route } from './route.ts';

/**
 * Routes as a middleware, and the methods of a path. Throws if two routes have one path or
 * operation id.
 */
export function createRouter(
  routes: readonly Route[],
  deps: Deps,
  limits: RateLimits,
  answers: AnswerStore,
): { middleware: HttpMiddleware; allowedMethods: (path: string) => string[] } {
  requireUnique(routes, (route) => route.operationId);
  requireUnique(routes, (route) => `${route.method} ${fullPath(route).replaceAll(/\{[^}]*\}/g, '{}')}`);
  // One spelling per URL, in case and without a slash at the end: limits, caches and the reads
  // before Koa go by it.
  const router = new Router({ sensitive: true, strict: true });
  // The methods of paths without parameters: `tree` is not an id, so `PATCH /categories/tree` does
  // not mean a category.
  const fixed = Map.groupBy(
    routes.filter((route) => specificity(route) === 0),
    fullPath,
  );
  const methodsAt = (path: string) => fixed.get(path)?.flatMap(methodsOf);
  // The router uses the first match: a fixed segment (`/erp/items/create-product`) comes before a
  // parameter.
  const ordered = routes.toSorted((a, b) => specificity(a) - specificity(b));
  for (const route of ordered) {
    const endpoint = createEndpoint(route, deps, limits, answers);
    const path = fullPath(route).replaceAll(/\{([^}]*)\}/g, ':$1');
    router.register(path, methodsOf(route), async (ctx, next) => {
      if (specificity(route) > 0 && methodsAt(ctx.path) !== undefined) return next();
      await endpoint(ctx as unknown as HttpContext, ctx.params);
    });
  }
  return {
    middleware: router.routes() as unknown as HttpMiddleware,
    allowedMethods: (path) => methodsAt(path) ?? router.match(path, 'GET').path.flatMap((layer) => layer.methods),
  };
}

function methodsOf({ method }: Pick<Route, 'method'>): string[] {
  return method === 'GET' ? ['HEAD', 'GET'] : [method];
}

/** Path of a route from the root: `/api/admin/v1/products/{id}`. */
export function fullPath(route: Pick<Route, 'api' | 'path'>): string {
  return PREFIXES[route.api] + route.path;
}

function specificity(route: Route): number {
  return [...route.path.matchAll(/\{/g)].length;
}

function requireUnique(routes: readonly Route[], keyOf: (route: Route) => string): void {
  const seen = new Set<string>();
  for (const key of routes.map(keyOf)) {
    if (seen.has(key)) throw new Error(`Two routes are named ${key}`);
    seen.add(key);
  }
}
