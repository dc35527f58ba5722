import { rotateSecrets } from '../modules/rotate-secrets.ts';
import { requireKnownKey } from '../kernel/running-process.ts';
import { openOwnDatabase } from '../modules/own-database.ts';
import { readEnv } from '../modules/env.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { describeStartFailure } from '../platform/start-failure.ts';

/**
 * `npm run secrets:rotate`: encrypts stored secrets with the first key of ENCRYPTION_KEYS and
 * prints counts per table. Exits with 1 if a text needs an unlisted key, or, before any write, if
 * a process runs without the first key.
 */
async function main(): Promise<void> {
  const env = readEnv(process.env, ['DATABASE_URL', 'ENCRYPTION_KEYS']);
  const secrets = createSecretBox(env.ENCRYPTION_KEYS);
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 2,
    applicationName: 'carte-rotate',
  });

  try {
    await requireKnownKey(db, secrets);
    const counts = await rotateSecrets({ db, secrets });
    for (const count of counts) process.stdout.write(`${JSON.stringify(count)}\n`);
    if (counts.some(({ unreadable }) => unreadable > 0)) {
      process.stderr.write(
        'Some secrets are encrypted with a key that ENCRYPTION_KEYS does not have: add it and repeat.\n',
      );
      process.exitCode = 1;
    }
  } finally {
    await db.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
});
