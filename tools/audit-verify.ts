import { verifyAudit } from '../modules/access/audit/verify-audit.ts';
import type { AuditSeal } from '../modules/access/audit/seal-audit.ts';
import { openOwnDatabase } from '../modules/own-database.ts';
import { readEnv } from '../modules/env.ts';
import { describeStartFailure, StartFailure } from '../platform/start-failure.ts';

const EXPECT = '--expect';

/** Parses `--expect <position>:<digest>`, null without it. Throws StartFailure. */
function parseExpected(options: readonly string[]): AuditSeal | null {
  if (options.length === 0) return null;
  const [option, place = '', ...others] = options;
  const [, position, digest] = /^(\d{1,15}):([\da-f]{64})$/.exec(place) ?? [];
  if (option !== EXPECT || position === undefined || digest === undefined || others.length > 0)
    throw new StartFailure(`The only option is ${EXPECT} <position>:<digest>, both from the log.`);

  return { position: Number(position), digest };
}

/**
 * `npm run audit:verify [-- --expect <position>:<digest>]`: verifies the digest chain of the
 * audit and prints its end. Exits with 1 if an entry was changed or removed.
 */
async function main(): Promise<void> {
  const expected = parseExpected(process.argv.slice(2));
  const env = readEnv(process.env, ['DATABASE_URL']);
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: 1,
    applicationName: 'carte-audit',
  });

  try {
    const { end, fault } = await verifyAudit(db, expected);
    process.stdout.write(`${JSON.stringify({ ...end, fault })}\n`);
    if (fault !== null) {
      process.stderr.write(
        'The audit was changed after it was sealed: see docs/runbooks/procedures.md.\n',
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
