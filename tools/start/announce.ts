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
  /** Undefined when the product works with another ERP. */
  emulatorUrl: string | undefined;
  /** Undefined if customers use another provider, or none. */
  customersUrl: string | undefined;
  email: string;
  /**
   * The printed text in place of the password, or the password itself when this start created it.
   */
  password: string;
};

/**
 * A busy machine builds the menus of a whole chain slowly, and what a lost hint left waits a minute
 * for the reconciler.
 */
const PATIENCE_MS = 300_000;
/**
 * A guest may read 60 menus per minute: quick at first, then a third of that, so a person may read
 * too.
 */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 3_000;

/** Milliseconds before each read of a menu that is waited for, without an end. */
export function* pausesOfReads(): Generator<number> {
  yield 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) yield pause;
}

/**
 * Waits until the storefront API serves a menu of some organization and no menu is waiting for a
 * build, polling with growing pauses and respecting `Retry-After`. Throws StartFailure after five
 * minutes.
 */
export async function firstMenu(apiUrl: string, opsUrl: string): Promise<void> {
  let organization: string | undefined;
  const deadline = Date.now() + PATIENCE_MS;
  for (const pause of pausesOfReads()) {
    if (Date.now() > deadline) break;
    await delay(pause);
    organization ??= await firstOrganization(apiUrl);
    // A menu that was built in the middle of the demo's edits shows a part of them.
    if (organization === undefined || (await areMenusBehind(opsUrl))) continue;
    const response = await patientFetch(`${apiUrl}/api/v1/menu?organization_id=${organization}`);
    const menu = response.ok ? ((await response.json()) as { products: unknown[] }) : null;
    if (menu !== null && menu.products.length > 0) return;
  }
  throw new StartFailure(
    'No menu was served within five minutes; the run journal (GET /api/admin/v1/sync/runs) shows the cause.',
  );
}

/** Returns whether a menu still waits to be built. */
async function areMenusBehind(opsUrl: string): Promise<boolean> {
  const metrics = await (await patientFetch(`${opsUrl}/metrics`)).text();
  return !/^carte_snapshot_dirty(\{[^}]*\})? 0$/m.test(metrics);
}

/** Prints where everything is and how to see a menu. */
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
    ...(at.customersUrl === undefined ? [] : [`  Customers       ${at.customersUrl} signs in any phone`]),
    `  Metrics         ${at.opsUrl}/metrics (API) and ${at.workerOpsUrl}/metrics (worker)`,
    `  Administrator   ${at.email}  ${at.password}`,
    organization === undefined
      ? '  No organization yet: create a franchisee, a legal entity and a connection over the admin API.'
      : `  A menu          curl --compressed '${at.apiUrl}/api/v1/menu?organization_id=${organization}'`,
    '  Ctrl-C stops everything.',
  ];
  for (const line of lines) steps.say(line);
}

/** The product's windows are a minute long; a longer wait has another cause. */
const LONGEST_WAIT_SECONDS = 90;

/**
 * Fetches a URL. Repeats after an answer 429 or 503 with a `Retry-After` of at most 90 seconds. The
 * demo has its own, because its image contains no tools.
 */
export async function patientFetch(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (![429, 503].includes(response.status) || !(seconds <= LONGEST_WAIT_SECONDS)) return response;

    await response.body?.cancel();
    await delay(Math.max(seconds, 0.2) * 1000);
  }
}

async function firstOrganization(apiUrl: string): Promise<string | undefined> {
  const response = await patientFetch(`${apiUrl}/api/v1/organizations?size=1`);
  if (!response.ok) return undefined;
  return ((await response.json()) as { items: { id: string }[] }).items[0]?.id;
}
