import { openOwnDatabase } from '../db/own-database.ts';
import { migrateUp } from '../db/migrate.ts';
import { ensureAdministrator } from '../app/access/ensure-administrator.ts';
import { ensureRoles } from '../app/access/ensure-roles.ts';
import { readEnv } from '../platform/env.ts';
import { createLog } from '../platform/log.ts';
import { describeStartFailure } from '../platform/start-failure.ts';

/** `npm run migrate`: applies pending migrations, then the roles and, when a password is set, the first administrator. */
async function main(): Promise<void> {
  const env = readEnv(process.env, [
    'NODE_ENV',
    'DATABASE_URL',
    'LOG_LEVEL',
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
    'OIDC_ISSUER',
  ]);
  const log = createLog({ service: 'migrate', level: env.LOG_LEVEL });
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 2,
    // An index of a large table takes as long as it takes.
    statementTimeoutMs: 24 * 3_600_000,
    applicationName: 'carte-migrate',
  });
  try {
    const applied = await migrateUp(db);
    log.info({ applied }, 'migrations applied');
    await ensureRoles({ db });
    if (env.ADMIN_PASSWORD !== null)
      await ensureAdministrator(
        { db, signOn: env.OIDC_ISSUER !== null, refuses: env.NODE_ENV === 'production' },
        { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD },
      );
  } finally {
    await db.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
});
