import { connectionSyncWorkflow, importLock } from '../../modules/mirror/messages/sync.ts';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../platform/log.ts';
import { connectTemporal } from '../../platform/temporal.ts';
import { workflowSinks } from '../../workers/temporal-workers.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import type { AdminClient } from '../support/admin-client.ts';
import { prepareProduct, type Product, type RunningApi } from '../support/product.ts';
import { eventually } from '../support/processes.ts';
import { temporalRuntime } from '../support/temporal-runtime.ts';
import { testCache } from '../support/temporary-folder.ts';
import {
  tracedTo,
  traceReceiver,
  type ReceivedSpan,
  type TraceReceiver,
} from '../support/trace-receiver.ts';
import { selectRows } from '../support/rows.ts';

/** Reports every OpenTelemetry module that a process loads. */
const TELLS_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (found.url.includes('/@opentelemetry/')) process.stderr.write('loads ' + found.url + String.fromCharCode(10));
    return found;
  } });
`)}`;

let receiver: TraceReceiver;
let product: Product;
let api: RunningApi;
let admin: AdminClient;
let connectionId: number;
let legalEntityId: number;
beforeAll(async () => {
  receiver = await traceReceiver();
  product = await prepareProduct();
  const traced = tracedTo(receiver.url);
  [, api] = await Promise.all([product.startWorker(traced), product.startApi(traced)]);
  admin = await product.signIn(api);
  const franchisee = await admin.post<{ id: number }>('/franchisees', { name: 'Franchisee' });
  legalEntityId = (
    await admin.post<{ id: number }>('/legal-entities', {
      franchiseeId: franchisee.id,
      name: 'Entity',
    })
  ).id;
  connectionId = await createConnection(admin, 'Account');
});
afterAll(async () => {
  await product?.stop();
  await receiver?.stop();
});

async function createConnection(by: AdminClient, name: string): Promise<number> {
  const { apiLogin } = product.emulator;
  return (await by.post<{ id: number }>('/connections', { legalEntityId, name, apiLogin })).id;
}

/** Waits for the last (ZONES) or first job of a connection's first import. */
const isImported = (connection: number, job: 'ZONES' | 'ORGANIZATIONS' = 'ZONES') =>
  eventually('the connection is imported', async () => {
    const [run] = await selectRows(product.db, 'sync_run', '*', {
      connectionId: connection,
      job,
      status: 'SUCCESS',
    });
    return run;
  });

/** The names of a span and its ancestors. */
function wayUp(span: ReceivedSpan): string[] {
  const parent = receiver
    .spans()
    .find(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId);
  if (span.parentSpanId !== undefined && span.parentSpanId !== '' && parent === undefined)
    return [span.name, 'a span that was not sent'];
  return [span.name, ...(parent === undefined ? [] : wayUp(parent))];
}

describe('a command that calls the ERP', () => {
  test('[OPS-51] forms one trace from the request to the statements', async () => {
    await isImported(connectionId);
    const request = await eventually('the request is sent', async () =>
      receiver.spans().find(({ name }) => name === 'POST /api/admin/v1/connections'),
    );
    const trace = () => receiver.spans().filter(({ traceId }) => traceId === request.traceId);
    // Processes send their spans in any order.
    for (const name of ['RunWorkflow:connectionSync', 'deliver ConnectionChanged'])
      await eventually(`${name} is sent`, async () => trace().find((span) => span.name === name));
    const call = trace().find(({ name }) => name === 'POST /api/1/organizations')!;
    const statement = trace().find(
      ({ name, attributes }) =>
        name === 'INSERT' && /mirror_organization/.test(String(attributes['db.query.text'])),
    )!;
    const ofImport = [
      'RunActivity:importOrganizations',
      'RunWorkflow:organizationsImport',
      'RunWorkflow:connectionSync',
      'StartWorkflow:connectionSync',
      'deliver ConnectionChanged',
      'POST /api/admin/v1/connections',
    ];

    expect(wayUp(call)).toEqual(['POST /api/1/organizations', ...ofImport]);
    expect(wayUp(statement)).toEqual(['INSERT', ...ofImport]);
    expect(new Set(trace().map(({ service }) => service))).toEqual(
      new Set(['carte-api', 'carte-worker-all']),
    );
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/admin/v1/connections',
      'http.response.status_code': 201,
    });
    expect(call.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    expect(statement.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.name': 'INSERT',
    });
  });

  test('[OPS-51] appears with its trace in the log lines of both processes', async () => {
    const request = receiver.spans().find(({ name }) => name === 'POST /api/admin/v1/connections')!;
    const lines = product
      .logs()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { service: string; traceId?: string })
      .filter(({ traceId }) => traceId === request.traceId);

    expect(new Set(lines.map(({ service }) => service))).toEqual(new Set(['api', 'worker-all']));
  });

  test('[OPS-51] creates executions that replay with the trace', async () => {
    temporalRuntime();
    const temporal = await connectTemporal({ ...product.temporal, identity: 'test' });
    const codePath = await workflowBundle(
      testCache,
      createLog({ service: 'test', level: 'silent' }),
    );
    for (const id of [
      connectionSyncWorkflow.id({ connectionId }),
      importLock({ job: 'ORGANIZATIONS', connectionId }),
    ]) {
      const history = await temporal.client.workflow.getHandle(id).fetchHistory();
      expect(JSON.stringify(history)).toContain('traceparent');
      await Worker.runReplayHistory(
        { workflowBundle: { codePath }, sinks: workflowSinks() },
        history,
      );
    }
    await temporal.close();
  });
});

