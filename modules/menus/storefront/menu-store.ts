import { latestRun } from '../../../platform/latest-run.ts';
import type { SnapshotDeps } from '../snapshot/build-snapshot.ts';
import { SNAPSHOT_CHANNEL } from '../snapshot/snapshot-row.ts';
import { readDocuments, type Documents } from './documents.ts';
import { createEnsureSnapshot } from './ensure-snapshot.ts';
import {
  listenTo,
  type KeptConnection,
  type Silence,
} from '../../../platform/db/kept-connection.ts';
import {
  menuUnavailable,
  organizationNotFound,
  organizationRequired,
  readServedOrganizations,
  type ServedOrganization,
} from './served-organizations.ts';

/** `documents` are replaced as a whole; null if nothing can be served. */
export type ServedMenu = {
  readonly organizationId: number;
  readonly erpId: string;
  documents: Documents | null;
};

export type MenuStore = {
  /**
   * Resolves after the list of organizations was read. Until `loaded`, requested menus are loaded
   * first (STO-17).
   */
  start(): Promise<{ loaded: Promise<void> }>;
  stop(): Promise<void>;
  /** Finds by lower-case ERP id, without the database. */
  find(erpId: string): ServedMenu | undefined;
  /** Returns undefined unless exactly one organization is served. */
  only(): ServedMenu | undefined;
  /** Throws `not-found` or `unavailable`. */
  load(erpId: string): Promise<Documents>;
  /** Calls `changed` after documents were replaced or removed. */
  watch(changed: (menu: ServedMenu) => void): void;
};

export type MenuStoreDeps = SnapshotDeps & {
  pollMs: number;
  silence?: Silence;
};

type Cause = 'start' | 'notify' | 'poll' | 'request';

/**
 * Creates the menu cache of an API process. Notifications refresh it; polling repairs lost
 * notifications and detects new and removed organizations. Without the database, cached menus are
 * still served.
 */
export function createMenuStore(deps: MenuStoreDeps): MenuStore {
  const { db, log, metrics } = deps;
  const menus = new Map<string, ServedMenu>();
  const ensureSnapshot = createEnsureSnapshot(deps);
  let listener: KeptConnection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  const working = new Set<Promise<void>>();

  const refresh = latestRun<ServedMenu>(async (menu) => {
    const documents = await readDocuments(db, menu.organizationId);
    if (menus.get(menu.erpId) === menu) replace(menu, documents);
  });

  const watchers: ((menu: ServedMenu) => void)[] = [];

  function replace(menu: ServedMenu, documents: Documents | null): void {
    menu.documents = documents;
    for (const changed of watchers) changed(menu);
  }

  async function refreshFor(cause: Cause, menu: ServedMenu): Promise<void> {
    metrics.storefrontRefreshes.inc({ cause });
    await refresh(menu);
  }

  function claim({ organizationId, erpId }: ServedOrganization): ServedMenu {
    const cached = menus.get(erpId);
    if (cached?.organizationId === organizationId) return cached;
    if (cached !== undefined) replace(cached, null);
    const menu: ServedMenu = { organizationId, erpId, documents: null };
    menus.set(erpId, menu);

    return menu;
  }

  function forget(erpId: string): void {
    const menu = menus.get(erpId);
    if (menu !== undefined) replace(menu, null);
    menus.delete(erpId);
  }

  async function follow(): Promise<{ menu: ServedMenu; organization: ServedOrganization }[]> {
    const served = await readServedOrganizations(db);
    const uuids = new Set(served.map((organization) => organization.erpId));
    for (const erpId of [...menus.keys()].filter((menu) => !uuids.has(menu))) forget(erpId);
    return served.map((organization) => ({ menu: claim(organization), organization }));
  }

  let cause: Cause = 'start';

  /** Sequential, so the pool stays free for requests. */
  const checkAll = latestRun<'all'>(
    async () => {
      const because = cause;
      for (const { menu, organization } of await follow()) {
        if (isStopping) return;
        const { revision = null, etag = null } = menu.documents ?? {};
        if (revision !== organization.revision || etag !== organization.etag)
          await refreshFor(because, menu);
      }
    },
    { limitMs: null },
  );

  function check(why: Cause): Promise<void> {
    cause = why;
    return checkAll('all');
  }

  /** Logs failures; the next poll retries. */
  function inBackground(what: string, work: () => Promise<void>): Promise<void> {
    const running = work()
      .catch((error: unknown) => log.warn({ err: error }, what))
      .finally(() => working.delete(running));
    working.add(running);
    return running;
  }

  function announced(payload: string): void {
    const organizationId = Number(payload);
    const menu = [...menus.values()].find((entry) => entry.organizationId === organizationId);
    void inBackground('an announced menu could not be read', () =>
      menu === undefined ? check('notify') : refreshFor('notify', menu),
    );
  }

  const build = latestRun<number>(ensureSnapshot);

  return {
    async start() {
      await follow();
      const startMs = performance.now();
      const loaded = inBackground('the menus could not be loaded', async () => {
        await check('start');
        log.info(
          { menus: menus.size, ms: Math.round(performance.now() - startMs) },
          'menus are loaded',
        );
      });

      const recheck = () =>
        void inBackground('the check for published menus failed', () => check('poll'));
      listener = listenTo(deps, SNAPSHOT_CHANNEL, { announced, connected: recheck });
      timer = setInterval(recheck, deps.pollMs);
      timer.unref();

      return { loaded };
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await listener?.stop();
      await Promise.all(working);
    },
    find: (erpId) => menus.get(erpId),
    watch: (changed) => void watchers.push(changed),
    only: () => (menus.size === 1 ? menus.values().next().value : undefined),
    async load(erpId) {
      const [organization] = await readServedOrganizations(db, erpId);
      if (organization === undefined) throw organizationNotFound();
      const menu = claim(organization);
      if (menu.documents === null) await refreshFor('request', menu);
      if (menu.documents === null) {
        await build(menu.organizationId);
        await refreshFor('request', menu);
      }

      if (menu.documents === null) throw menuUnavailable();

      return menu.documents;
    },
  };
}

/** Returns the cached documents of an organization, by default of the only one. */
export function loadedDocuments(
  store: Pick<MenuStore, 'find' | 'only'>,
  erpId: string | undefined,
): Documents | undefined {
  return (erpId === undefined ? store.only() : store.find(erpId))?.documents ?? undefined;
}

/**
 * Returns the documents of an organization, by default of the only one. Throws like `load`, and
 * `validation`.
 */
export async function loadDocuments(
  store: Pick<MenuStore, 'find' | 'only' | 'load'>,
  erpId: string | undefined,
): Promise<Documents> {
  const menu = erpId === undefined ? store.only() : store.find(erpId);
  const targetId = erpId ?? menu?.erpId;
  if (targetId === undefined) throw organizationRequired();
  return menu?.documents ?? store.load(targetId);
}
