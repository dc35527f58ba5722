import type { IncomingMessage } from 'node:http';

/**
 * The address a request is limited by. With TRUST_PROXY it is the last entry of X-Forwarded-For, the one our own proxy
 * wrote: earlier entries are whatever the client claims.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = forwarded === undefined ? undefined : [forwarded].flat().join(',').split(',').at(-1)?.trim();
  return last === undefined || last === '' ? (request.socket.remoteAddress ?? 'unknown') : last;
}
