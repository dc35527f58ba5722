import type { DefaultContext, Middleware, ParameterizedContext } from 'koa';
import type { RefusedKey } from '../../modules/access/api-keys/known-keys.ts';
import type { Api, Route } from './route.ts';

export type HttpState = {
  requestId: string;
  traceId: string | undefined;
  /** By prefix, so that unknown paths get the limits and headers of their API. */
  api: Api;
  /** Null for documents, unknown paths and rejected methods. */
  route: Route | null;
  /** Null until the token is read. */
  userId: number | null;
  refusedKey: RefusedKey | null;
};

export type HttpContext = ParameterizedContext<HttpState, DefaultContext>;
export type HttpMiddleware = Middleware<HttpState>;
