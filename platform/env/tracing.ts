import {
  constant,
  define,
  group,
  integer,
  oneOf,
  optional,
  optionalUrl,
  share,
  truth,
  HTTPS_OUTSIDE,
  type ValuesOf,
} from './variables.ts';

/** OpenTelemetry's exporter reads others itself, such as OTEL_EXPORTER_OTLP_TIMEOUT. */
export const TRACING_VARIABLES = group('Tracing', {
  OTEL_TRACES_EXPORTER: define(
    'none',
    oneOf('none', 'otlp'),
    'Receiver of traces: `otlp` sends them to OTEL_EXPORTER_OTLP_ENDPOINT. Names and meanings are those of OpenTelemetry',
  ),
  OTEL_SDK_DISABLED: define(
    'false',
    truth,
    'Tracing is off regardless of other settings, true or false',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: define(
    '',
    optionalUrl,
    'Base URL of the receiver, `http://localhost:4318` if empty; JSON is posted to `/v1/traces` below it',
    { production: HTTPS_OUTSIDE },
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: define(
    '',
    optionalUrl,
    'Full URL, for a receiver with another path',
    {
      production: HTTPS_OUTSIDE,
    },
  ),
  OTEL_EXPORTER_OTLP_HEADERS: define(
    '',
    optional,
    'Headers for the receiver, as `name=value,name=value`',
    {
      secret: true,
    },
  ),
  OTEL_SERVICE_NAME: define(
    '',
    optional,
    'Name of the process in traces. The default is `carte-api`, or `carte-worker-` and the role',
  ),
  OTEL_RESOURCE_ATTRIBUTES: define(
    '',
    optional,
    'Additional attributes of the process, as `name=value,name=value`',
  ),
  OTEL_TRACES_SAMPLER: define(
    'parentbased_always_on',
    oneOf(
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ),
    'Sampler. `parentbased_traceidratio` records a part of the traces',
  ),
  OTEL_TRACES_SAMPLER_ARG: define('1', share, 'Part of the traces to record, from 0 to 1'),
  OTEL_BSP_SCHEDULE_DELAY: constant(
    '5000',
    integer(1, 60_000),
    'Interval of sending traces, in milliseconds',
  ),
});

export type TracingEnv = ValuesOf<typeof TRACING_VARIABLES>;
