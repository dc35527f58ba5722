import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { SignOnChecks } from '../../../platform/identity-provider.ts';

/** Returns 32 random bytes as text. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Digests a secret for storage. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Derives nonce and PKCE verifier, so that the database stores nothing useful to an attacker. */
export function checksOf(browserSecret: string, state: string): SignOnChecks {
  const derive = (use: string) =>
    createHmac('sha256', browserSecret).update(`${use}.${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('code-verifier') };
}
