import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Places where a caller may put the secret: the header with or without `Bearer`, or the query
 * parameter `token`.
 */
export type SecretCarriers = { authorization: string | undefined; token: unknown };

/**
 * True if one of the carriers contains one of the secrets of the webhook (rule WHK-1). The
 * comparison takes constant time. Without a configured secret nothing is accepted.
 */
export function holdsWebhookSecret(secrets: readonly string[], carriers: SecretCarriers): boolean {
  const sent = sentSecrets(carriers).map(digest);
  return secrets
    .map(digest)
    .flatMap((expected) => sent.map((entry) => timingSafeEqual(entry, expected)))
    .includes(true);
}

/** Every text of the carriers that may be a secret. */
export function sentSecrets({ authorization, token }: SecretCarriers): string[] {
  const header = authorization?.replace(/^Bearer +/i, '');
  return [authorization ?? '', header ?? '', typeof token === 'string' ? token : ''];
}

/**
 * Digests have one length, which `timingSafeEqual` needs and which reveals nothing about the
 * secret.
 */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
