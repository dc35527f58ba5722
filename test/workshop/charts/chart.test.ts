import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../../modules/env.ts';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { composeServices, productServices } from '../../support/compose-services.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const KUBERNETES = 'v1.37.0';
const CHART = join(root, 'ops/helm/carte');

type Variable = {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
};
type Container = { command?: string[]; env?: Variable[] };
type KubernetesObject = {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec: {
    replicas?: number;
    strategy?: { rollingUpdate: { maxSurge: number } };
    template?: { spec: { containers: Container[]; terminationGracePeriodSeconds?: number } };
  };
};

const log = (line: string) => void process.stderr.write(`${line}\n`);
const helm = await programForTests('helm');
const kubeconform = await programForTests('kubeconform');

const isSecret = ({ name }: { name: string }): boolean =>
  (VARIABLES as Record<string, { secret?: boolean } | undefined>)[name]?.secret === true;

const { config: CONFIG } = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as {
  config: object;
};

const REQUIRED = {
  image: { repository: 'registry.example.com/carte' },
  secrets: { existingSecret: 'carte-secrets' },
  config: {
    ERP_URL: 'https://erp.example.com',
    PUBLIC_ORIGINS: 'https://shop.example.com',
    ADMIN_ORIGINS: 'https://staff.example.com',
    ADMIN_EMAIL: 'owner@example.com',
    TEMPORAL_ADDRESS: 'temporal.example.com:7233',
    MEDIA_S3_ENDPOINT: 'https://s3.example.com',
  },
};

const INSTALLATIONS: Readonly<Record<string, object>> = {
  'the required values': {},
  'one process for all work and no gateway': {
    gateway: { enabled: false },
    workers: { sync: null, order: null, build: null, all: { replicas: 1, pool: 10 } },
    podDisruptionBudget: false,
    storagePrepare: false,
  },
  'autoscaling, network policies and several workers': {
    api: { autoscaling: { enabled: true, maxReplicas: 6 } },
    workers: { order: { replicas: 3, pool: 10 } },
    database: { connections: 300 },
    networkPolicy: { enabled: true },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    imagePullSecrets: [{ name: 'registry' }],
    extraVolumes: [{ name: 'authority', configMap: { name: 'authority' } }],
    extraVolumeMounts: [{ name: 'authority', mountPath: '/etc/authority' }],
  },
  'network policies without a gateway': {
    gateway: { enabled: false },
    networkPolicy: { enabled: true },
  },
};

/** Copies the schemas with relative references: the package's URLs do not exist. */
async function copySchemas(target: string): Promise<string> {
  const library = join(dirname(await toolFolder('kubernetes-validate', log)), 'lib');
  const [python] = await readdir(library);
  const packaged = join(
    library,
    python!,
    'site-packages/kubernetes_validate/kubernetes-json-schema',
  );
  const source = join(packaged, `${KUBERNETES}-local-strict`);
  await mkdir(target);
  for (const file of await readdir(source)) {
    const text = await readFile(join(source, file), 'utf8');
    const schema = {
      ...(JSON.parse(text.replaceAll('/api/_definitions.json#', '_definitions.json#')) as object),
      $id: undefined,
    };
    await writeFile(join(target, file), JSON.stringify(schema));
  }
  return target;
}

