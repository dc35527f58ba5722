import type { Route } from '../http/route.ts';
import { availabilityRoute, menuRevisionRoute, menuRoute } from './menu.ts';
import { browseRoutes } from './browse.ts';
import { publicOrganizationsRoute } from './organizations.ts';

/** Every route of the storefront API. */
export const storefrontRoutes: readonly Route[] = [
  menuRoute,
  menuRevisionRoute,
  availabilityRoute,
  publicOrganizationsRoute,
  ...browseRoutes,
];
