import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../../platform/start-failure.ts';

/** Created once per data folder. `adminPassword` is null if it was configured. */
export type LocalSecrets = {
  encryptionKeys: string;
  adminPassword: string | null;
  webhookSecret: string;
};

/**
 * Reads or creates the secrets (file mode 0600), without an administrator's password if
 * `hasPassword`. Throws StartFailure if the file is damaged.
 */
export async function localSecrets(dataDir: string, hasPassword = false): Promise<LocalSecrets> {
  const file = join(dataDir, 'secrets.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

  if (text !== null) {
    try {
      return JSON.parse(text) as LocalSecrets;
    } catch {
      throw new StartFailure(
        `${file} is damaged; restore it, or delete the whole data folder to start over.`,
      );
    }
  }

  const secrets: LocalSecrets = {
    encryptionKeys: `local-1@row:${randomBytes(32).toString('base64')}`,
    adminPassword: hasPassword ? null : randomBytes(12).toString('base64url'),
    webhookSecret: randomBytes(24).toString('base64url'),
  };

  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });

  return secrets;
}