describeWith(helm && kubeconform, 'the Helm chart', () => {
  let folder: string;
  let schemas: string;

  beforeAll(async () => {
    folder = await temporaryFolder('helm');
    schemas = await copySchemas(join(folder, 'schemas'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const values = async (changes: object): Promise<string> => {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify({ ...REQUIRED, ...changes }));
    return file;
  };
  const helmWith = async (command: string[], changes: object): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: folder };
    return (
      await promisify(execFile)(helm!, [...command, '--values', await values(changes)], { env })
    ).stdout;
  };
  const render = (changes: object) =>
    helmWith(
      ['template', 'shop', CHART, '--namespace', 'carte', '--kube-version', KUBERNETES],
      changes,
    );
  const renderObjects = async (changes: object) =>
    parseAllDocuments(await render(changes)).map((document) => document.toJS() as KubernetesObject);
  const findErrors = async (rendered: string): Promise<string> => {
    const file = join(folder, 'objects.yaml');
    await writeFile(file, rendered);
    const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`;
    return promisify(execFile)(kubeconform!, ['-strict', '-schema-location', location, file]).then(
      () => '',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    );
  };
  const listContainers = (objects: readonly KubernetesObject[]) =>
    objects.flatMap(({ metadata, spec }) =>
      (spec?.template?.spec.containers ?? []).map((container) => ({
        name: metadata.name,
        ...container,
      })),
    );

  test.each(Object.entries(INSTALLATIONS))(
    '[OPS-128] the chart is valid with %s',
    async (_, changes) => {
      expect(await helmWith(['lint', '--strict', CHART], changes)).toContain('0 chart(s) failed');
      expect(await findErrors(await render(changes))).toBe('');
    },
  );

  test("[OPS-128] the chart's validation rejects an unknown field and a wrong type", async () => {
    const rendered = await render({});

    expect(await findErrors(rendered.replace('maxUnavailable: 1', 'maxUnavailible: 1'))).toContain(
      'maxUnavailible',
    );
    expect(await findErrors(rendered.replace(/replicas: 2/, 'replicas: two'))).toContain(
      'replicas',
    );
  });

  test.each([
    ['no secret', { secrets: {} }, 'existingSecret'],
    ['an unknown value', { apis: {} }, 'apis'],
    ['no ERP', { config: { ...REQUIRED.config, ERP_URL: '' } }, 'ERP_URL'],
    ['an unknown role', { workers: { cook: { replicas: 1, pool: 2 } } }, 'cook'],
  ])('[OPS-128] the chart cannot be rendered with %s', async (_, changes, name) => {
    await expect(render(changes)).rejects.toMatchObject({ stderr: expect.stringContaining(name) });
  });

  test('[OPS-128] the chart accepts neither secrets nor its own settings in `config`', async () => {
    const { api } = Object.fromEntries(
      listContainers(await renderObjects({})).map(({ name, env = [] }) => [
        name.replace('shop-', ''),
        env,
      ]),
    );
    const own = api!.map(({ name }) => name).filter((name) => !(name in CONFIG));
    const settings = [
      ...Object.keys(VARIABLES).filter((name) => isSecret({ name })),
      ...own,
      'PORT',
      'OPS_PORT',
    ];

    for (const name of settings)
      await expect(render({ config: { ...REQUIRED.config, [name]: '1' } })).rejects.toMatchObject({
        stderr: expect.stringContaining(name),
      });
  });

  test('[OPS-128] the chart sets only variables of the product, and each secret variable from the secret', async () => {
    const containers = listContainers(await renderObjects({})).filter(
      ({ env }) => env !== undefined,
    );
    const variables = containers.flatMap(({ env }) => env!);

    expect(containers.length).toBeGreaterThan(7);
    expect(variables.filter(({ name }) => !(name in VARIABLES))).toEqual([]);
    expect(
      variables.filter((variable) => isSecret(variable) && variable.value !== undefined),
    ).toEqual([]);
    for (const { valueFrom, name } of variables.filter(
      (variable) => variable.valueFrom !== undefined,
    ))
      expect(valueFrom!.secretKeyRef).toMatchObject({ name: 'carte-secrets', key: name });
  });

  test('[OPS-128] each process has the command of compose and no other secrets than in compose', async () => {
    const containers = listContainers(await renderObjects({}));
    const commands = productServices.map(([, { command }]) => command!.join(' '));
    for (const { command, env } of containers.filter((container) => container.env !== undefined)) {
      const service = Object.values(composeServices).find(
        (other) => other.command?.join(' ') === command!.join(' '),
      );
      const secrets = env!
        .filter(({ valueFrom }) => valueFrom !== undefined)
        .map(({ name }) => name);
      // Compose runs Temporal itself, without a key.
      const own = [...Object.keys(service?.environment ?? {}), 'TEMPORAL_API_KEY'];

      expect(commands).toContain(command!.join(' '));
      expect({ command, foreign: secrets.filter((name) => !own.includes(name)) }).toEqual({
        command,
        foreign: [],
      });
    }
    expect(new Set(containers.flatMap(({ command }) => command?.join(' ') ?? []))).toEqual(
      new Set(commands),
    );
  });

  test('[OPS-128] migrations run before the processes are replaced, and again afterward', async () => {
    const jobs = (await renderObjects({})).filter(({ kind }) => kind === 'Job');
    const hooks = jobs.map(({ metadata: { name, annotations } }) => [
      name,
      annotations!['helm.sh/hook'],
    ]);

    expect(Object.fromEntries(hooks)).toEqual({
      'shop-temporal-prepare': 'pre-install,pre-upgrade',
      'shop-storage-prepare': 'pre-install,pre-upgrade',
      'shop-migrate': 'pre-install,pre-upgrade',
      'shop-schedules': 'post-install,post-upgrade',
      'shop-migrate-rest': 'post-upgrade',
    });
  });

  test('[OPS-128] the gateway uses ops/gateway.conf with the pods of the API', async () => {
    const conf = (await renderObjects({})).find(({ kind }) => kind === 'ConfigMap')!.data![
      'default.conf'
    ]!;
    const original = await readFile(join(root, 'ops/gateway.conf'), 'utf8');
    const lines = (text: string) => text.split('\n').map((line) => line.trim());
    const changed = lines(conf).filter((line) => !lines(original).includes(line));

    expect(changed).toEqual([
      'resolver kube-dns.kube-system.svc.cluster.local valid=5s ipv6=off;',
      'server shop-api-pods.carte.svc.cluster.local:8080 max_fails=0 resolve;',
    ]);
    expect(conf).not.toMatch(/api-[12]:/);
  });

  test('[OPS-128] a pod has enough time to drain and to complete its requests', async () => {
    const deployments = (await renderObjects({})).filter(
      ({ kind, metadata }) => kind === 'Deployment' && !/gateway/.test(metadata.name),
    );
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template!.spec;
      const seconds = (name: string) =>
        Number.parseInt(containers[0]!.env!.find((variable) => variable.name === name)!.value!, 10);

      expect(seconds('SHUTDOWN_DRAIN') + seconds('SHUTDOWN_GRACE')).toBeLessThan(
        terminationGracePeriodSeconds!,
      );
    }
    expect(deployments).toHaveLength(4);
  });

  test('[OPS-129] the chart counts the connections of a rolling update, and rejects too few', async () => {
    const deployments = (await renderObjects({})).filter(
      ({ spec }) => spec?.strategy !== undefined,
    );
    const commands = 4;
    // A terminating pod may keep its connections while its replacement runs.
    const needed = deployments.reduce((sum, { spec }) => {
      const pool = spec.template!.spec.containers[0]!.env!.find(
        ({ name }) => name === 'DATABASE_POOL',
      )!.value!;
      return sum + spec.replicas! * 2 * Number(pool);
    }, commands);

    await expect(render({ database: { connections: needed } })).resolves.toContain(
      'kind: Deployment',
    );
    await expect(render({ database: { connections: needed - 1 } })).rejects.toMatchObject({
      stderr: expect.stringContaining(`can open ${needed} connections`),
    });
    await expect(
      render({
        database: { connections: needed },
        api: { autoscaling: { enabled: true, maxReplicas: 9 } },
      }),
    ).rejects.toMatchObject({
      stderr: expect.stringContaining(`can open ${needed + 7 * 2 * 10} connections`),
    });
  });
});
