import { openOwnDatabase } from '../modules/own-database.ts';
import { migrateUp } from '../platform/db/migrate.ts';
import { grantRights } from '../platform/db/rights.ts';
import { ensureAdministrator } from '../modules/access/ensure-administrator.ts';
import { ensureRoles } from '../modules/access/ensure-roles.ts';
import { readEnv } from '../modules/env.ts';
import { moveReasons } from '../modules/move-reasons.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { createLog } from '../platform/log.ts';
import { describeStartFailure } from '../platform/start-failure.ts';

/**
 * `npm run migrate`: applies pending migrations, moves reasons that former releases stored as
 * text, grants rights, and creates staff roles and, if a password is set, the first
 * administrator.
 */
async function main(): Promise<void> {
  const env = readEnv(process.env, [
    'NODE_ENV',
    'DATABASE_URL',
    'MIGRATION_DATABASE_URL',
    'LOG_LEVEL',
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
    'OIDC_ISSUER',
  ]);

  const log = createLog({ service: 'migrate', level: env.LOG_LEVEL });
  const db = await openOwnDatabase({
    url: env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL,
    setting: env.MIGRATION_DATABASE_URL === null ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL',
    poolSize: 2,
    // Indexing a large table may take very long.
    statementTimeoutMs: 24 * 3_600_000,
    applicationName: 'carte-migrate',
  });

  try {
    const applied = await migrateUp(db, log);
    log.info({ applied }, 'migrations applied');
    const reasons = await moveReasons(db, () =>
      createSecretBox(readEnv(process.env, ['ENCRYPTION_KEYS']).ENCRYPTION_KEYS),
    );
    if (reasons > 0) log.info({ reasons }, 'reasons of staff moved to personal data');

    const [role, owner] = [env.DATABASE_URL, env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL].map(
      roleOf,
    );
    if (role !== undefined && role !== owner) {
      await grantRights(db, role);
      log.info({ role }, 'rights granted to the role of the processes');
    }

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

const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
});
