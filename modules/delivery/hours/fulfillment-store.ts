import type { ErpNames } from '../rules/erp-names.ts';
import type { GuestLanguage } from '../../../kernel/guest-language.ts';
import { GUEST_WORDS } from '../rules/guest-words.ts';
import { latestRun } from '../../../platform/latest-run.ts';
import type { Log } from '../../../platform/log.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { listenTo, type KeptConnection } from '../../../platform/db/kept-connection.ts';
import {
  organizationNotFound,
  readServedOrganizations,
} from '../../menus/storefront/served-organizations.ts';
import { ORDERING_CHANNEL } from '../configuration/commit-edit.ts';
import { readErpNames } from '../configuration/erp-choices.ts';
import type { OrderingDeps } from '../configuration/ordering-config.ts';
import { createOrganizationClock, type OrganizationClock } from './organization-clock.ts';
import { readFacts } from './read-facts.ts';
import { readMarks } from './read-marks.ts';
import { serveClock, type OrganizationDetails, type ServedClock } from './served-clock.ts';
import { readSharedFacts, readSharedMark, type SharedFacts } from './shared-facts.ts';

type Details = Omit<OrganizationDetails, 'id' | 'timeZone'>;

export type Clocks = {
  /** Finds a cached clock by lower-case ERP id. A null language selects the configured one. */
  find(erpId: string, language?: GuestLanguage | null): ServedClock | undefined;
  /** Increases with every replaced or removed clock. */
  version(): number;
  /** {@link Clocks.find}, but loads a missing clock. Throws `not-found`. */
  load(erpId: string, language?: GuestLanguage | null): Promise<ServedClock>;
};

export type FulfillmentStore = Clocks & {
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type FulfillmentStoreDeps = OrderingDeps & { log: Log; pollMs: number };

type InLanguages<T> = Readonly<Record<GuestLanguage, T>>;

const inLanguages = <T>(make: (language: GuestLanguage) => T): InLanguages<T> => ({
  RU: make('RU'),
  EN: make('EN'),
});

/**
 * Creates the clock cache of an API process. Notifications update it; polling repairs lost
 * notifications and detects new and removed organizations. Without the database, cached clocks are
 * still used.
 */
export function createFulfillmentStore({
  db,
  env,
  log,
  pollMs,
}: FulfillmentStoreDeps): FulfillmentStore {
  const hours = new Map<
    string,
    { key: string; timeZone: string; clocks: InLanguages<OrganizationClock> }
  >();

  const clocks = new Map<string, { key: string; clocks: InLanguages<ServedClock> }>();
  const working = new Set<Promise<void>>();
  let listener: KeptConnection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let version = 0;
  let standard: GuestLanguage = 'RU';

  type Shared = { mark: string; facts: SharedFacts; names: ReadonlyMap<number, ErpNames> };
  let shared: Shared | undefined;

  const check = latestRun<'all'>(async () => {
    ({ guest_language: standard } = await readSettings(db, 'guest_language'));
    const mark = await readSharedMark(db);
    if (shared?.mark !== mark)
      shared = { mark, facts: await readSharedFacts(db), names: await readErpNames(db) };
    const served = await readMarks(db);
    const hoursKey = (entry: (typeof served)[number]) => `${entry.organizationId} ${entry.mark}`;
    const changed = served.filter((entry) => hours.get(entry.erpId)?.key !== hoursKey(entry));
    const facts = await readFacts(
      db,
      changed.map((entry) => entry.organizationId),
      { since: 'today', timeZone: env.SYNC_TIME_ZONE },
    );

    for (const entry of changed) {
      const own = facts.get(entry.organizationId);
      if (own === undefined) continue;
      const { timeZone } = own.schedule;
      const clocks = inLanguages((language) => createOrganizationClock(own, GUEST_WORDS[language]));
      hours.set(entry.erpId, { key: hoursKey(entry), timeZone, clocks });
    }

    const uuids = new Set(served.map((entry) => entry.erpId));

    for (const erpId of [...hours.keys()].filter((hour) => !uuids.has(hour))) {
      hours.delete(erpId);
      clocks.delete(erpId);
      version += 1;
    }

    for (const { mark: _, erpId, ...details } of served) serve(erpId, details, shared);
  });

  function serve(erpId: string, details: Details, { mark, facts, names }: Shared): void {
    const own = hours.get(erpId);
    if (own === undefined) return;
    const key = JSON.stringify([own.key, mark, details, standard]);
    if (clocks.get(erpId)?.key === key) return;
    const known = { ...details, id: erpId, timeZone: own.timeZone };
    const ofErp = names.get(details.organizationId) ?? null;
    const serveIn = (language: GuestLanguage) =>
      serveClock(own.clocks[language], known, facts, {
        names: ofErp,
        words: GUEST_WORDS[language],
      });

    clocks.set(erpId, { key, clocks: inLanguages(serveIn) });
    version += 1;
  }

  /** The next poll retries. */
  function checkInBackground(): void {
    const running = check('all')
      .catch((error: unknown) => log.warn({ err: error }, 'the check for edits of ordering failed'))
      .finally(() => working.delete(running));
    working.add(running);
  }

  const find = (erpId: string, language: GuestLanguage | null = null): ServedClock | undefined =>
    clocks.get(erpId)?.clocks[language ?? standard];

  return {
    find,
    version: () => version,
    async load(erpId, language) {
      const existing = find(erpId, language);
      if (existing !== undefined) return existing;
      // Checks unknown ids with one indexed read, instead of comparing all organizations.
      if ((await readServedOrganizations(db, erpId)).length === 0) throw organizationNotFound();
      await check('all');
      const clock = find(erpId, language);
      if (clock === undefined) throw organizationNotFound();

      return clock;
    },
    async start() {
      await check('all');
      listener = listenTo({ db, log }, ORDERING_CHANNEL, {
        announced: checkInBackground,
        connected: checkInBackground,
      });
      timer = setInterval(checkInBackground, pollMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await listener?.stop();
      await Promise.all(working);
    },
  };
}
