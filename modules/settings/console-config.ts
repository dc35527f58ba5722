import type { ConsoleConfig } from './schemas/console-config.ts';
import type { ConsoleEnv } from './env.ts';

type ConsoleDeps = ConsoleEnv & { OIDC_ISSUER: string | null; TEMPORAL_NAMESPACE: string; DOCS_SITE: boolean };

/**
 * The configuration of the staff UI; addresses of servers are only for users who are signed in
 * (rule OPS-199).
 */
export function consoleConfig(env: ConsoleDeps, isSignedIn: boolean): ConsoleConfig {
  const isOn = env.OIDC_ISSUER !== null;
  const { MAP_TILES_URL: tiles, TEMPORAL_UI_URL: temporal } = env;
  return {
    chainName: env.CHAIN_NAME,
    languages: ['ru', 'en'],
    signOn: { isOn, startPath: isOn ? '/api/admin/v1/auth/oidc/start' : null },
    docsPath: env.DOCS_SITE ? '/docs' : null,
    mapTiles: !isSignedIn || tiles === null ? null : { url: tiles, attribution: env.MAP_TILES_ATTRIBUTION },
    temporal: !isSignedIn || temporal === null ? null : { url: temporal, namespace: env.TEMPORAL_NAMESPACE },
  };
}
