import { wrongDatabaseParameters } from '../database-tls.ts';
import { ROW_MARKER } from '../secrets.ts';
import { define, group, duration, integer, list, url } from './variables.ts';

const databaseUrl = (input: string) => {
  const value = url('postgres:', 'postgresql:')(input);
  const problem = wrongDatabaseParameters(value);
  if (problem !== undefined) throw new Error(`must ${problem}`);
  return value;
};

const optionalDatabaseUrl = (input: string) => (input === '' ? null : databaseUrl(input));
const KEY_ID = new RegExp(`^[a-z0-9-]{1,20}(${ROW_MARKER})?$`);

/** `id:base64key,id:base64key`: the first key writes, all read. 32 bytes each. */
const encryptionKeys = (input: string) => {
  const keys = list(input).map((entry) => {
    const [id, encoded] = [entry.slice(0, entry.indexOf(':')), entry.slice(entry.indexOf(':') + 1)];
    const key = Buffer.from(encoded, 'base64');
    if (!KEY_ID.test(id) || key.length !== 32)
      throw new Error('must be a list of id:key with base64 keys of 32 bytes');
    return { id, key };
  });
  if (keys.length === 0) throw new Error('needs at least one key');

  return keys;
};

export const DATABASE_VARIABLES = group('Storage', {
  DATABASE_URL: define(
    null,
    databaseUrl,
    'PostgreSQL database. `npm start` starts one by default. `sslmode` (disable, require, verify-ca or verify-full), `sslrootcert`, `sslcert` and `sslkey` are those of PostgreSQL',
    { secret: true },
  ),
  MIGRATION_DATABASE_URL: define(
    '',
    optionalDatabaseUrl,
    'The same database for `npm run migrate`, with the role that owns the schema. The role of DATABASE_URL then has only the rights that processes need. If empty, DATABASE_URL is used and processes may change the schema',
    { secret: true },
  ),
  DATABASE_POOL: define(
    '10',
    integer(4, 200),
    'Database connections of one process. A build needs two, the listeners one each',
  ),
  DATABASE_STATEMENT_TIMEOUT: define(
    '20s',
    duration,
    'Time limit of a statement. 5 s later the connection counts as lost',
  ),
  ENCRYPTION_KEYS: define(
    null,
    encryptionKeys,
    `Keys of stored secrets, \`id:base64\` separated by commas. The first key encrypts, all keys decrypt. The id of a new key ends with \`${ROW_MARKER}\`: what it encrypts can be read in its own row alone`,
    { secret: true },
  ),
});
