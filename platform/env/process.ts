import {
  define,
  group,
  duration,
  integer,
  oneOf,
  optional,
  text,
  FORBIDDEN,
  type ValuesOf,
} from './variables.ts';

export const PROCESS_VARIABLES = group('Process', {
  NODE_ENV: define(
    'production',
    oneOf('development', 'test', 'production'),
    'Kind of environment. `production` rejects demo data, failpoints and default secrets. `npm start` defaults to development',
  ),
  LOG_LEVEL: define(
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'Lowest level that is logged',
  ),
  BUILD_COMMIT: define(
    '',
    optional,
    'Commit of the release, shown in `/health/live` and `carte_build_info`; the image sets it',
  ),
  OPS_HOST: define(
    '127.0.0.1',
    text,
    'Address of the operations port, reachable from the internal network only',
  ),
  OPS_PORT: define('9464', integer(0, 65535), 'Port of /metrics, /health/live and /health/ready'),
  SHUTDOWN_GRACE: define(
    '10s',
    duration,
    'Time limit for stopping; a worker abandons its work after three quarters of it',
  ),
  CARTE_DATA_DIR: define(
    '.carte',
    text,
    'Folder of local data: embedded database, Temporal, media, generated keys',
  ),
});

export const TESTING_VARIABLES = group('Testing', {
  CARTE_FAILPOINT: define(
    '',
    optional,
    'Failpoint at which the process ends itself. Not allowed in production',
    {
      production: FORBIDDEN,
    },
  ),
});

export type ProcessEnv = ValuesOf<typeof PROCESS_VARIABLES>;
