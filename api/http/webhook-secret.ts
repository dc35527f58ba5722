import { createHash, timingSafeEqual } from 'node:crypto';

/** Where a caller may put the secret: the header with or without `Bearer`, or the query parameter `token`. */
export type SecretCarriers = { authorization: string | undefined; token: unknown };

/**
 * True when one of the carriers holds one of the secrets of the webhook (rule WHK-1). The comparison takes the same time whatever was
 * sent. Without a configured secret nothing is accepted.
 */
export function holdsWebhookSecret(secrets: readonly string[], { authorization, token }: SecretCarriers): boolean {
  const header = authorization?.replace(/^Bearer +/i, '');
  const sent = [authorization, header, typeof token === 'string' ? token : undefined].map((each) => digest(each ?? ''));
  return secrets
    .map(digest)
    .flatMap((expected) => sent.map((each) => timingSafeEqual(each, expected)))
    .includes(true);
}

/** Digests have one length, which `timingSafeEqual` needs and which tells nothing about the secret. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
