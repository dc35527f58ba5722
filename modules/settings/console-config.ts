import type { Sql } from '../../platform/db/database.ts';
import { readSettings } from './read-settings.ts';
import type { ConsoleConfig } from './schemas/console-config.ts';

type ConsoleDeps = {
  db: Sql;
  env: { OIDC_ISSUER: string | null; TEMPORAL_NAMESPACE: string; DOCS_SITE: boolean };
};

/**
 * Returns the configuration of the staff UI. Only signed-in users receive server URLs (OPS-199).
 */
export async function consoleConfig(
  { db, env }: ConsoleDeps,
  isSignedIn: boolean,
): Promise<ConsoleConfig> {
  const settings = await readSettings(db, 'chain_name', 'map_tiles', 'temporal_ui_url');
  const { map_tiles: mapTiles, temporal_ui_url: temporal } = settings;
  const isOn = env.OIDC_ISSUER !== null;

  return {
    chainName: settings.chain_name,
    languages: ['ru', 'en'],
    signOn: { isOn, startPath: isOn ? '/api/admin/v1/auth/oidc/start' : null },
    docsPath: env.DOCS_SITE ? '/docs' : null,
    mapTiles: isSignedIn ? mapTiles : null,
    temporal:
      !isSignedIn || temporal === null
        ? null
        : { url: temporal.replace(/\/+$/, ''), namespace: env.TEMPORAL_NAMESPACE },
  };
}
