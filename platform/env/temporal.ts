import {
  constant,
  define,
  group,
  duration,
  optional,
  optionalTruth,
  text,
  type ValuesOf,
  type Demand,
} from './variables.ts';

export const TEMPORAL_VARIABLES = group('Temporal', {
  TEMPORAL_ADDRESS: define(
    '127.0.0.1:7233',
    text,
    'Address of the Temporal server. `npm start` starts one by default',
  ),
  TEMPORAL_NAMESPACE: define('default', text, 'Namespace of all workflows'),
  TEMPORAL_API_KEY: define('', optional, 'API key for the Temporal server, sent over TLS only', {
    secret: true,
  }),
  TEMPORAL_TLS: define(
    '',
    optionalTruth,
    'Encryption of connections to Temporal, true or false. If empty, true with an API key or another TLS setting',
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: define(
    '',
    optional,
    'File of the certificate authority of the Temporal server. The default is the authorities of the system',
  ),
  TEMPORAL_TLS_SERVER_NAME: define(
    '',
    optional,
    'Name in the certificate of the Temporal server, if it differs from TEMPORAL_ADDRESS',
  ),
  TEMPORAL_TLS_CLIENT_CERT_PATH: define(
    '',
    optional,
    'File of the client certificate for Temporal',
  ),
  TEMPORAL_TLS_CLIENT_KEY_PATH: define(
    '',
    optional,
    'File of the key of TEMPORAL_TLS_CLIENT_CERT_PATH',
  ),
  TEMPORAL_RETENTION: define(
    '336h',
    duration,
    'Time for which Temporal keeps ended workflows, at least 24h. `npm run temporal:prepare` only raises it',
  ),
  TEMPORAL_STICKY_TIMEOUT: constant(
    '5s',
    duration,
    'Time that the next step of a workflow waits for the worker of the last step',
  ),
  TEMPORAL_QUEUE_PREFIX: define(
    '',
    text,
    'Prefix of task queue names. Installations on one Temporal server also need separate namespaces',
  ),
});

export type TemporalEnv = ValuesOf<typeof TEMPORAL_VARIABLES>;

export const TEMPORAL_DEMANDS: readonly Demand[] = [
  {
    when: ({ TEMPORAL_TLS: tls, TEMPORAL_API_KEY: key }) => tls === 'false' && Boolean(key),
    problem: 'TEMPORAL_TLS must not be false: TEMPORAL_API_KEY is set',
  },
  {
    when: ({ TEMPORAL_TLS_CLIENT_CERT_PATH: path }) => Boolean(path),
    needs: ['TEMPORAL_TLS_CLIENT_KEY_PATH'],
    because: 'TEMPORAL_TLS_CLIENT_CERT_PATH is set',
  },
  {
    when: ({ TEMPORAL_TLS_CLIENT_KEY_PATH: path }) => Boolean(path),
    needs: ['TEMPORAL_TLS_CLIENT_CERT_PATH'],
    because: 'TEMPORAL_TLS_CLIENT_KEY_PATH is set',
  },
];
