import type { DefaultContext, Middleware, ParameterizedContext } from 'koa';
import type { RefusedKey } from '../../modules/access/api-keys/known-keys.ts';
import type { Api, Route } from './route.ts';

/** The facts of our middlewares about one request. */
export type HttpState = {
  requestId: string;
  /** Undefined when the request is not traced. */
  traceId: string | undefined;
  /** By the path alone, so that even an unknown path has the limits and headers of its API. */
  api: Api;
  /** The matched route; null for documents, unknown paths and rejected methods. */
  route: Route | null;
  /** The signed-in member of staff, once the token was read. */
  userId: number | null;
  /** The API key of a request that is rejected for it. */
  refusedKey: RefusedKey | null;
};

export type HttpContext = ParameterizedContext<HttpState, DefaultContext>;
export type HttpMiddleware = Middleware<HttpState>;
