import { logContext } from './log-context.ts';
import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Field names whose values are never written, at any depth that our records use. */
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
 * A structured log: one JSON object a line with `service`, time in ISO 8601, the ids of the present
 * work and masked secrets. Free text is the caller's duty: messages carry no values, values go into
 * fields.
 */
export function createLog(options: { service: string; level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...logContext() }),
      serializers: { err: loggable },
      redact: { paths: DEPTHS.flatMap((depth) => MASKED.map((name) => depth + name)), censor: '[masked]' },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/**
 * Returns the fields of an unknown error that may be logged: names, codes and stack frames.
 * Messages of database errors are left out, because they repeat statements and row values.
 */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return {
    name: error.name,
    ...(code === undefined ? {} : { code }),
    ...(fromDatabase ? { constraint, table } : { message: error.message }),
    stack: frames.join('\n'),
    ...(error.cause === undefined ? {} : { cause: loggable(error.cause) }),
  };
}
