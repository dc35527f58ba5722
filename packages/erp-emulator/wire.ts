import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Body = Readonly<Record<string, unknown>>;

/** A Buffer is sent unchanged, others as JSON. */
export type Answer = {
  readonly status: number;
  readonly body: Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
};

export function ok(body: Buffer | object): Answer {
  return { status: 200, body };
}

export function failure(
  status: number,
  errorDescription: string,
  error: string | null = null,
): Answer {
  return { status, body: { correlationId: randomUUID(), errorDescription, error } };
}

export function loyaltyFailure(code: string, errorCode: string | null, message: string): Answer {
  return {
    status: 400,
    body: { code, errorCode, message, httpStatusCode: 400, isIntegrationError: false },
  };
}

export function revisionTooOld(): Answer {
  return failure(400, 'The revision is too old.');
}

/** Formats `yyyy-MM-dd HH:mm:ss.fff`, UTC. */
export function wireDate(at: Date): string {
  return at.toISOString().replace('T', ' ').replace('Z', '');
}

/** Returns `{}` if empty, undefined if it is not a JSON object. */
export async function readBody(request: IncomingMessage): Promise<Body | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return {};

  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function toBytes(answer: Answer): Buffer {
  return Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(JSON.stringify(answer.body));
}

export function send(response: ServerResponse, answer: Answer): void {
  const bytes = toBytes(answer);
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
    ...answer.headers,
  });
  response.end(bytes);
}

/** Sends the first half of an answer, then cuts the connection after the delay. */
export function sendHalf(
  response: ServerResponse,
  answer: Answer,
  cutAfterMs: number | undefined,
): void {
  const bytes = toBytes(answer);
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
  });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
  if (cutAfterMs !== undefined) setTimeout(() => response.destroy(), cutAfterMs).unref();
}

/** Returns the strings of a list. Undefined if it is not a list. */
export function stringList(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((entry): entry is string => typeof entry === 'string');
}

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list. Empty if it is not a list. */
export function toBodies(value: unknown): Body[] {
  return Array.isArray(value) ? value.filter(isBody) : [];
}

/** Formats a time (ms) in local time. The zone may be an offset like `03:00:00`. */
export function localDate(at: number, zone: string): string {
  const named = /^\d\d:\d\d/.test(zone) ? `+${zone.slice(0, 5)}` : zone;
  const local = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(named)
    .toPlainDateTime();
  return local.toString({ fractionalSecondDigits: 3 }).replace('T', ' ');
}
