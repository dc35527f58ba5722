import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { SignOnChecks } from '../../../platform/identity-provider.ts';

export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/**
 * Derives the nonce and the PKCE verifier, so that the database stores nothing that helps an
 * attacker.
 */
export function deriveChecks(browserSecret: string, state: string): SignOnChecks {
  const derive = (use: string) =>
    createHmac('sha256', browserSecret).update(`${use}.${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('code-verifier') };
}
