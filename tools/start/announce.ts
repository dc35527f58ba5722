import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../../platform/start-failure.ts';
import type { Steps } from './steps.ts';

type Addresses = {
  apiUrl: string;
  opsUrl: string;
  workerOpsUrl: string;
  temporalUi: string | undefined;
  email: string;
  password: string;
};

/** A busy machine builds the menus of a whole chain slowly, and what a lost hint left waits a minute for the reconciler. */
const PATIENCE_MS = 300_000;

/** Waits until the public contour serves a menu of some organization. Throws StartFailure after five minutes. */
export async function firstMenu(apiUrl: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(200)) {
    const organization = await firstOrganization(apiUrl);
    if (organization === undefined) continue;
    const response = await fetch(`${apiUrl}/api/v1/menu?organization_id=${organization}`);
    const menu = response.ok ? ((await response.json()) as { products: unknown[] }) : null;
    if (menu !== null && menu.products.length > 0) return;
  }
  throw new StartFailure(
    'No menu was served within five minutes; the run journal (GET /api/admin/v1/sync/runs) says why.',
  );
}

/** Prints where everything is and how to see a menu. */
export async function announce(steps: Steps, at: Addresses): Promise<void> {
  const organization = await firstOrganization(at.apiUrl);
  const lines = [
    '',
    'Carte is ready.',
    `  API             ${at.apiUrl}/api/v1 and ${at.apiUrl}/api/admin/v1`,
    `  API reference   ${at.apiUrl}/docs`,
    `  Temporal UI     ${at.temporalUi ?? 'of the server at TEMPORAL_ADDRESS'}`,
    `  Metrics         ${at.opsUrl}/metrics (API) and ${at.workerOpsUrl}/metrics (worker)`,
    `  Administrator   ${at.email}  ${at.password}`,
    organization === undefined
      ? '  No organization yet: create a franchisee, a legal entity and a connection over the admin API.'
      : `  A menu          curl --compressed '${at.apiUrl}/api/v1/menu?organization_id=${organization}'`,
    '  Ctrl-C stops everything.',
  ];
  for (const line of lines) steps.say(line);
}

async function firstOrganization(apiUrl: string): Promise<string | undefined> {
  const response = await fetch(`${apiUrl}/api/v1/organizations?size=1`);
  if (!response.ok) return undefined;
  return ((await response.json()) as { items: { id: string }[] }).items[0]?.id;
}
