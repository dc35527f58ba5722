import type { Document, Documents } from '../../../modules/menus/storefront/documents.ts';
import type { MenuStore, ServedMenu } from '../../../modules/menus/storefront/menu-store.ts';
import { organizationRequired } from '../../../modules/menus/storefront/served-organizations.ts';
import { invalidField, type Problem } from '../../../kernel/problem.ts';

export type HotRead = {
  path: string;
  route: string;
  document: (documents: Documents) => Document;
  limit: 'menu' | 'public';
  cacheControl: string;
  headers: readonly string[];
};

/**
 * nginx removes this header and revalidates its stored menu on each request, so that an instance
 * counts every menu request (rule HTTP-78).
 */
const REVALIDATE = ['x-accel-expires', '@1'] as const;

/**
 * Menus are cached for a minute (rule STO-1). The other reads are polled, so caches revalidate them
 * on each request.
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

export function findHotRead(url: string): HotRead | undefined {
  const question = url.indexOf('?');
  return BY_PATH.get(question < 0 ? url : url.slice(0, question));
}

/**
 * `isNamed` is false if the URL names no organization. With a second menu it may mean another one.
 */
export type Target =
  | { menu: ServedMenu; isNamed: boolean }
  | { erpId: string }
  | { problem: Problem };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FIELD = 'organization_id';

/**
 * Returns the menu of a URL. `organization_id` is optional while only one organization is active
 * (rule STO-2). Other parameters, such as cache keys, are ignored.
 */
export function resolveTarget(url: string, store: Pick<MenuStore, 'find' | 'only'>): Target {
  const question = url.indexOf('?');
  const values = question < 0 ? [] : new URLSearchParams(url.slice(question)).getAll(FIELD);
  const [uuid] = values;
  if (uuid === undefined) {
    const menu = store.only();
    return menu === undefined ? { problem: organizationRequired() } : { menu, isNamed: false };
  }

  if (values.length > 1 || !UUID.test(uuid))
    return { problem: invalidField(FIELD, 'format', 'must be a uuid') };
  const erpId = uuid.toLowerCase();
  const menu = store.find(erpId);

  return menu === undefined ? { erpId } : { menu, isNamed: true };
}
