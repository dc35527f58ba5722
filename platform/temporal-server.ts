import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { TemporalEnv } from './env/temporal.ts';
import { StartFailure } from './start-failure.ts';

/** Names of Temporal's tools (OPS-29). */
export const TEMPORAL_SERVER = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
] as const satisfies readonly (keyof TemporalEnv)[];

export type TemporalServer = {
  address: string;
  namespace: string;
  tls?: TLSConfig;
  apiKey?: string;
};

/**
 * Uses TLS if TEMPORAL_TLS is true, or empty while another setting needs TLS. Throws StartFailure
 * for an unreadable file.
 */
export function temporalServer(
  env: Pick<TemporalEnv, (typeof TEMPORAL_SERVER)[number]>,
): TemporalServer {
  const at = { address: env.TEMPORAL_ADDRESS, namespace: env.TEMPORAL_NAMESPACE };
  const wishes = TEMPORAL_SERVER.slice(2).some((name) => env[name] !== null);
  if (!(env.TEMPORAL_TLS ?? wishes)) return at;
  const authority = readNamedFile(env, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const [crt, key] = [
    readNamedFile(env, 'TEMPORAL_TLS_CLIENT_CERT_PATH'),
    readNamedFile(env, 'TEMPORAL_TLS_CLIENT_KEY_PATH'),
  ];

  return {
    ...at,
    ...(env.TEMPORAL_API_KEY === null ? {} : { apiKey: env.TEMPORAL_API_KEY }),
    tls: {
      ...(authority === null ? {} : { serverRootCACertificate: authority }),
      ...(env.TEMPORAL_TLS_SERVER_NAME === null
        ? {}
        : { serverNameOverride: env.TEMPORAL_TLS_SERVER_NAME }),
      ...(crt === null || key === null ? {} : { clientCertPair: { crt, key } }),
    },
  };
}

function readNamedFile<Name extends keyof TemporalEnv>(
  env: Pick<TemporalEnv, Name>,
  name: Name,
): Buffer | null {
  const path = env[name] as string | null;
  if (path === null) return null;
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StartFailure(`The file "${path}" of ${name} cannot be read.`, { cause });
  }
}
