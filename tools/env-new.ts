import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeStartFailure, StartFailure } from '../platform/start-failure.ts';

const USAGE = `Usage: npm run carte -- env:new --erp-url <url> --storefront <https://…> --staff <https://…>
         --admin-email <email> [--file .env]

Writes a complete file of settings for docker compose, with new secrets. --storefront and --staff are the origins
of your pages; their API hosts are set with STOREFRONT_HOST and ADMIN_HOST. An existing file is never changed.`;

const secret = (bytes = 24) => randomBytes(bytes).toString('base64url');

/** Secrets in the order of docker-compose.yml. */
function newSecrets(): Record<string, string> {
  return {
    ENCRYPTION_KEYS: `k1@row:${randomBytes(32).toString('base64')}`,
    POSTGRES_PASSWORD: secret(),
    CARTE_OWNER_PASSWORD: secret(),
    CARTE_APP_PASSWORD: secret(),
    TEMPORAL_DATABASE_PASSWORD: secret(),
    MEDIA_S3_ACCESS_KEY: secret(12),
    MEDIA_S3_SECRET_KEY: secret(),
    WEBHOOK_SECRET: secret(),
    ADMIN_PASSWORD: secret(18),
    MONITOR_PASSWORD: secret(),
    GRAFANA_ADMIN_PASSWORD: secret(),
  };
}

/**
 * Validates an http or https URL. An origin must have no path. Throws StartFailure with the
 * option's name.
 */
function url(option: string, value: string | undefined, isOrigin: boolean): string {
  const parsed = URL.parse(value ?? '');
  if (
    parsed === null ||
    !/^https?:$/.test(parsed.protocol) ||
    (isOrigin && parsed.origin !== value)
  )
    throw new StartFailure(
      `--${option} must be ${isOrigin ? 'an origin such as https://shop.example.com' : 'a URL'}.\n\n${USAGE}`,
    );

  return value!;
}

/**
 * `npm run carte -- env:new`: writes the settings that docker compose requires (OPS-86), with
 * file mode 0600. Exits with 1 for an invalid option or an existing file.
 */
async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      'erp-url': text,
      storefront: text,
      staff: text,
      'admin-email': text,
      file: { type: 'string', default: '.env' },
    },
  });

  const email = values['admin-email'] ?? '';
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new StartFailure(`--admin-email must be an email address.\n\n${USAGE}`);
  const settings = {
    ERP_URL: url('erp-url', values['erp-url'], false),
    PUBLIC_ORIGINS: url('storefront', values.storefront, true),
    ADMIN_ORIGINS: url('staff', values.staff, true),
    ADMIN_EMAIL: email,
    ...newSecrets(),
  };

  const lines = [
    '# Settings of docker compose. Keep a copy of ENCRYPTION_KEYS apart from backups of the database: without it they',
    '# cannot be read. All other settings: .env.example and docs/configuration.md.',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ];

  await writeFile(values.file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST'
        ? new StartFailure(`${values.file} exists and was left as it is.`)
        : error;
    },
  );

  process.stdout.write(
    `Wrote ${values.file}. The first administrator is ${email} with ADMIN_PASSWORD from it.\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
});
