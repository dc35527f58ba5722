import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { WebhookRequest } from '../../../platform/webhook-sender.ts';

/** Encryption purpose of secrets. */
export const WEBHOOK_SECRET_PURPOSE = 'webhookEndpoint.secret';

export type SigningEndpoint = {
  id: number;
  url: string;
  secretEncrypted: string;
  formerSecretEncrypted: string | null;
  formerSecretUntil: Date | null;
};

/** Creates a Standard Webhooks secret with 256 random bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Signs a message (rule EVT-8), also with the former secret while valid (rule EVT-9). `messageId`
 * is the same for each attempt.
 */
export function signedRequest(
  secrets: SecretBox,
  endpoint: SigningEndpoint,
  { messageId, payload, at }: { messageId: string; payload: object; at: Date },
): WebhookRequest {
  const body = JSON.stringify(payload);
  const isFormerValid = endpoint.formerSecretUntil !== null && endpoint.formerSecretUntil > at;
  const sealed = [endpoint.secretEncrypted, isFormerValid ? endpoint.formerSecretEncrypted : null];
  const signatures = sealed
    .filter((text) => text !== null)
    .map((text) =>
      new Webhook(secrets.open(WEBHOOK_SECRET_PURPOSE, endpoint.id, text)).sign(
        messageId,
        at,
        body,
      ),
    );

  return {
    url: endpoint.url,
    headers: {
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}
