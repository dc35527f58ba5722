import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  giveUpNotification,
  sendNotification,
  type SendDeps,
} from '../../../modules/notifications/send-notification.ts';
import {
  raiseNotification,
  resolveNotification,
} from '../../../modules/notifications/raise-notification.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics, type Metrics } from '../../../platform/metrics.ts';
import { createNotifyChannels } from '../../../platform/notify-channels.ts';
import { migratedDatabase } from '../../support/database.ts';
import { parseSamples } from '../../support/metrics-text.ts';
import { notificationMailbox, notificationWebhook } from '../../support/notification-receivers.ts';
import { addRow, updateRows } from '../../support/rows.ts';
import { rowTexts } from '../../support/whole-schema.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let webhook: Awaited<ReturnType<typeof notificationWebhook>>;
let mailbox: Awaited<ReturnType<typeof notificationMailbox>>;
let metrics: Metrics;
let logged: string;
let deps: SendDeps;
let subjects = 0;
beforeAll(async () => {
  [database, webhook, mailbox] = await Promise.all([
    migratedDatabase(),
    notificationWebhook(),
    notificationMailbox(),
  ]);
  await addRow(database.db, 'setting', { key: 'staff_language', value: 'EN' } as never);
});
afterAll(async () => {
  await Promise.all([database.close(), webhook.close(), mailbox.close()]);
});
beforeEach(() => {
  webhook.answer = 204;
  webhook.posted.length = 0;
  mailbox.refuse = null;
  mailbox.mails.length = 0;
  metrics = createMetrics('test');
  logged = '';
  const write = (line: string) => void (logged += line);
  deps = {
    db: database.db,
    channels: channels(),
    publicUrl: 'https://carte.test',
    adminUrl: null,
    metrics,
    log: createLog({ service: 'test', level: 'trace', destination: { write } }),
  };
});

const channels = (over: { smtp?: string; hook?: string | null } = {}) =>
  createNotifyChannels({
    NOTIFY_WEBHOOK_URL: over.hook === undefined ? webhook.url : over.hook,
    NOTIFY_WEBHOOK_SECRET: 'hook-canary',
    NOTIFY_SMTP_URL: over.smtp ?? mailbox.url,
    NOTIFY_EMAIL_TO: ['chef@carte.test', 'sous@carte.test'],
    NOTIFY_EMAIL_FROM: 'carte@carte.test',
  });

const raise = (details: Record<string, unknown> = { share: 41 }) =>
  raiseNotification(database.db, {
    kind: 'SUSPICIOUS_SHRINK',
    subjectType: 'external-menu',
    subjectId: (subjects += 1),
    details,
  });

const stored = (id: number) =>
  database.db.db
    .selectFrom('notification')
    .where('id', '=', id)
    .select((row) => [
      row('sentAt', 'is not', null).as('isSent'),
      row('sendEndedAt', 'is not', null).as('isEnded'),
      'sentChannels',
      'sendAttempts',
      'sendError',
    ])
    .executeTakeFirstOrThrow();
const sends = async (channel: string, outcome: string) =>
  parseSamples(await metrics.registry.metrics()).find(
    ({ name, labels }) =>
      name === 'carte_notification_sends_total' &&
      labels['channel'] === channel &&
      labels['outcome'] === outcome,
  )?.value ?? 0;

