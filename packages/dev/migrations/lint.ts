import { execFile } from 'node:child_process';
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Migration } from '@mikro-orm/migrations';

export type MigrationSql = {
  name: string;
  isTransactional: boolean;
  statements: readonly string[];
};

const ROOT = new URL('../../../', import.meta.url);
const SQUAWK = fileURLToPath(new URL('node_modules/.bin/squawk', ROOT));

/** The migration of release 0.1.0, which was only applied to empty databases. */
const BASE = /_base\.ts$/;

/** Rules about style, and limits that the migrator sets itself (OPS-76). */
const EXCLUDED = [
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-robust-stmts',
  'require-lock-timeout',
  'require-statement-timeout',
];

export async function readMigrations(): Promise<MigrationSql[]> {
  const folder = new URL('migrations/', ROOT);
  const files = (await Array.fromAsync(glob('Migration*.ts', { cwd: folder }))).filter(
    (file) => !BASE.test(file),
  );

  return Promise.all(
    files.sort().map(async (file) => {
      const [Class] = Object.values(
        (await import(new URL(file, folder).href)) as Record<string, unknown>,
      );
      // Generates the statements without a database.
      const migration = new (Class as new (...without: unknown[]) => Migration)({}, {});
      await migration.up();

      return {
        name: file,
        isTransactional: migration.isTransactional(),
        statements: migration.getQueries().map(String),
      };
    }),
  );
}

/**
 * Returns statements that would block guests or break the former release (OPS-78). An exception
 * is a comment `-- squawk-ignore <rule>` in the statement, with the reason in another comment.
 */
export async function lintMigrations(migrations: readonly MigrationSql[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'carte-migrations-'));
  try {
    const findings = await Promise.all(
      [true, false].map(async (isTransactional) => {
        const group = migrations.filter(
          (migration) => migration.isTransactional === isTransactional,
        );
        const files = group.map(({ name }) => join(folder, name.replace(/\.ts$/, '.sql')));
        await Promise.all(
          group.map((migration, at) => writeFile(files[at]!, joinStatements(migration))),
        );

        return files.length === 0 ? [] : squawk(files, isTransactional);
      }),
    );

    return findings.flat();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const joinStatements = ({ statements }: MigrationSql): string =>
  statements.map((statement) => `${statement.trim().replace(/;$/, '')};\n`).join('');

type Finding = { file: string; line: number; rule_name: string; message: string };

/** @throws Error if the linter fails for another reason than findings */
function squawk(files: readonly string[], isTransactional: boolean): Promise<string[]> {
  const args = [
    '--pg-version=18',
    '--reporter=json',
    `--exclude=${EXCLUDED.join(',')}`,
    ...(isTransactional ? ['--assume-in-transaction'] : []),
    ...files,
  ];

  return new Promise((resolve, reject) => {
    execFile(SQUAWK, args, (error, stdout) => {
      if (error !== null && stdout === '') return reject(error);
      const found = JSON.parse(stdout) as Finding[];
      const nameOf = (file: string): string =>
        file.slice(file.lastIndexOf('/') + 1).replace(/\.sql$/, '');
      resolve(
        found.map(
          (each) => `${nameOf(each.file)}:${each.line + 1} ${each.rule_name}: ${each.message}`,
        ),
      );
    });
  });
}
