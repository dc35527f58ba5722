import type { Mutation } from './mutation.ts';

const SEND = 'test/integration/notifications/send.test.ts';
const RUNS_KEPT = {
  file: 'test/integration/retention/retention.test.ts',
  title: 'never the last run, the last success or the last full success',
};

/** Notifications to administrators, settings, webhooks, and what retention and gauges must not lose or count twice. */
export const OPERATIONS: readonly Mutation[] = [
  {
    id: 'notifications/open-once',
    protects: 'one notification, however many raise it',
    file: 'app/notifications/raise-notification.ts',
    from: 'if (row.repeated === 0) await',
    to: 'await',
    test: { file: 'test/integration/notifications/at-once.test.ts', title: 'one notification raised by many at once' },
  },
  {
    id: 'notifications/repetition',
    protects: 'a second notification counts as a repetition of the open one',
    file: 'app/notifications/raise-notification.ts',
    from: ".columns(['kind', 'subjectType', 'subjectId'])",
    to: ".columns(['id'])",
    test: { file: 'test/integration/notifications/at-once.test.ts', title: 'one notification raised by many at once' },
  },
  {
    id: 'settings/version',
    protects: 'no change of a setting overwrites one that its author has not seen',
    file: 'app/edits.ts',
    from: 'where old.version = ${seen}',
    to: 'where ${seen}::int is not null',
    test: { file: 'test/http/settings/settings.test.ts', title: 'one wins, the others learn the version' },
  },
  {
    id: 'mirror/menu-settings',
    protects: 'no change of a menu overwrites one that its author has not seen',
    file: 'app/mirror/external-menus.ts',
    from: '{ seen: version, detail: NO_MENU },',
    to: '{ detail: NO_MENU },',
    test: { file: 'test/integration/mirror/menu-settings-at-once.test.ts', title: 'of two who change the settings' },
  },
  {
    id: 'notifications/sent-once',
    protects: 'a notification that was sent is not sent again',
    file: 'app/notifications/send-notification.ts',
    from: `if (row !== undefined && row.sentAt !== null) return { outcome: 'SENT_BEFORE' };`,
    to: '',
    test: { file: SEND, title: 'a second call sends nothing' },
  },
  {
    id: 'notifications/channel-once',
    protects: 'a channel that has taken a notification is not told twice',
    file: 'app/notifications/send-notification.ts',
    from: 'if (row.sentChannels.includes(channel.name)) continue;',
    to: '',
    test: { file: SEND, title: 'one channel that fails does not stop the other' },
  },
  {
    id: 'notifications/sent-stays',
    protects: 'a notification that was sent is not given up',
    file: 'app/notifications/send-notification.ts',
    from: `.where('sentAt', 'is', null)`,
    to: '',
    test: { file: SEND, title: 'giving up is recorded, and never over a notification that was sent' },
  },
  {
    id: 'retention/running',
    protects: 'a run that has not ended stays',
    file: 'app/retention.ts',
    from: `status <> 'RUNNING' and`,
    to: '',
    test: RUNS_KEPT,
  },
  {
    id: 'retention/last-run',
    protects: 'the last run of an import stays',
    file: 'app/retention.ts',
    from: `exists (select 1 from sync_run newer where \${LATER})`,
    to: 'true',
    test: RUNS_KEPT,
  },
  {
    id: 'retention/last-success',
    protects: 'the last success of an import stays',
    file: 'app/retention.ts',
    from: `(status = 'FAILED' or reason in \${NOT_ASKED} or exists (`,
    to: '(true or exists (',
    test: RUNS_KEPT,
  },
  {
    id: 'retention/last-full-success',
    protects: 'the last full success of an import stays',
    file: 'app/retention.ts',
    from: `(mode is distinct from 'FULL' or status <> 'SUCCESS' or exists (`,
    to: '(true or exists (',
    test: RUNS_KEPT,
  },
  {
    id: 'observability/measured-once',
    protects: 'a run that two close is measured once',
    file: 'app/mirror/runs/close-run.ts',
    from: ".where('status', '=', sql<RunStatus>`any (${statusesBefore(end.status)}::text[])`)",
    to: 'where id = $1 and $9::text[] is not null',
    test: {
      file: 'test/integration/observability/state.test.ts',
      title: 'a run that is closed twice is measured once',
    },
  },
  {
    id: 'webhooks/in-hand',
    protects: 'an event is processed by one processor',
    file: 'app/webhooks/process-webhooks.ts',
    from: '.forUpdate()',
    to: '.forKeyShare()',
    test: {
      file: 'test/integration/webhooks/process-webhooks.test.ts',
      title: 'an event that another processor has in hand is not taken twice',
    },
  },
  {
    id: 'webhooks/stored-once',
    protects: 'a repeated event is stored once, and its call succeeds',
    file: 'app/webhooks/receive-webhook.ts',
    from: 'on conflict on constraint webhook_event_key_unique do nothing',
    to: '',
    test: {
      file: 'test/http/webhooks/erp-webhook.test.ts',
      title: 'two receivers of one array at once store each event once',
    },
  },
  {
    id: 'webhooks/key-order',
    protects: 'two receivers of one array do not deadlock',
    file: 'app/webhooks/receive-webhook.ts',
    from: 'order by key, type',
    to: '',
    test: {
      file: 'test/http/webhooks/erp-webhook.test.ts',
      title: 'two receivers of one array at once store each event once',
    },
  },
];
