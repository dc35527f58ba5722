import { wrongDatabaseParameters } from './database-tls.ts';
import { parseDuration } from './duration.ts';
import { productionProblems } from './production-rules.ts';
import { ROW_MARKER } from './secrets.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';

/** How one variable is read: its default, its meaning, and a parser that throws a sentence when the text is wrong. */
type Variable<T> = {
  group: string;
  describe: string;
  fallback: string | null;
  secret?: boolean;
  parse: (text: string) => T;
};

const text = (input: string) => input;
const optional = (input: string) => (input === '' ? null : input);
const integer = (min: number, max: number) => (input: string) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`must be a whole number from ${min} to ${max}`);
  return value;
};
const duration = (input: string) => {
  const value = parseDuration(input);
  if (value === undefined || value === 0) throw new Error('must be a duration such as 45s, 5m or 1h');
  return value;
};
const rate = (input: string) => (input === 'off' ? null : integer(1, 10_000_000)(input));
const flag = (input: string) => {
  if (input !== 'on' && input !== 'off') throw new Error('must be on or off');
  return input === 'on';
};
/** As OpenTelemetry's own tools read it. */
const truth = (input: string) => oneOf('true', 'false')(input.toLowerCase()) === 'true';
const share = (input: string) => {
  const value = Number(input);
  if (input.trim() === '' || !(value >= 0 && value <= 1)) throw new Error('must be a number from 0 to 1');
  return value;
};
/** As Temporal's own tools read it. */
const optionalTruth = (input: string) => {
  if (!['', 'true', 'false'].includes(input)) throw new Error('must be true, false or empty');
  return input === '' ? null : input === 'true';
};
const oneOf =
  <const T extends string>(...values: T[]) =>
  (input: string): T => {
    if (!(values as string[]).includes(input)) throw new Error(`must be one of ${values.join(', ')}`);
    return input as T;
  };
const list = (input: string) =>
  input
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
/** Two are enough to replace one: the ERP sends the old one until it is changed there. */
const webhookSecrets = (input: string) => {
  const secrets = list(input);
  if (secrets.length > 2) throw new Error('must be one secret, or two separated by a comma');
  return secrets;
};
/** As browsers write them: one with a path or a capital would be compared with every request and never be the same. */
const origins = (input: string) => {
  const wrong = list(input).filter((each) => each !== '*' && !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\sA-Z]+$/.test(each));
  if (wrong.length > 0) throw new Error('must list origins such as https://shop.example, in small letters and no path');
  return list(input);
};
const url =
  (...protocols: string[]) =>
  (input: string) => {
    if (!URL.canParse(input) || !protocols.includes(new URL(input).protocol))
      throw new Error(`must be a URL of ${protocols.join(' or ')}`);
    return input.replace(/\/$/, '');
  };
const databaseUrl = (input: string) => {
  const value = url('postgres:', 'postgresql:')(input);
  const problem = wrongDatabaseParameters(value);
  if (problem !== undefined) throw new Error(`must ${problem}`);
  return value;
};
const optionalDatabaseUrl = (input: string) => (input === '' ? null : databaseUrl(input));
const optionalUrl = (input: string) => (input === '' ? null : url('http:', 'https:')(input));
/** As it is: the issuer of a provider is compared letter by letter. */
const optionalIssuer = (input: string) => (optionalUrl(input) === null ? null : input);
const optionalSmtp = (input: string) => (input === '' ? null : url('smtp:', 'smtps:')(input));
const timeOfDay = (input: string) => {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(input);
  if (match === null) throw new Error('must be a time such as 04:30');
  return { hour: Number(match[1]), minute: Number(match[2]) };
};
const timeZone = (input: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: input }).format();
  } catch {
    throw new Error('must be an IANA time zone such as Europe/Moscow');
  }
  return input;
};
const KEY_ID = new RegExp(`^[a-z0-9-]{1,20}(${ROW_MARKER})?$`);
/** `id:base64key,id:base64key`: the first writes, all read. Keys are 32 bytes. */
const encryptionKeys = (input: string) => {
  const keys = list(input).map((entry) => {
    const [id, encoded] = [entry.slice(0, entry.indexOf(':')), entry.slice(entry.indexOf(':') + 1)];
    const key = Buffer.from(encoded, 'base64');
    if (!KEY_ID.test(id) || key.length !== 32) throw new Error('must be a list of id:key with base64 keys of 32 bytes');
    return { id, key };
  });
  if (keys.length === 0) throw new Error('needs at least one key');
  return keys;
};

