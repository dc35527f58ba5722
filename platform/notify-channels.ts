import { createTransport } from 'nodemailer';
import type { NotifyEnv } from './env/notify-channels.ts';

/** A notification as it leaves: ids and numbers, no secret and no personal data. */
export type NotifyMessage = {
  /** The same for every attempt to send this notification: receivers drop what they have. */
  id: string;
  kind: string;
  severity: string;
  title: string;
  /** The event, in one sentence. */
  text: string;
  subject: { type: string; id: string };
  details: unknown;
  /** ISO 8601. */
  raisedAt: string;
  /** The link for administrators; a path when neither ADMIN_URL nor PUBLIC_URL is set. */
  link: string;
};

/** The same notification for people who read mail. */
export type NotifyLetter = { subject: string; text: string };

export type NotifyChannel = {
  name: 'webhook' | 'email';
  /** Texts that must not appear in an error about this channel. */
  secrets: readonly string[];
  /**
   * Resolves when the receiver has taken the message; rejects within {@link LIMIT_MS} otherwise.
   */
  send(message: NotifyMessage, letter: NotifyLetter): Promise<void>;
};

const LIMIT_MS = 10_000;

/**
 * Returns whether any channel is configured. An API has the recipients of mail, but not the account
 * that a worker sends it with.
 */
export function sendsNotifications(env: Pick<NotifyEnv, 'NOTIFY_WEBHOOK_URL' | 'NOTIFY_EMAIL_TO'>): boolean {
  return env.NOTIFY_WEBHOOK_URL !== null || env.NOTIFY_EMAIL_TO.length > 0;
}

/** The channels that the environment configures, none by default. */
export function createNotifyChannels(env: NotifyEnv): NotifyChannel[] {
  return [
    ...(env.NOTIFY_WEBHOOK_URL === null ? [] : [webhookChannel(env.NOTIFY_WEBHOOK_URL, env.NOTIFY_WEBHOOK_SECRET)]),
    ...(env.NOTIFY_SMTP_URL === null
      ? []
      : [emailChannel(env.NOTIFY_SMTP_URL, env.NOTIFY_EMAIL_TO, env.NOTIFY_EMAIL_FROM ?? '')]),
  ];
}

function webhookChannel(url: string, secret: string | null): NotifyChannel {
  return {
    name: 'webhook',
    secrets: [url, ...(secret === null ? [] : [secret])],
    async send(message) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': message.id,
          ...(secret === null ? {} : { Authorization: `Bearer ${secret}` }),
        },
        body: JSON.stringify(message),
        // The secret must not be sent to another URL.
        redirect: 'error',
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
    },
  };
}

function emailChannel(url: string, to: readonly string[], from: string): NotifyChannel {
  const { username, password } = new URL(url);
  return {
    name: 'email',
    secrets: [url, password, decodeURIComponent(password), username, decodeURIComponent(username), from, ...to],
    async send({ id }, letter) {
      const transport = createTransport(
        { url, connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS },
        { disableFileAccess: true, disableUrlAccess: true },
      );
      const { promise, reject } = Promise.withResolvers<never>();
      const limit = setTimeout(() => reject(new Error('the mail server is too slow')), LIMIT_MS);
      try {
        await Promise.race([
          promise,
          transport.sendMail({
            from,
            to: [...to],
            ...letter,
            messageId: `<${id}@carte>`,
          }),
        ]);
      } finally {
        clearTimeout(limit);
        transport.close();
      }
    },
  };
}
