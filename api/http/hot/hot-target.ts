import type { Document, Documents } from '../../../modules/menus/storefront/documents.ts';
import type { MenuStore, ServedMenu } from '../../../modules/menus/storefront/menu-store.ts';
import { organizationRequired } from '../../../modules/menus/storefront/served-organizations.ts';
import { invalidField, type Problem } from '../../../kernel/problem.ts';

/**
 * One hot read: which document it answers, which budget it counts against, how long caches may keep
 * it.
 */
export type HotRead = {
  path: string;
  /** Name of the route in metrics, as Koa's routes are named there. */
  route: string;
  document: (documents: Documents) => Document;
  limit: 'menu' | 'public';
  cacheControl: string;
  /** Further headers of every answer about the document. */
  headers: readonly string[];
};

/**
 * The gateway stores the menu but revalidates it for each request, so that an instance counts every
 * menu (rule HTTP-78): to nginx the answer has expired. nginx removes the header.
 */
const REVALIDATE = ['x-accel-expires', '@1'] as const;

/**
 * The reads that are answered before Koa. The menu may be kept for a minute (rule STO-1); the other
 * two are polled by clients to detect changes, so caches must revalidate every time and get a cheap
 * 304.
 */
export const HOT_READS: readonly HotRead[] = [
  {
    path: '/api/v1/menu',
    route: 'GET /menu',
    document: (documents) => documents.menu,
    limit: 'menu',
    cacheControl: 'public, max-age=60',
    headers: REVALIDATE,
  },
  {
    path: '/api/v1/menu/revision',
    route: 'GET /menu/revision',
    document: (documents) => documents.menuRevision,
    limit: 'public',
    cacheControl: 'no-cache',
    headers: [],
  },
  {
    path: '/api/v1/availability',
    route: 'GET /availability',
    document: (documents) => documents.availability,
    limit: 'public',
    cacheControl: 'no-cache',
    headers: [],
  },
];

const BY_PATH = new Map(HOT_READS.map((read) => [read.path, read]));

/** The hot read that a URL names; undefined for every other URL. */
export function hotReadOf(url: string): HotRead | undefined {
  const question = url.indexOf('?');
  return BY_PATH.get(question < 0 ? url : url.slice(0, question));
}

/**
 * The requested menu: a served one, an unknown uuid, or a rejection. `isNamed` is false for the
 * only menu of all: the same URL may mean another one tomorrow, or none.
 */
export type Target = { menu: ServedMenu; isNamed: boolean } | { erpId: string } | { problem: Problem };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FIELD = 'organization_id';

/**
 * Reads `organization_id`, which may be left out when exactly one organization is active (rule
 * STO-2). Other parameters are ignored: `revision` is a cache key of clients behind a CDN, and so
 * may any other be.
 */
export function targetOf(url: string, store: Pick<MenuStore, 'find' | 'only'>): Target {
  const question = url.indexOf('?');
  const values = question < 0 ? [] : new URLSearchParams(url.slice(question)).getAll(FIELD);
  const [given] = values;
  if (given === undefined) {
    const menu = store.only();
    return menu === undefined ? { problem: organizationRequired() } : { menu, isNamed: false };
  }
  if (values.length > 1 || !UUID.test(given)) return { problem: invalidField(FIELD, 'format', 'must be a uuid') };
  const erpId = given.toLowerCase();
  const menu = store.find(erpId);
  return menu === undefined ? { erpId } : { menu, isNamed: true };
}
