import {
  define,
  group,
  list,
  optional,
  optionalUrl,
  url,
  HTTPS_OUTSIDE,
  type ValuesOf,
  type Demand,
} from './variables.ts';

const optionalSmtp = (input: string) => (input === '' ? null : url('smtp:', 'smtps:')(input));

export const NOTIFY_CHANNELS_VARIABLES = group('Notifications', {
  NOTIFY_WEBHOOK_URL: define(
    '',
    optionalUrl,
    'URL that notifications are posted to. Without it and NOTIFY_SMTP_URL they are only stored',
    { secret: true, production: HTTPS_OUTSIDE },
  ),
  NOTIFY_WEBHOOK_SECRET: define('', optional, 'Bearer token for NOTIFY_WEBHOOK_URL', {
    secret: true,
  }),
  NOTIFY_SMTP_URL: define(
    '',
    optionalSmtp,
    'Mail server for notifications, `smtp://user:password@host:587` or `smtps://…`. If empty, no mail is sent',
    { secret: true },
  ),
  NOTIFY_EMAIL_TO: define('', list, 'Email addresses for notifications, separated by commas'),
  NOTIFY_EMAIL_FROM: define('', optional, 'Sender of mailed notifications'),
});

export type NotifyEnv = ValuesOf<typeof NOTIFY_CHANNELS_VARIABLES>;

export const NOTIFY_CHANNELS_DEMANDS: readonly Demand[] = [
  {
    when: ({ NOTIFY_SMTP_URL: server }) => Boolean(server),
    needs: ['NOTIFY_EMAIL_TO', 'NOTIFY_EMAIL_FROM'],
    because: 'NOTIFY_SMTP_URL is set',
  },
];
