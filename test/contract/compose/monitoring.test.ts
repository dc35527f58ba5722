import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { freeLowPort } from '../../../tools/ports.ts';
import { startPostgres } from '../../../tools/postgres.ts';
import { COMPOSE_SECRETS, runRoles } from '../../support/empty-servers.ts';
import { notificationMailbox } from '../../support/notification-receivers.ts';
import { eventually, root, startProcess, type Started } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const [alertmanager, exporter] = await Promise.all([
  programForTests('prometheus-alertmanager'),
  programForTests('prometheus-postgres-exporter'),
]);

const START = join(root, 'ops/alertmanager/start.sh');
const MAIL = { ALERT_MAIL_TO: 'duty@carte.test', ALERT_MAIL_FROM: 'alerts@carte.test' };

let folder: string;
const processes: Started[] = [];
function start(
  name: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Started {
  const started = startProcess(name, command, args, env);
  processes.push(started);
  started.exited.catch(() => undefined);
  return started;
}
/** Reads a URL of the process. Throws with the output if the process ends first. */
async function readAnswer(
  started: Started,
  url: string,
  wanted: (text: string) => boolean,
): Promise<string> {
  const ended = started.exited.then((code) => {
    throw new Error(`${started.name} ended with ${code}: ${started.output().slice(-2000)}`);
  });
  const answered = eventually(`${started.name} answers`, async () => {
    const text = await (await fetch(url)).text();
    return wanted(text) ? text : undefined;
  });
  return Promise.race([answered, ended]);
}

beforeAll(async () => {
  folder = await temporaryFolder('monitoring');
});
afterAll(async () => {
  await Promise.all(processes.map((entry) => entry.stop()));
  await rm(folder, { recursive: true, force: true });
});

test('[OPS-89] Alertmanager receives special characters of the environment unchanged', async () => {
  const to = "R&D's | \\duty <duty@carte.test>";
  const env = {
    ...MAIL,
    ALERT_MAIL_TO: to,
    ALERT_SMTP: 'mail.carte.test:587',
    ALERTMANAGER: '/bin/true',
  };
  const configs = join(folder, 'odd');
  await mkdir(configs);
  await promisify(execFile)('/bin/sh', [START], { env: { ...env, CONFIG_FOLDER: configs } });
  const written = parse(await readFile(join(configs, 'alertmanager.yml'), 'utf8')) as {
    receivers: { email_configs: { to: string }[] }[];
  };

  expect(written.receivers[0]!.email_configs[0]!.to).toBe(to);
});

test.each(['ALERT_MAIL_TO', 'ALERT_MAIL_FROM', 'ALERT_SMTP'])(
  '[OPS-89] Alertmanager does not start without %s and names it',
  async (missing) => {
    const env = {
      ...MAIL,
      ALERT_SMTP: 'mail.carte.test:587',
      ALERTMANAGER: '/bin/true',
      CONFIG_FOLDER: folder,
    };
    const run = (given: NodeJS.ProcessEnv) =>
      promisify(execFile)('/bin/sh', [START], { env: given });

    await expect(run({ ...env, [missing]: '' })).rejects.toMatchObject({
      code: 1,
      stderr: `${missing} is not set\n`,
    });
    await expect(run(env)).resolves.toMatchObject({ stderr: '' });
  },
);

describeWith(alertmanager, 'Alertmanager as docker-compose.yml starts it', () => {
  test('[OPS-89] Alertmanager sends one email per alert name and never writes the password into its settings', async () => {
    const mailbox = await notificationMailbox();
    const { host, username } = new URL(mailbox.url);
    const port = await freeLowPort();
    const configs = join(folder, 'alertmanager');
    const quick = join(folder, 'quick');
    await mkdir(configs);
    await mkdir(quick);
    for (const name of ['start.sh', 'alertmanager.yml']) {
      const text = await readFile(join(root, 'ops/alertmanager', name), 'utf8');
      await writeFile(join(quick, name), text.replace('group_wait: 30s', 'group_wait: 1s'));
    }
    const env = {
      ...MAIL,
      ALERT_SMTP: host,
      ALERT_SMTP_USER: username,
      ALERT_SMTP_PASSWORD: 'mail-canary',
      ALERT_SMTP_TLS: 'false',
      ALERTMANAGER: alertmanager!,
      CONFIG_FOLDER: configs,
      PATH: process.env['PATH'],
    };
    const started = start(
      'alertmanager',
      '/bin/sh',
      [
        join(quick, 'start.sh'),
        `--storage.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      env,
    );
    const url = `http://127.0.0.1:${port}`;
    await readAnswer(started, `${url}/-/ready`, (text) => text === 'OK');
    const posted = await fetch(`${url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        ['17', '18'].map((connection) => ({
          labels: { alertname: 'CarteOrdersNotPolled', severity: 'warning', connection },
          annotations: { summary: 'Orders are not polled.' },
        })),
      ),
    });
    expect(posted.status).toBe(200);
    await eventually('a mail has arrived', async () => mailbox.mails[0]);

    expect(mailbox.mails).toHaveLength(1);
    expect(mailbox.mails[0]).toContain('To: duty@carte.test');
    expect(mailbox.mails[0]).toMatch(/Subject: .*FIRING:2.* CarteOrdersNotPolled/);
    expect(await readFile(join(configs, 'alertmanager.yml'), 'utf8')).not.toContain('mail-canary');
    await mailbox.close();
  });
});

describeWith(exporter, 'the exporter of PostgreSQL', () => {
  test('[OPS-90] the exporter covers alerts and dashboards with a role that cannot read rows', async () => {
    const postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      durable: false,
      temporary: true,
      log: () => undefined,
    });
    await runRoles(postgres.url);
    const port = await freeLowPort();
    const { services } = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), {
      merge: true,
    }) as {
      services: Record<string, { environment: Record<string, string> }>;
    };
    const { environment } = services['postgres-exporter']!;
    const started = start(
      'postgres-exporter',
      exporter!,
      [`--web.listen-address=127.0.0.1:${port}`],
      {
        DATA_SOURCE_URI: environment['DATA_SOURCE_URI']!.replace(
          'postgres:5432',
          new URL(postgres.url).host,
        ),
        DATA_SOURCE_USER: environment['DATA_SOURCE_USER'],
        DATA_SOURCE_PASS: COMPOSE_SECRETS.MONITOR_PASSWORD,
      },
    );
    const text = await readAnswer(started, `http://127.0.0.1:${port}/metrics`, (body) =>
      /^pg_up 1$/m.test(body),
    );
    const files = ['prometheus/servers.yml', 'grafana/dashboards/saturation.json'];
    const asked = await Promise.all(files.map((file) => readFile(join(root, 'ops', file), 'utf8')));
    const names = [
      ...new Set(
        asked.flatMap((entry) => [...entry.matchAll(/\bpg_[a-z_]+/g)].map(([name]) => name)),
      ),
    ];

    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text))).toEqual([]);
    await started.stop();
    await postgres.stop();
  });
});
