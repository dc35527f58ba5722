import { createHmac } from 'node:crypto';
import { sameSecret } from '../../platform/secrets.ts';
import type { Keyring } from './keyring.ts';

/** `counter` is the number of rotations, so that a second tab gets the same new token. */
export type RefreshToken = { sessionId: string; counter: number };

/** Writes `sessionId.counter.hmac`. */
export async function writeRefreshToken(keyring: Keyring, token: RefreshToken): Promise<string> {
  const [secret] = await keyring.refreshSecrets();
  if (secret === undefined) throw new Error('There is no current refresh secret');
  return `${token.sessionId}.${token.counter}.${mac(secret, token)}`;
}

/** Returns null unless the signature is ours. */
export async function readRefreshToken(
  keyring: Keyring,
  text: string,
): Promise<RefreshToken | null> {
  const match = /^([0-9a-f-]{36})\.(\d{1,9})\.([A-Za-z0-9_-]{43})$/.exec(text);
  if (match === null) return null;
  const [, sessionId = '', counter = '', signature = ''] = match;
  const token = { sessionId, counter: Number(counter) };
  const secrets = await keyring.refreshSecrets();

  return secrets.some((secret) => sameSecret(signature, mac(secret, token))) ? token : null;
}

function mac(secret: Buffer, token: RefreshToken): string {
  return createHmac('sha256', secret)
    .update(`${token.sessionId}.${token.counter}`)
    .digest('base64url');
}
