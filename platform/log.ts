import { logContext } from './log-context.ts';
import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Field names whose values are masked, at any depth that our records use. */
const MASKED = [
  'apiLogin',
  'apiKey',
  'clientSecret',
  'token',
  'accessToken',
  'refreshToken',
  'password',
  'passwordHash',
  'authorization',
  'cookie',
  'secret',
  'phone',
  'cartId',
];
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

/**
 * Creates a structured log: one JSON object per line with `service`, ISO 8601 time, ids of the
 * current work and masked secrets. Put values into fields: message texts are not masked.
 */
export function createLog(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Log {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...logContext() }),
      serializers: { err: loggable },
      redact: {
        paths: DEPTHS.flatMap((depth) => MASKED.map((name) => depth + name)),
        censor: '[masked]',
      },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/**
 * Returns the loggable fields of an error: names, codes and stack frames. Without messages of
 * database errors, which repeat statements and row values.
 */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, constraint, table } = error as {
    code?: unknown;
    constraint?: unknown;
    table?: unknown;
  };
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '));
  return {
    name: error.name,
    ...(code === undefined ? {} : { code }),
    ...(fromDatabase ? { constraint, table } : { message: error.message }),
    stack: frames.join('\n'),
    ...(error.cause === undefined ? {} : { cause: loggable(error.cause) }),
  };
}
