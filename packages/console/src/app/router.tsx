import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { parseSearch, searchText } from '../pure/search.ts';
import { Failed, guarded, NotFound } from './guarded.tsx';
import { loadScreen } from './load-screen.ts';
import { Root } from './root.tsx';
import { SCREENS } from './screens.ts';

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  validateSearch: (search: Record<string, unknown>) => search,
  search: { middlewares: [retainSearchParams(['restaurant'] as never)] },
});

const routes = SCREENS.map((screen) =>
  createRoute({
    getParentRoute: () => root,
    path: screen.path,
    component: guarded(
      screen.needs,
      lazyRouteComponent(() => loadScreen(screen.load), 'Screen'),
    ),
  }),
);

/** The URL contains the filters, sorting, page and tab of a screen. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  parseSearch: parseSearch as never,
  stringifySearch: searchText,
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  scrollRestoration: true,
});
