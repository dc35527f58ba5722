import { createHash, timingSafeEqual } from 'node:crypto';

/** Where a caller may put the secret: the header with or without `Bearer`, or the query parameter `token`. */
export type SecretCarriers = { authorization: string | undefined; token: unknown };

/**
 * True when one of the carriers holds the secret of the webhook. The comparison takes the same time whatever was sent. Without a
 * configured secret nothing is accepted.
 */
export function holdsWebhookSecret(secret: string | null, { authorization, token }: SecretCarriers): boolean {
  if (secret === null) return false;
  const header = authorization?.replace(/^Bearer +/i, '');
  const expected = digest(secret);
  const sent = [authorization, header, typeof token === 'string' ? token : undefined];
  return sent.map((each) => timingSafeEqual(digest(each ?? ''), expected)).includes(true);
}

/** Digests have one length, which `timingSafeEqual` needs and which tells nothing about the secret. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