describe('the sending of a notification', () => {
  test('[OPS-64] includes a link to the admin UI if one is configured', async () => {
    const id = await raise();
    await sendNotification({ ...deps, adminUrl: 'https://staff.test' }, id);

    expect(webhook.posted[0]!.body).toMatchObject({
      link: `https://staff.test/notifications/${id}`,
    });
    // The transfer encoding breaks long lines with "=".
    expect(mailbox.mails[0]!.replaceAll(/=\r?\n/g, '')).toContain(
      `https://staff.test/notifications/${id}`,
    );
  });

  test('delivers the event to webhook and mail server, with an id and a link, and records it', async () => {
    const id = await raise({ items: 120, deleted: 49 });
    const outcome = await sendNotification(deps, id);

    expect(outcome).toEqual({ outcome: 'SENT' });
    expect(await stored(id)).toEqual({
      isSent: true,
      isEnded: false,
      sentChannels: ['webhook', 'email'],
      sendAttempts: 1,
      sendError: null,
    });
    expect(webhook.posted).toEqual([
      {
        id: `notification-${id}`,
        authorization: 'Bearer hook-canary',
        body: {
          id: `notification-${id}`,
          kind: 'SUSPICIOUS_SHRINK',
          severity: 'CRITICAL',
          title: 'A menu import would remove too many rows',
          text: expect.stringContaining('A failed import wrote nothing'),
          subject: { type: 'external-menu', id: String(subjects) },
          details: { items: 120, deleted: 49 },
          raisedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          link: `https://carte.test/api/admin/v1/notifications/${id}`,
        },
      },
    ]);
    const [mail] = mailbox.mails;
    expect(mailbox.mails).toHaveLength(1);
    expect(mail).toContain('Subject: [Carte] Critical: A menu import would remove too many rows');
    expect(mail).toContain(`Message-ID: <notification-${id}@carte>`);
    expect(mail).toContain('chef@carte.test, sous@carte.test');
    expect(mail).toContain(`"deleted":49`);
  });

  test('[NOT-7] uses the language of the setting in mails and webhooks', async () => {
    const into = (language: 'RU' | 'EN') =>
      updateRows(database.db, 'setting', { value: language } as never, { key: 'staff_language' });
    await into('RU');
    await sendNotification(deps, await raise());
    await into('EN');

    expect(webhook.posted[0]!.body['title']).toBe('Импорт меню удалил бы слишком много строк');
    const [head, ...body] = mailbox.mails[0]!.split('\n\n');
    expect(head).toContain('Content-Transfer-Encoding: base64');
    const text = Buffer.from(body.join(''), 'base64').toString();
    expect(text).toContain('Предмет: external-menu');
    expect(text).toContain('Открыть: https://carte.test/');
  });

  test('delivers nothing in a second call', async () => {
    const id = await raise();
    await sendNotification(deps, id);
    expect(await sendNotification(deps, id)).toEqual({ outcome: 'SENT_BEFORE' });
    expect([webhook.posted.length, mailbox.mails.length]).toEqual([1, 1]);
  });

  test('continues with the other channel if one fails, and does not repeat it', async () => {
    const id = await raise();
    webhook.answer = 503;
    await expect(sendNotification(deps, id)).rejects.toThrow(
      'the notification was not sent: webhook: the receiver answered 503',
    );
    expect(await stored(id)).toMatchObject({
      isSent: false,
      sentChannels: ['email'],
      sendAttempts: 1,
    });
    webhook.answer = 200;
    await sendNotification(deps, id);

    expect([webhook.posted.length, mailbox.mails.length]).toEqual([1, 1]);
    expect(await stored(id)).toMatchObject({ isSent: true, sendAttempts: 2, sendError: null });
    expect([
      await sends('webhook', 'failed'),
      await sends('webhook', 'sent'),
      await sends('email', 'sent'),
    ]).toEqual([1, 1, 1]);
  });

  test.each([
    ['a receiver that cuts the connection', 'CUT'],
    ['a receiver that redirects: another address may not learn the secret', 302],
    ['a receiver that refuses', 401],
  ] as const)('fails for %s', async (_name, answer) => {
    const id = await raise();
    webhook.answer = answer;
    await expect(sendNotification(deps, id)).rejects.toThrow('webhook');
    expect(await stored(id)).toMatchObject({
      isSent: false,
      sendError: expect.stringMatching(/^webhook: (?!unknown)\w/),
    });
    expect(webhook.posted).toEqual([]);
  });

  test('happens again under the same id after a crash before it was recorded', async () => {
    const id = await raise();
    const [hook] = channels();
    const dies = { ...deps, channels: [hook!], db: failsAtUpdate(deps.db) };
    await expect(sendNotification(dies, id)).rejects.toThrow('the process died');
    expect(await stored(id)).toMatchObject({ isSent: false, sentChannels: [] });
    await sendNotification({ ...deps, channels: [hook!] }, id);

    expect(webhook.posted.map((entry) => entry.id)).toEqual([
      `notification-${id}`,
      `notification-${id}`,
    ]);
  });

  test('skips a resolved notification', async () => {
    const id = await raise();
    await resolveNotification(database.db, 'SUSPICIOUS_SHRINK', 'external-menu', subjects);
    expect(await sendNotification(deps, id)).toEqual({ outcome: 'RESOLVED' });
    expect(await sendNotification(deps, 999_999)).toEqual({ outcome: 'RESOLVED' });
    expect([webhook.posted, mailbox.mails]).toEqual([[], []]);
  });

  test('only stores a notification without a channel', async () => {
    const id = await raise();
    expect(await sendNotification({ ...deps, channels: [] }, id)).toEqual({
      outcome: 'NOT_CONFIGURED',
    });
    expect(await stored(id)).toMatchObject({ isSent: false, sendAttempts: 0 });
  });

  test('records that it was given up, unless the notification was sent', async () => {
    const [id, sent] = [await raise(), await raise()];
    await sendNotification(deps, sent);
    await giveUpNotification(deps, id);
    await giveUpNotification(deps, sent);

    expect(await stored(id)).toMatchObject({ isSent: false, isEnded: true });
    expect(await stored(sent)).toMatchObject({ isSent: true, isEnded: false });
    expect(logged).toContain('a notification to administrators was given up');
  });
});

