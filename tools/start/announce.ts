import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../../platform/start-failure.ts';
import type { Steps } from './steps.ts';

type Urls = {
  apiUrl: string;
  hasShop: boolean;
  hasDocs: boolean;
  opsUrl: string;
  workerOpsUrl: string;
  temporalUi: string | undefined;
  /** Undefined if another ERP is configured. */
  emulatorUrl: string | undefined;
  /** Undefined unless the customer provider of the demo is used. */
  customersUrl: string | undefined;
  email: string;
  /** The password that this start generated, or a text instead. */
  password: string;
};

/**
 * A busy machine builds the menus of a chain slowly, and the reconciler resumes lost hints only
 * every minute.
 */
const PATIENCE_MS = 300_000;
/**
 * Pauses between reads, which grow: guests may read 60 menus per minute. The longest pause uses a
 * third of that, so that a person can read menus too.
 */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 3_000;

/** Yields pauses in ms before each read of a menu, endlessly. */
export function* pausesOfReads(): Generator<number> {
  yield 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) yield pause;
}

/**
 * Waits until the storefront serves a menu and no menu waits for a build. Observes `Retry-After`.
 * Throws StartFailure after five minutes.
 */
export async function firstMenu(apiUrl: string, opsUrl: string): Promise<void> {
  let organization: string | undefined;
  const deadline = Date.now() + PATIENCE_MS;

  for (const pause of pausesOfReads()) {
    if (Date.now() > deadline) break;
    await delay(pause);
    organization ??= await firstOrganization(apiUrl);
    // A menu that is built during the demo's edits may be incomplete.
    if (organization === undefined || (await areMenusBehind(opsUrl))) continue;
    const response = await patientFetch(`${apiUrl}/api/v1/menu?organization_id=${organization}`);
    const menu = response.ok ? ((await response.json()) as { products: unknown[] }) : null;
    if (menu !== null && menu.products.length > 0) return;
  }

  throw new StartFailure(
    'No menu was served within five minutes; the run journal (GET /api/admin/v1/sync/runs) shows the cause.',
  );
}

async function areMenusBehind(opsUrl: string): Promise<boolean> {
  const metrics = await (await patientFetch(`${opsUrl}/metrics`)).text();
  return !/^carte_snapshot_dirty(\{[^}]*\})? 0$/m.test(metrics);
}

export async function announce(steps: Steps, at: Urls): Promise<void> {
  const organization = await firstOrganization(at.apiUrl);
  const lines = [
    '',
    'Carte is ready.',
    ...(at.hasShop ? [`  Demo shop       ${at.apiUrl}/`] : []),
    `  Console         ${at.apiUrl}/console`,
    `  API             ${at.apiUrl}/api/v1 and ${at.apiUrl}/api/admin/v1`,
    `  API reference   ${at.apiUrl}/docs/public and ${at.apiUrl}/docs/admin`,
    ...(at.hasDocs ? [`  Documentation   ${at.apiUrl}/docs`] : []),
    `  Temporal UI     ${at.temporalUi ?? 'of the server at TEMPORAL_ADDRESS'}`,
    ...(at.emulatorUrl === undefined ? [] : [`  ERP emulator    ${at.emulatorUrl}`]),
    ...(at.customersUrl === undefined
      ? []
      : [`  Customers       ${at.customersUrl} signs in any phone`]),
    `  Metrics         ${at.opsUrl}/metrics (API) and ${at.workerOpsUrl}/metrics (worker)`,
    `  Administrator   ${at.email}  ${at.password}`,
    organization === undefined
      ? '  No organization yet: create a franchisee, a legal entity and a connection over the admin API.'
      : `  A menu          curl --compressed '${at.apiUrl}/api/v1/menu?organization_id=${organization}'`,
    '  Ctrl-C stops everything.',
  ];

  for (const line of lines) steps.say(line);
}

/** Our limits have windows of a minute, so a longer wait has another cause. */
const LONGEST_WAIT_SECONDS = 90;

/**
 * Fetches a URL. Retries after 429 and 503 with a `Retry-After` of at most 90 s. The demo has a
 * copy, because its image contains no tools.
 */
export async function patientFetch(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (![429, 503].includes(response.status) || !(seconds <= LONGEST_WAIT_SECONDS))
      return response;

    await response.body?.cancel();
    await delay(Math.max(seconds, 0.2) * 1000);
  }
}

async function firstOrganization(apiUrl: string): Promise<string | undefined> {
  const response = await patientFetch(`${apiUrl}/api/v1/organizations?size=1`);
  if (!response.ok) return undefined;
  return ((await response.json()) as { items: { id: string }[] }).items[0]?.id;
}
