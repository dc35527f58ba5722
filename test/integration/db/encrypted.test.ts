import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openOwnDatabase } from '../../../modules/own-database.ts';
import type { Postgres } from '../../../tools/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';
import { certificate } from '../../support/tls-certificates.ts';
import { BY_CERTIFICATE, startTlsPostgres } from '../../support/tls-postgres.ts';
import { openDatabase } from '../../support/text-database.ts';

let server: Postgres;
beforeAll(async () => {
  server = await startTlsPostgres();
});
afterAll(() => server.stop());

const authority = certificate('authority.pem');
const another = certificate('another-authority.pem');

function urlWith(
  parameters: Record<string, string>,
  parts: { hostname?: string; username?: string } = {},
): string {
  const url = Object.assign(new URL(server.url), parts);
  url.search = new URLSearchParams(parameters).toString();
  return url.href;
}

/** Returns the user of the process's connection, and whether the connection is encrypted. */
async function connected(url: string): Promise<unknown> {
  const db = await openDatabase({ url, poolSize: 1 });
  try {
    const [row] = await db.query(
      'select ssl, current_user::text as name from pg_stat_ssl where pid = pg_backend_pid()',
    );
    return row;
  } finally {
    await db.close();
  }
}

const refusal = async (url: string): Promise<string> =>
  openOwnDatabase({ url, poolSize: 1 }).then(
    async (db) => {
      await db.close();
      return 'connected';
    },
    (error: Error) => error.message,
  );

describe('sslmode of DATABASE_URL', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['none is not encrypted', {}, false],
    ['disable is not encrypted', { sslmode: 'disable' }, false],
    ['[OPS-28] require is encrypted', { sslmode: 'require' }, true],
    [
      'require with an authority is encrypted',
      { sslmode: 'require', sslrootcert: authority },
      true,
    ],
    [
      'verify-ca is encrypted, whatever the server is called',
      { sslmode: 'verify-ca', sslrootcert: authority },
      true,
    ],
  ])('%s', async (_, parameters, ssl) => {
    expect(await connected(urlWith(parameters))).toEqual({ ssl, name: 'postgres' });
  });

  test('[OPS-28] verify-full encrypts if the certificate names the host', async () => {
    const url = urlWith(
      { sslmode: 'verify-full', sslrootcert: authority },
      { hostname: 'localhost' },
    );

    expect(await connected(url)).toEqual({ ssl: true, name: 'postgres' });
  });

  test('a client certificate authenticates the connection', async () => {
    const parameters = { sslmode: 'verify-ca', sslrootcert: authority };
    const own = { sslcert: certificate('client.pem'), sslkey: certificate('client.key') };

    expect(
      await connected(urlWith({ ...parameters, ...own }, { username: BY_CERTIFICATE })),
    ).toEqual({
      ssl: true,
      name: BY_CERTIFICATE,
    });
    expect(await refusal(urlWith(parameters, { username: BY_CERTIFICATE }))).toContain(
      'rejects the user',
    );
  });

  test.each<[string, Record<string, string>]>([
    [
      '[OPS-28] verify-full refuses another host',
      { sslmode: 'verify-full', sslrootcert: authority },
    ],
    ['verify-full refuses another authority', { sslmode: 'verify-full', sslrootcert: another }],
    [
      'verify-full refuses what the system does not know',
      { sslmode: 'verify-full', sslrootcert: 'system' },
    ],
    ['verify-full without an authority means those of the system', { sslmode: 'verify-full' }],
    ['verify-ca refuses another authority', { sslmode: 'verify-ca', sslrootcert: another }],
    [
      'require refuses another authority when it is told one',
      { sslmode: 'require', sslrootcert: another },
    ],
  ])('%s', async (_, parameters) => {
    const url = urlWith(parameters);

    expect(await refusal(url)).toBe(
      `The database "postgres" at ${new URL(url).host} shows a certificate that sslmode and sslrootcert do not allow; check DATABASE_URL.`,
    );
  });

  test.each(['require', 'verify-ca', 'verify-full'])(
    '[OPS-28] %s rejects a server that does not encrypt',
    async (sslmode) => {
      const plain = await testDatabase();
      try {
        const url = new URL(plain.url);
        url.search = new URLSearchParams({ sslmode, sslrootcert: authority }).toString();

        expect(await refusal(url.href)).toBe(
          `The database "${plain.name}" at ${url.host} does not encrypt its connections, which sslmode demands; check DATABASE_URL.`,
        );
      } finally {
        await plain.drop();
      }
    },
  );

  test('an unreadable file is named', async () => {
    expect(
      await refusal(urlWith({ sslmode: 'verify-full', sslrootcert: '/nowhere/authority.pem' })),
    ).toBe('The file "/nowhere/authority.pem" of sslrootcert in DATABASE_URL cannot be read.');
  });
});
