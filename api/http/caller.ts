import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { KnownKey, KnownKeys, RefusedKey } from '../../modules/access/api-keys/known-keys.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { loggable, type Log } from '../../platform/log.ts';
import { isPrivateClient, type TrustedProxies } from '../../platform/trusted-proxies.ts';
import { bareAddress, clientAddress, toNetwork } from './client-address.ts';
import { PREFIXES } from './route.ts';

/** Customers use `Authorization`. */
export const KEY_HEADER = 'Carte-Key';
export const GUEST_HEADER = 'Carte-Client-Address';

export type Caller = {
  /**
   * The guest's address that was sent with a storefront key, unless it is private (rule ACC-40).
   * Otherwise, the client's address (rule HTTP-19).
   */
  address: string;
  key: KnownKey | null;
  namesGuest: boolean;
};

type RefusedCaller = { problem: Problem; refusedKey: RefusedKey | null };

const identified = new WeakMap<IncomingMessage, Caller | RefusedCaller>();

/** Returns the caller. A storefront key counts only after {@link createKeyCheck}. */
export function readCaller(request: IncomingMessage, isProxy: TrustedProxies): Caller {
  const caller = identified.get(request);
  if (caller !== undefined && 'key' in caller) return caller;
  return { address: clientAddress(request, isProxy), key: null, namesGuest: false };
}

/** Returns why the storefront key was rejected, or undefined. */
export function readRefusedCaller(request: IncomingMessage): RefusedCaller | undefined {
  const caller = identified.get(request);
  return caller !== undefined && 'problem' in caller ? caller : undefined;
}

/** Returns null without a key, otherwise whether it is valid (rule HTTP-40). Never rejects. */
export type KeyCheck = (request: IncomingMessage) => Promise<boolean> | null;

/** Creates the check of storefront keys, which must precede all responses. */
export function createKeyCheck({
  apiKeys,
  env,
  log,
}: {
  apiKeys: KnownKeys;
  env: { TRUST_PROXY: TrustedProxies };
  log: Log;
}): KeyCheck {
  async function check(request: IncomingMessage, token: string): Promise<boolean> {
    const caller = await identify(request, token).catch((error: unknown) => {
      log.error({ error: loggable(error) }, 'a storefront key could not be checked');
      return { problem: new Problem('unavailable'), refusedKey: null };
    });
    identified.set(request, caller);

    return 'key' in caller;
  }

  async function identify(
    request: IncomingMessage,
    token: string,
  ): Promise<Caller | RefusedCaller> {
    const apiKey = await apiKeys.find(token, 'STOREFRONT');
    if ('refused' in apiKey) return { problem: keyRefused(), refusedKey: apiKey };
    const own: Caller = {
      address: clientAddress(request, env.TRUST_PROXY),
      key: apiKey,
      namesGuest: false,
    };

    const named = request.headers[GUEST_HEADER.toLowerCase()];
    if (named === undefined) return own;
    const guest = typeof named === 'string' ? bareAddress(named) : '';
    if (isIP(guest) === 0)
      return {
        problem: invalidField(GUEST_HEADER, 'format', 'must be one IP address'),
        refusedKey: null,
      };

    const address = toNetwork(guest);

    // A private address is that of an untrusted proxy, which many guests share.
    return isPrivateClient(guest) || isPrivateClient(address)
      ? own
      : { address, key: apiKey, namesGuest: true };
  }

  return (request) => {
    const token = keyIn(request.rawHeaders);
    if (token === undefined || !request.url?.startsWith(`${PREFIXES.public}/`)) return null;
    return check(request, token);
  };
}

function keyRefused(): Problem {
  return new Problem('unauthorized', {
    detail: `The API key in ${KEY_HEADER} is unknown, expired or revoked.`,
  });
}

/** Building `request.headers` would cost more. */
function keyIn(raw: readonly string[]): string | undefined {
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]!.length === KEY_HEADER.length && raw[at]!.toLowerCase() === 'carte-key')
      return raw[at + 1];
  return undefined;
}