describe('the canary values', () => {
  const CANARIES = ['login-canary', 'eyJhbGciOiJFZERTQSJ9.canary', '+79991234567', 'bearer-canary'];

  test('[NOT-4] reach no row, webhook, mail, log or metric as secrets and phones in details', async () => {
    const id = await raise({
      apiLogin: CANARIES[0],
      note: `${CANARIES[1]} ${CANARIES[2]} Bearer ${CANARIES[3]}`,
      items: 3,
    });
    await sendNotification(deps, id);
    const everything = [
      ...(await rowTexts(database.db, 'notification', id)),
      JSON.stringify(webhook.posted),
      ...mailbox.mails,
      logged,
      await metrics.registry.metrics(),
    ].join();

    expect(webhook.posted[0]!.body['details']).toEqual({
      apiLogin: '[masked]',
      note: '[masked] [masked] Bearer [masked]',
      items: 3,
    });
    expect(CANARIES.filter((canary) => everything.includes(canary))).toEqual([]);
  });

  test('reach no row, log, metric or error as secrets of channels, with any answers of receivers', async () => {
    const id = await raise();
    mailbox.refuse = 'no room for carte@carte.test and chef@carte.test with mail-canary';
    webhook.answer = 'CUT';
    const errors: string[] = [];
    const attempt = async (over: Parameters<typeof channels>[0]) =>
      sendNotification({ ...deps, channels: channels(over) }, id).catch((error: Error) =>
        errors.push(`${error.message} ${error.stack}`),
      );
    await attempt({});
    await attempt({ smtp: mailbox.url.replace('mail-canary', 'wrong-canary') });
    await attempt({
      hook: 'http://127.0.0.1:9/hook?token=receiver-canary',
      smtp: 'smtp://carte:mail-canary@127.0.0.1:9',
    });
    const everything = [
      ...errors,
      (await stored(id)).sendError,
      logged,
      await metrics.registry.metrics(),
    ].join();

    expect(errors).toHaveLength(3);
    expect(everything.match(/.{0,80}(?:canary|chef@|carte@).{0,20}/g)).toBeNull();
    expect(await stored(id)).toMatchObject({ isSent: false, sendAttempts: 3 });
  });
});

function failsAtUpdate(db: SendDeps['db']): SendDeps['db'] {
  const dies: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'UpdateQueryNode') throw new Error('the process died');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...db, db: db.db.withPlugin(dies) };
}
