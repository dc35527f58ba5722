import type { Route } from '../http/route.ts';
import { availabilityRoute, menuRevisionRoute, menuRoute } from './menu.ts';
import { browseRoutes } from './browse.ts';

/** What the storefront API says about menus. */
export const storefrontRoutes: readonly Route[] = [menuRoute, menuRevisionRoute, availabilityRoute, ...browseRoutes];