test('[OPS-51] a rejection contains its trace id, and a caller cannot choose one', async () => {
  const response = await admin.raw('GET', '/products/999999', undefined, {
    traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
  });
  const { traceId, requestId } = (await response.json()) as { traceId: string; requestId: string };
  const span = await eventually('the request is sent', async () =>
    receiver
      .spans()
      .find((entry) => entry.traceId === traceId && entry.attributes['http.route'] !== undefined),
  );

  expect(requestId).toBeTruthy();
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(traceId).not.toBe('1'.repeat(32));
  expect(span.attributes['http.response.status_code']).toBe(response.status);
});

test('[OPS-51] reads of guests before Koa are not traced', async () => {
  const response = await fetch(
    `${api.url}/api/v1/menu?organization_id=00000000-0000-4000-8000-000000000000`,
  );
  const problem = (await response.json()) as object;
  // A span of the first read would have arrived before the span of this read.
  const { traceId } = (await (await admin.raw('GET', '/products/999999')).json()) as {
    traceId: string;
  };
  await eventually('a later request is sent', async () =>
    receiver.spans().find((span) => span.traceId === traceId && span.name.startsWith('GET /')),
  );

  expect(problem).toHaveProperty('requestId');
  expect(problem).not.toHaveProperty('traceId');
  expect(
    receiver.spans().filter(({ attributes }) => attributes['http.route'] === '/api/v1/menu'),
  ).toEqual([]);
});

test('[OPS-53] spans contain no secret, no address and no value of a statement', async () => {
  const { emulator, administrator, env } = product;
  const secrets = [
    emulator.apiLogin,
    administrator.password,
    administrator.email,
    env['WEBHOOK_SECRET']!,
    env['ENCRYPTION_KEYS']!,
    admin.accessToken,
    // Names of the connection and its owners.
    'Franchisee',
    'Account',
  ];
  const told = receiver.spans().map(({ name, attributes }) => JSON.stringify([name, attributes]));
  const statements = receiver
    .spans()
    .flatMap(({ attributes }) => String(attributes['db.query.text'] ?? ''));

  expect(statements.filter((text) => text.includes('$1')).length).toBeGreaterThan(20);
  for (const secret of secrets) expect(told.filter((text) => text.includes(secret))).toEqual([]);
  expect(told.filter((text) => /eyJ[\w-]{5,}\.|Bearer|\?organization_id/.test(text))).toEqual([]);
  expect(statements.filter((text) => text.includes("'"))).toEqual([]);
});

describe('disabled tracing', () => {
  const listModules = async (extra: NodeJS.ProcessEnv) => {
    const started = await product.startApi({ ...extra, NODE_OPTIONS: `--import=${TELLS_MODULES}` });
    const response = await fetch(`${started.url}/api/admin/v1/connections`);
    const problem = (await response.json()) as object;
    await started.stop();
    const loaded = started.output().matchAll(/^loads .*\/@opentelemetry\/([\w-]+)\//gm);
    return { names: [...new Set(Array.from(loaded, ([, name]) => name))], problem };
  };

  test('[OPS-52] loads nothing of the SDK, and no rejection contains a trace id', async () => {
    const [off, on] = [await listModules({}), await listModules(tracedTo(receiver.url))];

    // prom-client itself loads the API package of OpenTelemetry.
    expect(off.names).toEqual(['api']);
    expect(off.problem).not.toHaveProperty('traceId');
    expect(on.names).toEqual(
      expect.arrayContaining(['api', 'exporter-trace-otlp-http', 'sdk-trace']),
    );
    expect(on.problem).toHaveProperty('traceId');
  });
});

describe('a receiver of traces', () => {
  /** Waiting for the receiver (up to 30 s) would exceed the grace time. */
  const IMPATIENT = { SHUTDOWN_GRACE: '20s', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };

  async function workBeside(url: string): Promise<number | string> {
    const name = `Beside ${url}`;
    const beside = await product.startApi({ ...tracedTo(url), ...IMPATIENT });
    const id = await createConnection(await product.signIn(beside), name);
    const code = await beside.stop();
    // The new connection's restaurants belong to the first connection, so its other imports end
    // early.
    await isImported(id, 'ORGANIZATIONS');
    return code;
  }

  test('[OPS-54] delays and loses nothing while it is unavailable', async () => {
    expect(await workBeside('http://127.0.0.1:9')).toBe(0);
  });

  test('[OPS-54] delays and loses nothing if it accepts everything and never answers', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      expect(await workBeside(url)).toBe(0);
    } finally {
      silent.close();
    }
  });
});
