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
];
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

/**
 * A structured log: one JSON object a line with `service`, time in ISO 8601 and masked secrets.
 * Free text is the caller's duty: messages carry no values, values go into fields.
 */
export function createLog(options: { service: string; level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: DEPTHS.flatMap((depth) => MASKED.map((name) => depth + name)), censor: '[masked]' },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
