import { Router } from '@koa/router';
import type { Deps } from '../deps.ts';
import type { HttpContext, HttpMiddleware } from './context.ts';
import type { AnswerStore } from './hot/answer-store.ts';
import { createEndpoint } from './endpoint.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { PREFIXES, type Route } from './route.ts';

/** Creates the routing middleware. Throws for duplicate paths and operation ids. */
export function createRouter(
  routes: readonly Route[],
  deps: Deps,
  limits: RateLimits,
  answers: AnswerStore,
): { middleware: HttpMiddleware; allowedMethods: (path: string) => string[] } {
  requireUnique(routes, (route) => route.operationId);
  requireUnique(
    routes,
    (route) => `${route.method} ${fullPath(route).replaceAll(/\{[^}]*\}/g, '{}')}`,
  );

  // Limits, caches and reads before Koa need one spelling per URL.
  const router = new Router({ sensitive: true, strict: true });
  // `PATCH /categories/tree` must not match a category with this id.
  const fixed = Map.groupBy(
    routes.filter((route) => specificity(route) === 0),
    fullPath,
  );

  const methodsAt = (path: string) => fixed.get(path)?.flatMap(listMethods);
  // Fixed segments precede parameters.
  const ordered = routes.toSorted((a, b) => specificity(a) - specificity(b));

  for (const route of ordered) {
    const endpoint = createEndpoint(route, deps, limits, answers);
    const path = fullPath(route).replaceAll(/\{([^}]*)\}/g, ':$1');
    router.register(path, listMethods(route), async (ctx, next) => {
      if (specificity(route) > 0 && methodsAt(ctx.path) !== undefined) return next();
      await endpoint(ctx as unknown as HttpContext, ctx.params);
    });
  }

  return {
    middleware: router.routes() as unknown as HttpMiddleware,
    allowedMethods: (path) =>
      methodsAt(path) ?? router.match(path, 'GET').path.flatMap((layer) => layer.methods),
  };
}

function listMethods({ method }: Pick<Route, 'method'>): string[] {
  return method === 'GET' ? ['HEAD', 'GET'] : [method];
}

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
