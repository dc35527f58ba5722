import { freeLowPort } from '../../tools/ports.ts';
import { startEntry, type Started } from './processes.ts';

export type LoneApi = { api: Started; port: number; opsPort: number };

/** Does not wait until the API is ready. */
export async function startLoneApi(
  { databaseUrl, folder }: { databaseUrl: string; folder: string },
  env: Record<string, string> = {},
): Promise<LoneApi> {
  const [port, opsPort] = [await freeLowPort(), await freeLowPort()];
  const api = startEntry('api', 'api/main.ts', [], {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    ERP_URL: 'http://127.0.0.1:9',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 3).toString('base64')}`,
    CARTE_DATA_DIR: folder,
    PORT: String(port),
    OPS_PORT: String(opsPort),
    SHUTDOWN_DRAIN: '1ms',
    ...env,
  });
  return { api, port, opsPort };
}
