import { createHash, timingSafeEqual } from 'node:crypto';

/** The header with or without `Bearer`, or the query parameter `token`. */
export type SecretCarriers = { authorization: string | undefined; token: unknown };

/** Compares the secrets in constant time (rule WHK-1). False without a configured secret. */
export function holdsWebhookSecret(secrets: readonly string[], carriers: SecretCarriers): boolean {
  const sent = sentSecrets(carriers).map(digest);
  return secrets
    .map(digest)
    .flatMap((expected) => sent.map((entry) => timingSafeEqual(entry, expected)))
    .includes(true);
}

/** Returns every text that may be the secret. */
export function sentSecrets({ authorization, token }: SecretCarriers): string[] {
  const header = authorization?.replace(/^Bearer +/i, '');
  return [authorization ?? '', header ?? '', typeof token === 'string' ? token : ''];
}

/** `timingSafeEqual` requires equal lengths. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
