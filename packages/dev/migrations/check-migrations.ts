import { lintMigrations, readMigrations } from './lint.ts';

/** Rejects migrations that lock tables for long or break the former release (OPS-78). */
const migrations = await readMigrations();
const findings = await lintMigrations(migrations);
for (const finding of findings) console.error(finding);
if (findings.length > 0 || migrations.length === 0) process.exitCode = 1;
