import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { VARIABLES } from '../../../modules/env.ts';
import { dockerContext, moduleClosure } from '../../support/docker-context.ts';
import { root } from '../../support/processes.ts';

type Service = {
  image: string;
  build?: { dockerfile: string };
  profiles?: string[];
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
};

const text = (path: string) => readFile(join(root, path), 'utf8');
const yaml = async <T>(path: string) => parse(await text(path), { merge: true }) as T;
const { services } = await yaml<{ services: Record<string, Service> }>('docker-compose.yml');
/** Services of a profile; null selects the services that always start. */
const of = (profile: string | null) =>
  Object.entries(services).filter(([, { profiles }]) =>
    profile === null ? profiles === undefined : profiles?.includes(profile),
  );
const needs = ({ depends_on: needed = [] }: Service) =>
  Array.isArray(needed) ? needed : Object.keys(needed);
/** Our files that a service mounts, by path in the container. */
const mounts = ({ volumes = [] }: Service) =>
  Object.fromEntries(
    volumes
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':').slice(0, 2) as [string, string])
      .map(([ours, theirs]) => [theirs, ours]),
  );

describe('the profiles of docker-compose.yml', () => {
  test('[OPS-56] start only on request, and the default services do not need them', () => {
    const names = (profile: string | null) => of(profile).map(([name]) => name);
    const extra = [...names('demo'), ...names('monitoring'), ...names('tls'), ...names('backup')];

    expect(names('demo')).toEqual(['emulator', 'demo-catalog']);
    expect(names('monitoring')).toEqual([
      'prometheus',
      'alertmanager',
      'postgres-exporter',
      'grafana',
    ]);
    expect(names('tls')).toEqual(['tls']);
    expect(names('backup')).toEqual(['backup', 'backup-upload']);
    expect(
      of(null)
        .flatMap(([, service]) => needs(service))
        .filter((name) => extra.includes(name)),
    ).toEqual([]);
    expect(of(null).filter(([, { image }]) => /demo|prom|grafana|caddy/.test(image))).toEqual([]);
  });

  test('name versions of images, and existing files', () => {
    const foreign = Object.values(services).filter(({ build }) => build === undefined);
    const files = Object.values(services).flatMap((service) => Object.values(mounts(service)));

    expect(foreign.filter(({ image }) => !/:v?\d/.test(image))).toEqual([]);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('[OPS-56] open no port to other machines unless GATEWAY_ADDRESS is set', () => {
    const open = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );

    const withoutTls = open.filter(([name]) => name !== 'tls');

    expect(withoutTls.filter(([, port]) => !port!.startsWith('127.0.0.1:'))).toEqual([
      ['gateway', '${GATEWAY_ADDRESS:-127.0.0.1}:8080:8080'],
    ]);
    expect(open.map(([name]) => name)).toEqual(expect.arrayContaining(['prometheus', 'grafana']));
  });
});

describe('the profile monitoring', () => {
  test('[OPS-56] reads the metrics of every process that keeps running, with the alerts of the product', async () => {
    type Config = {
      rule_files: string[];
      scrape_configs: {
        job_name: string;
        metrics_path?: string;
        static_configs?: { targets: string[]; labels: { role: string } }[];
        dns_sd_configs?: { names: string[]; port: number }[];
      }[];
    };
    const prometheus = services['prometheus']!;
    const place = prometheus
      .command!.map((part) => /^--config\.file=(.*)$/.exec(part)?.[1])
      .find(Boolean)!;
    const seen = mounts(prometheus);
    const config = await yaml<Config>(seen[place]!);
    const staying = of(null).filter(([name]) => /^(?:api|worker)-/.test(name));
    const listTargets = (job: string) =>
      config.scrape_configs
        .filter(({ job_name: name }) => name === job)
        .flatMap((scrape) => (scrape.static_configs ?? []).flatMap((entry) => entry.targets))
        .toSorted();

    expect(listTargets('carte')).toEqual(
      staying.map(([name]) => `${name}:${VARIABLES.OPS_PORT.fallback}`).toSorted(),
    );
    expect(listTargets('postgresql')).toEqual(['postgres-exporter:9187']);
    expect(listTargets('temporal')).toEqual([
      `temporal:${services['temporal']!.environment!['PROMETHEUS_ENDPOINT']!.split(':')[1]}`,
    ]);
    expect(config.rule_files.map((file) => seen[join(dirname(place), file)])).toEqual([
      './ops/prometheus/alerts.yml',
      './ops/prometheus/servers.yml',
    ]);
    // One target per process, so that alerts name the process that is down.
    expect(
      config.scrape_configs.flatMap((scrape) =>
        (scrape.static_configs ?? []).map(({ labels }) => labels.role),
      ),
    ).toEqual(['api', 'worker-sync', 'worker-order', 'worker-build', 'postgresql', 'temporal']);
  });

  test('[OPS-147] reads the metrics of the uploads while the profile backup runs', async () => {
    const config = await yaml<{ scrape_configs: Record<string, unknown>[] }>(
      'ops/prometheus/prometheus.yml',
    );
    const upload = await text('ops/backup/upload.sh');
    const [, port] = /METRICS_PORT:-(\d+)/.exec(upload)!;

    expect(config.scrape_configs.find((entry) => entry['job_name'] === 'backup')).toMatchObject({
      metrics_path: '/metrics.txt',
      dns_sd_configs: [{ names: ['backup-upload'], type: 'A', port: Number(port) }],
    });
    expect(of('backup').map(([name]) => name)).toContain('backup-upload');
    expect(services['backup-upload']!.environment!['BACKUP_EVERY_HOURS']).toBe(
      services['backup']!.environment!['BACKUP_EVERY_HOURS'],
    );
  });

  test("[OPS-56] shows our dashboards with Prometheus' data", async () => {
    const grafana = services['grafana']!;
    const seen = mounts(grafana);
    const provisioning = seen['/etc/grafana/provisioning']!;
    const { datasources } = await yaml<{
      datasources: { uid: string; type: string; url: string; isDefault: boolean }[];
    }>(`${provisioning}/datasources/prometheus.yml`);
    const { providers } = await yaml<{ providers: { options: { path: string } }[] }>(
      `${provisioning}/dashboards/carte.yml`,
    );
    const folder = seen[providers[0]!.options.path]!;
    const dashboards = await Promise.all(
      (await readdir(join(root, folder))).map(
        async (name) =>
          JSON.parse(await text(join(folder, name))) as {
            uid: string;
            templating: { list: { name: string; type: string; query: string }[] };
            panels: { datasource: { uid: string } }[];
          },
      ),
    );

    expect(datasources).toMatchObject([
      { type: 'prometheus', url: 'http://prometheus:9090', isDefault: true },
    ]);
    expect(services['prometheus']!.ports).toEqual(['127.0.0.1:9090:9090']);
    expect(dashboards.map(({ uid }) => uid).toSorted()).toEqual([
      'carte',
      'carte-erp',
      'carte-http',
      'carte-orders',
      'carte-saturation',
    ]);
    // A panel uses the default source of its type, unless another one is selected.
    for (const { templating, panels } of dashboards) {
      expect(templating.list).toMatchObject([
        { name: 'datasource', type: 'datasource', query: 'prometheus' },
      ]);
      expect(new Set(panels.map(({ datasource }) => datasource.uid))).toEqual(
        new Set(['${datasource}']),
      );
    }
  });

  test('[OPS-56] starts no Grafana without a password of its own', async () => {
    const { entrypoint = [], environment = {} } = services['grafana']!;
    const [shell = '', ...options] = entrypoint.map((part) =>
      part.replaceAll('$$', '$').replace('/run.sh', 'echo runs'),
    );
    const start = (password: string) =>
      promisify(execFile)(shell, options, { env: { GF_SECURITY_ADMIN_PASSWORD: password } });

    expect(environment['GF_SECURITY_ADMIN_PASSWORD']).toBe('${GRAFANA_ADMIN_PASSWORD:-}');
    await expect(start('')).rejects.toMatchObject({
      code: 1,
      stderr: 'GRAFANA_ADMIN_PASSWORD is not set\n',
    });
    await expect(start('a password')).resolves.toMatchObject({ stdout: 'runs\n' });
  });
});

describe('the profile demo', () => {
  const entries = of('demo').map(([, { command }]) => command!.at(-1)!);

  test("[OPS-57] uses a separate image of the emulator, of which the product's image contains nothing", async () => {
    const [product, demo] = await Promise.all(
      ['.dockerignore', 'ops/demo.Dockerfile.dockerignore'].map(dockerContext),
    );
    const { modules, packages } = await moduleClosure(entries);
    const ofDemo = [...modules].filter((file) => file.startsWith('packages/'));

    expect(entries).toEqual(['packages/erp-emulator/main.ts', 'packages/demo/seed/main.ts']);
    expect(new Set(of('demo').map(([, { build }]) => build?.dockerfile))).toEqual(
      new Set(['ops/demo.Dockerfile']),
    );
    expect([...modules].filter((file) => !demo!(file))).toEqual([]);
    expect([...packages]).toEqual(['sharp']);
    expect(await text('ops/demo.Dockerfile')).toContain('node_modules/sharp');
    expect(ofDemo.length).toBeGreaterThan(20);
    expect(ofDemo.filter((file) => product!(file))).toEqual([]);
    expect(['.env', 'api/main.ts', 'docs/emulator.md'].filter((file) => demo!(file))).toEqual([]);
  });

  test('[OPS-125] gives the program that builds the catalog the URL of the emulator', async () => {
    const { EMULATOR_PORT } = services['emulator']!.environment!;
    const read = [
      ...(await text('packages/demo/seed/main.ts')).matchAll(/(?:required\(|env\[)'(\w+)'/g),
    ];

    expect(services['demo-catalog']!.environment).toMatchObject({
      EMULATOR_URL: `http://emulator:${EMULATOR_PORT}`,
    });
    expect(read.map(([, name]) => String(name)).toSorted()).toEqual(
      Object.keys(services['demo-catalog']!.environment!).toSorted(),
    );
  });

  test('reports what the program that builds the catalog lacks', async () => {
    const start = promisify(execFile)(
      process.execPath,
      [join(root, 'packages/demo/seed/main.ts')],
      { env: {} },
    );

    await expect(start).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CARTE_URL must be set.'),
    });
  });
});

describe('the profile backup', () => {
  const runbook = text('docs/runbooks/restore.md');

  test('[OPS-99] archives within 45 seconds, and only if the operator enables it', async () => {
    const settings = services['postgres']!.command!;
    const upload = await text('ops/backup/upload.sh');

    expect(settings).toContain('-carchive_mode=${BACKUP_ARCHIVE:-off}');
    expect(settings).toContain('-carchive_timeout=30s');
    expect(settings).toContain(
      '-carchive_command=sh /backup/archive.sh "%p" "%f" /var/lib/postgresql/archive',
    );
    expect(upload).toContain('sleep 15\n');
    expect(await runbook).toContain('cut every 30 s and uploaded within 15 s');
  });

  test('[OPS-99] uploads archive, base backups, media and keys encrypted, and nothing without a passphrase', async () => {
    const { environment = {}, entrypoint = [], volumes = [] } = services['backup-upload']!;
    const start = promisify(execFile)('sh', ['ops/backup/upload.sh'], {
      cwd: root,
      env: { PATH: process.env['PATH'], BACKUP_PASSPHRASE: '', BACKUP_S3_BUCKET: 'backups' },
    });

    await expect(start).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('BACKUP_PASSPHRASE'),
    });
    expect(entrypoint).toEqual(['/bin/sh', '/backup/upload.sh']);
    expect(environment).toMatchObject({
      RCLONE_CONFIG_BACKUP_TYPE: 'crypt',
      ENCRYPTION_KEYS: '${ENCRYPTION_KEYS:?}',
      RCLONE_CONFIG_MEDIA_ENDPOINT: 'http://storage:8333',
    });
    expect(volumes).toEqual(services['backup']!.volumes);
  });

  test('[OPS-99] names in its runbook services, scripts and a command that exist', async () => {
    const commands = [...(await runbook).matchAll(/^ *(docker compose .*)$/gm)].map(
      ([, line]) => line!,
    );
    const named = commands.flatMap(
      (line) => line.match(/\b(?:backup-upload|postgres|temporal|worker-order|storage)\b/g) ?? [],
    );
    const scripts = commands.flatMap((line) =>
      [...line.matchAll(/\/backup\/(\S+\.sh)/g)].map(([, name]) => name!),
    );

    expect(commands.length).toBeGreaterThan(6);
    expect(named.filter((name) => !(name in services))).toEqual([]);
    expect(scripts).toEqual(['restore.sh']);
    expect(commands.join('\n')).toContain('npm run carte -- restore:reconcile --restored-to');
    expect(await text('.dockerignore')).toContain('!tools/restore-reconcile.ts\n');
  });
});
