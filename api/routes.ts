import { authRoutes } from './admin/access/auth.ts';
import { meRoute } from './admin/access/me.ts';
import type { Route } from './http/route.ts';

/** Every route of the product. A route that is not here does not exist. */
export const routes: readonly Route[] = [...authRoutes, meRoute];
