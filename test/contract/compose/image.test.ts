import { execFile } from 'node:child_process';
import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freeLowPort } from '../../../tools/ports.ts';
import { migratedDatabase } from '../../support/database.ts';
import { dockerContext, moduleClosure } from '../../support/docker-context.ts';
import { root, startProcess, untilReady } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { longTest } from '../../support/repetitions.ts';

const ENTRIES = [
  'api/main.ts',
  'workers/main.ts',
  'workers/schedules-apply.ts',
  'workers/temporal-update.ts',
  'workers/replay-live.ts',
  'workers/temporal-prepare.ts',
  'workers/storage-prepare.ts',
  'workers/prepare-bundle.ts',
  'workers/build-bundle.ts',
  'workflows/all.ts',
  'workflows/support/interceptors.ts',
  'tools/carte.mjs',
  'tools/migrate.ts',
  'tools/secrets-rotate.ts',
  'tools/keys-rotate.ts',
  'tools/audit-verify.ts',
];
const MOST_MEGABYTES = 200;

let isInContext: (path: string) => boolean;
let dependencies: Set<string>;
beforeAll(async () => {
  isInContext = await dockerContext('.dockerignore');
  dependencies = new Set(
    Object.keys(
      (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { dependencies: object })
        .dependencies,
    ),
  );
});

const closure = () => moduleClosure([...ENTRIES, ...globSync('migrations/*.ts', { cwd: root })]);

/** Files of a package; none if the package is for another platform. */
function listFiles(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return entry.name === 'node_modules' ? [] : listFiles(`${folder}/${entry.name}`);
    return entry.isFile() ? [`${folder}/${entry.name}`] : [];
  });
}

describe('the image of the product', () => {
  test('contains no secret, no log and no development files', () => {
    const outside = [
      '.env',
      '.env.production',
      '.env.example',
      'api/.env',
      'tools/.env.local',
      'workers/x.log',
      'x.log',
      '.carte/keys.json',
      '.git/config',
      'node_modules/pg/package.json',
      'test/support/api.ts',
      'packages/erp-emulator/main.ts',
      'bench/menu.ts',
      'packages/demo/seed/main.ts',
      'examples/storefront/index.html',
      'tools/start.ts',
      'tools/postgres.ts',
      'docker-compose.yml',
      'migrations/schema.snapshot.json',
    ];
    expect(outside.filter((path) => isInContext(path))).toEqual([]);
    expect(isInContext('api/main.ts')).toBe(true);
  });

  test('contains every module that its programs load, and every package', async () => {
    const { modules, packages } = await closure();
    expect(modules.size).toBeGreaterThan(500);
    expect([...modules].filter((file) => !isInContext(file))).toEqual([]);
    expect(
      globSync('migrations/base/*.sql', { cwd: root }).filter((file) => !isInContext(file)),
    ).toEqual([]);
    expect([...packages].filter((name) => !dependencies.has(name))).toEqual([]);
  });

  test(`contains packages of at most ${MOST_MEGABYTES} MB, Temporal's core for one platform only`, async () => {
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; link?: boolean }>;
    };
    const files = Object.entries(packages)
      .filter(
        ([path, { dev, link }]) =>
          path.startsWith('node_modules/') && dev !== true && link !== true,
      )
      .flatMap(([path]) => listFiles(path));
    const releases = globSync('node_modules/@temporalio/core-bridge/releases/*', { cwd: root });
    const isKept = (file: string) =>
      !/^node_modules\/(?:@opentelemetry|@orama|swagger-ui-dist)\/.*\.map$/.test(file) &&
      (!file.includes('core-bridge/releases/') ||
        file.startsWith('node_modules/@temporalio/core-bridge/releases/x86_64-unknown-linux-gnu'));
    const bytes = files
      .filter(isKept)
      .reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
    const dockerfile = await readFile(join(root, 'ops/Dockerfile'), 'utf8');

    expect(releases.length).toBeGreaterThan(1);
    expect(dockerfile).toContain('npm ci --omit=dev --workspaces=false');
    expect(dockerfile).toMatch(
      /find node_modules\/@temporalio\/core-bridge\/releases .*-unknown-linux-gnu" -exec rm/,
    );
    expect(dockerfile).toContain(
      `find node_modules/@opentelemetry node_modules/@orama node_modules/swagger-ui-dist -name '*.map' -delete`,
    );
    expect(bytes / 1e6).toBeGreaterThan(100);
    expect(bytes / 1e6).toBeLessThan(MOST_MEGABYTES);
  });
});

describe('the content of the image', () => {
  let folder: string;
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  beforeAll(async () => {
    folder = await temporaryFolder('image');
    database = await migratedDatabase();
    const { stdout } = await promisify(execFile)(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard'],
      {
        cwd: root,
        maxBuffer: 1e8,
      },
    );
    for (const file of stdout.split('\n').filter((path) => path !== '' && isInContext(path))) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(root, file), join(folder, file)).catch((error: NodeJS.ErrnoException) => {
        // A file that was deleted without a commit.
        if (error.code !== 'ENOENT') throw error;
      });
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  longTest('builds the bundle of workflows, migrates and serves', async () => {
    const run = promisify(execFile);
    const [port, opsPort] = [await freeLowPort(), await freeLowPort()];
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      ERP_URL: 'http://127.0.0.1:9',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 3).toString('base64')}`,
      CARTE_DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      OPS_PORT: String(opsPort),
      SHUTDOWN_DRAIN: '1ms',
    };
    const bundle = await run(process.execPath, [join(folder, 'workers/prepare-bundle.ts')], {
      env,
    });
    await run(process.execPath, [join(folder, 'tools/migrate.ts')], { env });
    const api = startProcess(
      'api of the image',
      process.execPath,
      [join(folder, 'api/main.ts')],
      env,
    );
    try {
      await untilReady(api, opsPort);
      const answers = await Promise.all(
        ['/api/v1/openapi.json', '/docs', '/problems'].map(
          async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
        ),
      );
      expect(answers).toEqual([200, 200, 200]);
      expect(bundle.stdout).toMatch(/workflow-bundles\/\w+\.js$/m);
    } finally {
      await api.stop();
    }
  });
});
