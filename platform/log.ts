import { logContext } from './log-context.ts';
import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Masked at any depth that our records use. */
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

/** Creates a JSON log. Message texts are not masked, so put values into fields. */
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

/** Omits messages of database errors, which repeat row values. */
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
