import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { StartFailure } from './start-failure.ts';

const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Parameter = (typeof PARAMETERS)[number];
type Parameters = Partial<Record<Parameter, string>>;

/** Excludes `allow` and `prefer`, which attackers can downgrade. */
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

const SYSTEM = 'system';

const parseParameters = (url: string): Parameters => Object.fromEntries(new URL(url).searchParams);

/** Returns the end of a sentence with "must", or undefined if valid (OPS-28). */
export function wrongDatabaseParameters(url: string): string | undefined {
  const unknown = Object.keys(parseParameters(url)).filter(
    (name) => !(PARAMETERS as readonly string[]).includes(name),
  );
  const { sslmode, sslrootcert, sslcert, sslkey } = parseParameters(url);
  const files = [sslrootcert, sslcert, sslkey].some((entry) => entry !== undefined);
  const wrong: readonly (readonly [boolean, string])[] = [
    [unknown.length > 0, `have no parameter but ${PARAMETERS.join(', ')}`],
    [
      sslmode !== undefined && !MODES.includes(sslmode),
      `have one of ${MODES.join(', ')} as sslmode`,
    ],
    [sslmode === undefined && files, 'have an sslmode in addition to the certificate files'],
    [
      sslmode === 'verify-ca' && (sslrootcert ?? SYSTEM) === SYSTEM,
      'name a file as sslrootcert together with verify-ca',
    ],
    [
      sslrootcert === SYSTEM && sslmode !== 'verify-full',
      'have verify-full as sslmode together with the authorities of the system',
    ],
    [(sslcert === undefined) !== (sslkey === undefined), 'have sslcert and sslkey together'],
  ];

  return wrong.find(([applies]) => applies)?.[1];
}

/**
 * Returns TLS options (OPS-28): false for plain text, undefined for the driver's default. Throws
 * StartFailure for unsupported parameters and unreadable files.
 */
export function databaseTls(url: string): ConnectionOptions | false | undefined {
  const problem = wrongDatabaseParameters(url);
  if (problem !== undefined) throw new StartFailure(`DATABASE_URL must ${problem}.`);
  const parameters = parseParameters(url);
  const { sslmode, sslrootcert } = parameters;
  if (sslmode === undefined) return undefined;
  if (sslmode === 'disable') return false;
  const ca = sslrootcert === SYSTEM ? undefined : readNamedFile(parameters, 'sslrootcert');
  const [cert, key] = [readNamedFile(parameters, 'sslcert'), readNamedFile(parameters, 'sslkey')];

  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    // As in PostgreSQL's clients, `require` verifies only with an authority.
    rejectUnauthorized: sslmode !== 'require' || ca !== undefined,
    ...(sslmode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

function readNamedFile(parameters: Parameters, name: Parameter): string | undefined {
  const path = parameters[name];
  if (path === undefined) return undefined;

  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartFailure(`The file "${path}" of ${name} in DATABASE_URL cannot be read.`, {
      cause,
    });
  }
}
