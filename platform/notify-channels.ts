import { createTransport } from 'nodemailer';
import type { NotifyEnv } from './env/notify-channels.ts';

/** Ids and numbers, no secrets or personal data. */
export type NotifyMessage = {
  /** Lets receivers drop duplicates. */
  id: string;
  kind: string;
  severity: string;
  title: string;
  /** One sentence. */
  text: string;
  subject: { type: string; id: string };
  details: unknown;
  /** ISO 8601. */
  raisedAt: string;
  /** A relative path unless ADMIN_URL or PUBLIC_URL is set. */
  link: string;
};

export type NotifyLetter = { subject: string; text: string };

export type NotifyChannel = {
  name: 'webhook' | 'email';
  /** Texts to remove from errors of this channel. */
  secrets: readonly string[];
  /** Rejects unless the receiver accepts within {@link LIMIT_MS}. */
  send(message: NotifyMessage, letter: NotifyLetter): Promise<void>;
};

const LIMIT_MS = 10_000;

/** The API has the mail recipients, but not the worker's mail account. */
export function sendsNotifications(
  env: Pick<NotifyEnv, 'NOTIFY_WEBHOOK_URL' | 'NOTIFY_EMAIL_TO'>,
): boolean {
  return env.NOTIFY_WEBHOOK_URL !== null || env.NOTIFY_EMAIL_TO.length > 0;
}

export function createNotifyChannels(env: NotifyEnv): NotifyChannel[] {
  return [
    ...(env.NOTIFY_WEBHOOK_URL === null
      ? []
      : [webhookChannel(env.NOTIFY_WEBHOOK_URL, env.NOTIFY_WEBHOOK_SECRET)]),
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
        // Do not send the secret elsewhere.
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
    secrets: [
      url,
      password,
      decodeURIComponent(password),
      username,
      decodeURIComponent(username),
      from,
      ...to,
    ],
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
