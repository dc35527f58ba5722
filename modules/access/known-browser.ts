import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../../platform/secrets.ts';
import type { Keyring } from './keyring.ts';

/** The cookie is `id.hmac` and valid for this account only (rule ACC-6). */
type Known = { account: string; id: string };

/** Returns the cookie for a sign-in. An existing id is kept. */
export async function writeKnownBrowser(
  keyring: Keyring,
  account: string,
  id: string | null,
): Promise<string> {
  const [secret] = await keyring.refreshSecrets();
  if (secret === undefined) throw new Error('There is no current refresh secret');
  const known = { account, id: id ?? randomBytes(16).toString('base64url') };
  return `${known.id}.${mac(secret, known)}`;
}

/** Returns null unless this account has signed in with the browser. */
export async function readKnownBrowser(
  keyring: Keyring,
  account: string,
  text: string | undefined,
): Promise<string | null> {
  const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(text ?? '') ?? [];
  if (id === undefined || signature === undefined) return null;
  const secrets = await keyring.refreshSecrets();
  return secrets.some((secret) => sameSecret(signature, mac(secret, { account, id }))) ? id : null;
}

/** Refresh tokens are signed with the same secrets, but begin with a UUID. */
function mac(secret: Buffer, { account, id }: Known): string {
  return createHmac('sha256', secret).update(`known-browser.${id}.${account}`).digest('base64url');
}