function define<T>(
  group: string,
  fallback: string | null,
  parse: (input: string) => T,
  describe: string,
  secret = false,
): Variable<T> {
  return { group, fallback, parse, describe, secret };
}

/** Every variable of the product. `.env.example` and `docs/configuration.md` are generated from this table. */
export const VARIABLES = {
  NODE_ENV: define(
    'Process',
    'production',
    oneOf('development', 'test', 'production'),
    'Kind of environment. `production` refuses demo data, failpoints and default secrets. `npm start` is a development environment unless it is told otherwise',
  ),
  LOG_LEVEL: define(
    'Process',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'Lowest level that is logged',
  ),
  BUILD_COMMIT: define(
    'Process',
    '',
    optional,
    'Commit that the release was built from. Shown in `/health/live` and the metric `carte_build_info`; the image sets it',
  ),
  HOST: define('Process', '127.0.0.1', text, 'Address that the port of the API listens on'),
  OPS_HOST: define(
    'Process',
    '127.0.0.1',
    text,
    'Address that the operations port listens on. Metrics and readiness are for the own network',
  ),
  PORT: define('Process', '8080', integer(0, 65535), 'Port of the storefront API and the admin API'),
  OPS_PORT: define('Process', '9464', integer(0, 65535), 'Port of /metrics, /health/live and /health/ready'),
  SHUTDOWN_GRACE: define(
    'Process',
    '10s',
    duration,
    'Time that a process gets to stop; a worker gives up what still runs after three quarters of it',
  ),
  SHUTDOWN_DRAIN: define(
    'Process',
    '1s',
    duration,
    'Time of it for which an API that stops goes on answering and says at /health/ready that it is not ready, so that a balancer takes it out first',
  ),
  CARTE_DATA_DIR: define(
    'Process',
    '.carte',
    text,
    'Folder of local data: embedded database, Temporal, media, generated keys',
  ),
  DATABASE_URL: define(
    'Storage',
    null,
    databaseUrl,
    'PostgreSQL database. `npm start` starts one when the variable is not set. `sslmode` (disable, require, verify-ca or verify-full), `sslrootcert`, `sslcert` and `sslkey` mean what they mean to PostgreSQL',
    true,
  ),
  MIGRATION_DATABASE_URL: define(
    'Storage',
    '',
    optionalDatabaseUrl,
    'The same database for `npm run migrate`, with the role that owns the schema. The role of DATABASE_URL then gets the rights that the processes need and no others. When it is empty, DATABASE_URL is used and the processes may change the schema',
    true,
  ),
  DATABASE_POOL: define(
    'Storage',
    '10',
    integer(4, 200),
    'Database connections of one process. A build needs two, the listeners one each',
  ),
  DATABASE_STATEMENT_TIMEOUT: define(
    'Storage',
    '20s',
    duration,
    'Longest time of one statement. After 5 s more a server that does not answer is taken for lost',
  ),
  MEDIA_DIR: define('Storage', '', optional, 'Folder of media files. The default is `media` in CARTE_DATA_DIR'),
  MEDIA_STORE: define(
    'Storage',
    'disk',
    oneOf('disk', 's3'),
    'Where media files are stored. Several API hosts need s3',
  ),
  MEDIA_S3_ENDPOINT: define('Storage', '', optionalUrl, 'URL of the S3-compatible storage'),
  MEDIA_S3_REGION: define('Storage', 'us-east-1', text, 'Region that the storage expects'),
  MEDIA_S3_BUCKET: define('Storage', 'carte-media', text, 'Bucket of media files'),
  MEDIA_S3_ACCESS_KEY: define('Storage', '', optional, 'Access key of the storage', true),
  MEDIA_S3_SECRET_KEY: define('Storage', '', optional, 'Secret key of the storage', true),
  MEDIA_SWEEP_EVERY: define('Storage', '1h', duration, 'Interval of removing media files that nothing needs'),
  MEDIA_ORPHAN_GRACE: define(
    'Storage',
    '24h',
    duration,
    'Age up to which a media file is kept although nothing needs it',
  ),
  TEMPORAL_ADDRESS: define(
    'Temporal',
    '127.0.0.1:7233',
    text,
    'Address of the Temporal server. `npm start` starts one when the variable is not set',
  ),
  TEMPORAL_NAMESPACE: define('Temporal', 'default', text, 'Namespace of all workflows'),
  TEMPORAL_API_KEY: define('Temporal', '', optional, 'API key for the Temporal server. It is sent over TLS only', true),
  TEMPORAL_TLS: define(
    'Temporal',
    '',
    optionalTruth,
    'Whether connections to Temporal are encrypted, true or false. When it is empty, they are if an API key or another of the TLS settings is set',
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: define(
    'Temporal',
    '',
    optional,
    'File of the authority that has signed the certificate of the Temporal server. The default are the authorities of the system',
  ),
  TEMPORAL_TLS_SERVER_NAME: define(
    'Temporal',
    '',
    optional,
    'Name in the certificate of the Temporal server, when it is not the host of TEMPORAL_ADDRESS',
  ),
  TEMPORAL_TLS_CLIENT_CERT_PATH: define(
    'Temporal',
    '',
    optional,
    'File of the certificate that the product shows to Temporal',
  ),
  TEMPORAL_TLS_CLIENT_KEY_PATH: define('Temporal', '', optional, 'File of the key of TEMPORAL_TLS_CLIENT_CERT_PATH'),
  TEMPORAL_RETENTION: define(
    'Temporal',
    '336h',
    duration,
    'Time for which Temporal keeps the histories of ended workflows, at least 24h. `npm run temporal:prepare` raises it where it is shorter',
  ),
  TEMPORAL_STICKY_TIMEOUT: define(
    'Temporal',
    '5s',
    duration,
    'Time that the next step of a workflow waits for the worker of the last step',
  ),
  TEMPORAL_QUEUE_PREFIX: define(
    'Temporal',
    '',
    text,
    'Prefix of task queue names. Several installations on one Temporal server need a namespace each as well',
  ),
  ERP_URL: define(
    'ERP',
    null,
    url('http:', 'https:'),
    'Base URL of the ERP. `npm start` starts the emulator when the variable is not set',
  ),
  ERP_RATE: define('ERP', '10', rate, 'Requests per second that all processes together send to the ERP, or off'),
  ERP_CONNECT_TIMEOUT: define('ERP', '5s', duration, 'Time-out of connecting to the ERP'),
  ERP_READ_TIMEOUT: define('ERP', '15s', duration, 'Read time-out of all calls except the menu'),
  ERP_MENU_READ_TIMEOUT: define('ERP', '120s', duration, 'Read time-out of a menu answer'),
  ERP_EXCHANGE_LOG: define('ERP', '', optional, 'File of the full exchange log. An empty value switches it off'),
  GEOCODER: define(
    'Addresses',
    'none',
    oneOf('none', 'photon', 'nominatim'),
    'Kind of the geocoder. `npm start` uses the one of the emulator when it starts the emulator',
  ),
  GEOCODER_URL: define('Addresses', '', optionalUrl, 'Base URL of the geocoder'),
  GEOCODER_KEY: define('Addresses', '', optional, 'Key that is sent to the geocoder as the parameter `key`', true),
  GEOCODER_TIMEOUT: define('Addresses', '2s', duration, 'Longest wait for an answer of the geocoder'),
  GEOCODER_CACHE_LIFE: define('Addresses', '720h', duration, 'Life of a stored answer of the geocoder'),
  GEOCODER_CACHE_ROWS: define(
    'Addresses',
    '100000',
    integer(1, 10_000_000),
    'Most answers of the geocoder that are stored. The oldest are deleted first',
  ),
  SYNC_ORGANIZATIONS_EVERY: define('Synchronization', '1h', duration, 'Interval of the organizations import'),
  SYNC_TERMINALS_EVERY: define('Synchronization', '1h', duration, 'Interval of the terminal groups import'),
  SYNC_MENU_LIST_EVERY: define('Synchronization', '1h', duration, 'Interval of the external menus import'),
  SYNC_MENU_EVERY: define('Synchronization', '5m', duration, 'Interval of the incremental menu import'),
  SYNC_STOP_LIST_EVERY: define('Synchronization', '45s', duration, 'Interval of the stop-list import'),
  SYNC_ZONES_EVERY: define('Synchronization', '1h', duration, 'Interval of the delivery zones import'),
  SYNC_MENU_FULL_AT: define('Synchronization', '04:30', timeOfDay, 'Time of the nightly full menu import'),
  SYNC_TIME_ZONE: define(
    'Synchronization',
    'Europe/Moscow',
    timeZone,
    'Time zone of SYNC_MENU_FULL_AT, and of organizations for which neither staff nor the ERP state one',
  ),
  SYNC_ASYNC_POLL: define(
    'Synchronization',
    '2s',
    duration,
    'Interval of polling when the ERP prepares a menu in the background',
  ),
  SYNC_ASYNC_LIMIT: define(
    'Synchronization',
    '3m',
    duration,
    'Longest wait for a menu that the ERP prepares in the background',
  ),
  SYNC_HEARTBEAT: define(
    'Synchronization',
    '15s',
    duration,
    'Time without a sign of life after which a step of an import is started again on any worker',
  ),
  SYNC_RUN_LIMIT: define(
    'Synchronization',
    '1h',
    duration,
    'Time after which an import that has not ended is given up, so that the next one can begin',
  ),
  SNAPSHOT_DEBOUNCE: define('Snapshot', '5s', duration, 'Time without further changes before a menu is rebuilt'),
  SNAPSHOT_DEBOUNCE_MAX: define('Snapshot', '30s', duration, 'Longest time that further changes delay a rebuild'),
  SNAPSHOT_POLL: define(
    'Snapshot',
    '3s',
    duration,
    'Interval at which an API instance checks for publications and edits that it was not notified of',
  ),
  ORDER_WATCH_EVERY: define(
    'Synchronization',
    '30s',
    duration,
    'Interval of asking the ERP what has changed about orders, and which terminals can take new ones',
  ),
  GIFTS_COMPARED_AT: define(
    'Synchronization',
    '05:30',
    timeOfDay,
    'Time in SYNC_TIME_ZONE at which the gifts of the last days are compared with the rights to them',
  ),
  OUTBOX_SWEEP_EVERY: define(
    'Snapshot',
    '10s',
    duration,
    'Interval of delivering events that a crash left in the outbox',
  ),
  RECONCILE_EVERY: define(
    'Snapshot',
    '1m',
    duration,
    'Interval of starting work that the database asks for and no workflow does',
  ),
  ADMIN_EMAIL: define(
    'Access',
    'admin@carte.local',
    text,
    'E-mail of the first administrator. It is used only while nobody can manage users',
  ),
  ADMIN_PASSWORD: define('Access', '', optional, 'Password of the first administrator; generated when empty', true),
  SECOND_FACTOR_FOR_ADMINISTRATORS: define(
    'Access',
    'off',
    flag,
    'Whether users with the permission users.manage who sign in with a password must set up a second factor before anything else',
  ),
  ENCRYPTION_KEYS: define(
    'Access',
    null,
    encryptionKeys,
    `Keys of stored secrets, \`id:base64\` separated by commas. The first key encrypts, all keys decrypt. The id of a new key ends with \`${ROW_MARKER}\`: what it encrypts can be read in its own row alone`,
    true,
  ),
  OIDC_ISSUER: define(
    'Access',
    '',
    optionalIssuer,
    'Issuer of the OpenID Connect provider that staff sign in with. When it is empty, staff sign in with e-mail and password',
  ),
  OIDC_CLIENT_ID: define('Access', '', optional, 'Client id at the provider'),
  OIDC_CLIENT_SECRET: define('Access', '', optional, 'Client secret at the provider', true),
  OIDC_REDIRECT_URL: define(
    'Access',
    '',
    optionalUrl,
    'URL of `/api/admin/v1/auth/oidc/callback` that browsers use and that is registered at the provider',
  ),
  OIDC_DEFAULT_ROLE: define(
    'Access',
    '',
    optional,
    'Code of the role that new users get at their first sign-on. When it is empty, only known users may sign in',
  ),
  OIDC_EMAIL_DOMAINS: define(
    'Access',
    '',
    (input) => list(input.toLowerCase()),
    'Domains of e-mails whose owners get OIDC_DEFAULT_ROLE, separated by commas. In production it is needed with OIDC_DEFAULT_ROLE',
  ),
  CUSTOMER_ISSUER: define(
    'Access',
    '',
    optionalIssuer,
    'Issuer of the OpenID Connect provider that customers of the storefront sign in with. When it is empty, there are only guests',
  ),
  CUSTOMER_AUDIENCE: define('Access', '', optional, 'Audience that the access tokens of customers name'),
  WEBHOOK_SECRET: define(
    'Access',
    '',
    webhookSecrets,
    'Secret of the incoming webhook, or two separated by a comma while one replaces the other. When it is empty, every call is refused',
    true,
  ),
  ADMIN_URL: define(
    'Notifications',
    '',
    optionalUrl,
    'URL of the UI of staff, whose page `/notifications/{id}` the link in a notification leads to. Without it the link is that of the admin API, which a browser cannot open',
  ),
  NOTIFY_WEBHOOK_URL: define(
    'Notifications',
    '',
    optionalUrl,
    'URL that notifications are posted to. Without it and NOTIFY_SMTP_URL they are only stored',
    true,
  ),
  NOTIFY_WEBHOOK_SECRET: define('Notifications', '', optional, 'Bearer token for NOTIFY_WEBHOOK_URL', true),
  NOTIFY_SMTP_URL: define(
    'Notifications',
    '',
    optionalSmtp,
    'Mail server for notifications, `smtp://user:password@host:587` or `smtps://…`. When it is empty, no mail is sent',
    true,
  ),
  NOTIFY_EMAIL_TO: define('Notifications', '', list, 'E-mail addresses that get notifications, separated by commas'),
  NOTIFY_EMAIL_FROM: define('Notifications', '', optional, 'Sender of mailed notifications'),
  PUBLIC_ORIGINS: define('HTTP', '*', origins, 'Origins whose pages may call the storefront API'),
  ADMIN_ORIGINS: define('HTTP', '', origins, 'Origins whose pages may call the admin API'),
  TRUST_PROXY: define(
    'HTTP',
    'off',
    parseTrustedProxies,
    'Proxies that are believed about the client address (X-Forwarded-For): off, how many stand before the API (on is one), or their addresses and networks, separated by commas. `private` stands for all networks that are not routed',
  ),
  COOKIE_SECURE: define(
    'HTTP',
    'on',
    flag,
    'Secure attribute of the refresh cookie. Switch it off only for tests over plain HTTP',
  ),
  RATE_LIMIT_MENU: define(
    'HTTP',
    '60',
    rate,
    'Requests per minute from one client address to /menu of one API process, or off',
  ),
  RATE_LIMIT_PUBLIC: define(
    'HTTP',
    '600',
    rate,
    'Requests per minute from one client address to other public URLs of one API process, or off',
  ),
  RATE_LIMIT_SEARCH: define(
    'HTTP',
    '240',
    rate,
    'Requests per minute from one client address to /search of one API process, or off',
  ),
  RATE_LIMIT_MEDIA: define(
    'HTTP',
    '1200',
    rate,
    'Requests per minute from one client address to /media of one API process, or off. A file that does not exist counts as 25',
  ),
  RATE_LIMIT_DOCUMENTS: define(
    'HTTP',
    '60',
    rate,
    'Requests per minute from one client address to /docs, /problems and descriptions of the API of one API process, or off',
  ),
  RATE_LIMIT_ADDRESSES: define(
    'HTTP',
    '60',
    rate,
    'Requests per minute from one client address to resolve and suggest addresses at one API process, or off',
  ),
  RATE_LIMIT_ORDERING: define(
    'HTTP',
    '120',
    rate,
    'Requests per minute that change a cart or an order, from one client address and for one cart, to all API processes together, or off',
  ),
  RATE_LIMIT_SIGN_IN: define(
    'HTTP',
    '60',
    rate,
    'Requests per minute from one client address to sign in, sign on and replace tokens, to all API processes together, or off',
  ),
  RATE_LIMIT_ADMIN: define(
    'HTTP',
    '600',
    rate,
    'Requests per minute from one user to the admin API of one API process, or off',
  ),
  RATE_LIMIT_WEBHOOK: define(
    'HTTP',
    '3000',
    rate,
    'Requests per minute from one client address to the ERP webhook of one API process, or off',
  ),
  API_DOCS: define(
    'HTTP',
    'all',
    oneOf('all', 'storefront', 'none'),
    'Which descriptions of the API are shown to everybody, with their pages under /docs',
  ),
  PUBLIC_URL: define('HTTP', '', optionalUrl, 'URL under which clients reach the API'),
  OTEL_TRACES_EXPORTER: define(
    'Tracing',
    'none',
    oneOf('none', 'otlp'),
    'Where traces go: `otlp` sends them to OTEL_EXPORTER_OTLP_ENDPOINT. The names and meanings are those of OpenTelemetry',
  ),
  OTEL_SDK_DISABLED: define('Tracing', 'false', truth, 'Whether tracing is off whatever else is said, true or false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: define(
    'Tracing',
    '',
    optionalUrl,
    'Base URL of the receiver of traces; they are posted as JSON to `/v1/traces` below it. When it is empty, `http://localhost:4318`',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: define(
    'Tracing',
    '',
    optionalUrl,
    'The same as a whole URL, for a receiver with another path',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: define(
    'Tracing',
    '',
    optional,
    'Headers for the receiver, as `name=value,name=value`',
    true,
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: define(
    'Tracing',
    '10000',
    integer(1, 60_000),
    'Longest wait for the receiver, in milliseconds',
  ),
  OTEL_SERVICE_NAME: define(
    'Tracing',
    '',
    optional,
    'Name of the process in traces. The default is `carte-api`, or `carte-worker-` and the role',
  ),
  OTEL_RESOURCE_ATTRIBUTES: define(
    'Tracing',
    '',
    optional,
    'What else the traces tell of the process, as `name=value,name=value`',
  ),
  OTEL_TRACES_SAMPLER: define(
    'Tracing',
    'parentbased_always_on',
    oneOf(
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ),
    'Which traces are recorded. `parentbased_traceidratio` records a part of them whole',
  ),
  OTEL_TRACES_SAMPLER_ARG: define('Tracing', '1', share, 'Part of the traces that is recorded, from 0 to 1'),
  OTEL_BSP_SCHEDULE_DELAY: define(
    'Tracing',
    '5000',
    integer(1, 60_000),
    'Interval at which traces are sent, in milliseconds',
  ),
  DEMO: define('Demo', 'on', flag, 'Whether the demo catalogue is created. It needs the embedded emulator'),
  DEMO_SHOP: define(
    'Demo',
    'off',
    flag,
    'Whether the API shows a small shop at `/`. `npm start` switches it on together with the demo catalogue. It is refused in production',
  ),
  CARTE_FAILPOINT: define(
    'Testing',
    '',
    optional,
    'Failpoint at which the process ends itself. It is refused in production',
  ),
} as const satisfies Record<string, Variable<unknown>>;

export type Env = { [K in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[K]['parse']> };

/** All problems of an environment at once, one line each. */
export class EnvironmentError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The environment is not usable:\n${problems.map((each) => `  - ${each}`).join('\n')}`);
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}

/**
 * Parses the environment once into a typed object. Only the `needed` variables without a default must be present.
 * Throws EnvironmentError with the full list of problems; a message never repeats a secret's value.
 */
export function readEnv<const Needed extends keyof typeof VARIABLES>(
  source: Record<string, string | undefined>,
  needed: readonly Needed[] = Object.keys(VARIABLES) as Needed[],
): Pick<Env, Needed> {
  const problems: string[] = [];
  const result: Record<string, unknown> = {};
  for (const name of needed) {
    const variable: Variable<unknown> = VARIABLES[name];
    const raw = source[name] ?? variable.fallback;
    if (raw === null) {
      problems.push(`${name} is missing: ${variable.describe}`);
      continue;
    }
    try {
      result[name] = variable.parse(raw);
    } catch (error) {
      problems.push(`${name}${variable.secret === true ? '' : ` is "${raw}" but`} ${(error as Error).message}`);
    }
  }
  const isProduction = (source['NODE_ENV'] || VARIABLES.NODE_ENV.fallback) === 'production';
  if (isProduction) problems.push(...productionProblems(source));
  // A process is not asked for what it does not read.
  const missing = (names: readonly string[], reason: string): void => {
    for (const name of names)
      if ((needed as readonly string[]).includes(name) && !source[name]) problems.push(`${name} is missing: ${reason}`);
  };
  if (source['MEDIA_STORE'] === 's3')
    missing(['MEDIA_S3_ENDPOINT', 'MEDIA_S3_ACCESS_KEY', 'MEDIA_S3_SECRET_KEY'], 'MEDIA_STORE is s3');
  if (source['OIDC_ISSUER']) {
    missing(['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_REDIRECT_URL', 'ADMIN_ORIGINS'], 'OIDC_ISSUER is set');
    if (source['OIDC_DEFAULT_ROLE'] === 'ADMIN')
      problems.push('OIDC_DEFAULT_ROLE must not be ADMIN: whoever signs on would manage users');
    if (isProduction && source['OIDC_DEFAULT_ROLE']) missing(['OIDC_EMAIL_DOMAINS'], 'OIDC_DEFAULT_ROLE is set');
    if (source['ADMIN_ORIGINS']?.includes('*'))
      problems.push('ADMIN_ORIGINS must name origins: OIDC_ISSUER is set, and browsers are sent back to one of them');
  }
  if (!['', 'none', undefined].includes(source['GEOCODER'])) missing(['GEOCODER_URL'], 'GEOCODER is set');
  if (source['TEMPORAL_TLS'] === 'false' && source['TEMPORAL_API_KEY'])
    problems.push('TEMPORAL_TLS must not be false: TEMPORAL_API_KEY is set');
  for (const [one, other] of [
    ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'],
    ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
  ] as const)
    if (source[one]) missing([other], `${one} is set`);
  if (source['CUSTOMER_ISSUER']) missing(['CUSTOMER_AUDIENCE'], 'CUSTOMER_ISSUER is set');
  if (source['NOTIFY_SMTP_URL']) missing(['NOTIFY_EMAIL_TO', 'NOTIFY_EMAIL_FROM'], 'NOTIFY_SMTP_URL is set');
  if (problems.length > 0) throw new EnvironmentError(problems);
  return result as Pick<Env, Needed>;
}
