import { rotateKeys } from '../modules/access/rotate-keys.ts';
import { requireKnownKey } from '../kernel/running-process.ts';
import { openOwnDatabase } from '../modules/own-database.ts';
import { readEnv } from '../modules/env.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { describeStartFailure, StartFailure } from '../platform/start-failure.ts';

const COMPROMISED = '--compromised';

/**
 * `npm run keys:rotate [-- --compromised]`: replaces the keys of staff tokens. `--compromised`
 * ends every session. Prints counts.
 */
async function main(): Promise<void> {
  const options = process.argv.slice(2);
  const unknown = options.find((option) => option !== COMPROMISED);
  if (unknown !== undefined)
    throw new StartFailure(`There is no option ${unknown}. The only one is ${COMPROMISED}.`);
  const env = readEnv(process.env, ['DATABASE_URL', 'ENCRYPTION_KEYS']);
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 2,
    applicationName: 'carte-keys',
  });

  try {
    const secrets = createSecretBox(env.ENCRYPTION_KEYS);
    await requireKnownKey(db, secrets);
    const done = await rotateKeys(
      { db, secrets },
      { isCompromised: options.includes(COMPROMISED) },
    );
    process.stdout.write(`${JSON.stringify(done)}\n`);
  } finally {
    await db.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
});
