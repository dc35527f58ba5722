import { createHash, timingSafeEqual } from 'node:crypto';

/** The secret is in the header, with or without `Bearer`, or in the query parameter `token`. */
export type SecretCarriers = { authorization: string | undefined; token: unknown };

/** Compares the secrets in constant time (rule WHK-1). Returns false if no secret is configured. */
export function holdsWebhookSecret(secrets: readonly string[], carriers: SecretCarriers): boolean {
  const sent = sentSecrets(carriers).map(digest);
  return secrets
    .map(digest)
    .flatMap((expected) => sent.map((entry) => timingSafeEqual(entry, expected)))
    .includes(true);
}

export function sentSecrets({ authorization, token }: SecretCarriers): string[] {
  const header = authorization?.replace(/^Bearer +/i, '');
  return [authorization ?? '', header ?? '', typeof token === 'string' ? token : ''];
}

/** `timingSafeEqual` requires equal lengths. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
