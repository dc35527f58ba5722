import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readEnv } from '../../modules/env.ts';
import { describeStartFailure } from '../../platform/start-failure.ts';
import { connectTemporal } from '../../platform/temporal.ts';
import { TEMPORAL_SERVER, temporalServer } from '../../platform/temporal-server.ts';
import { startEntry } from '../support/processes.ts';
import { prepareProduct, type Product } from '../support/product.ts';
import { testTemporal } from '../support/temporal.ts';
import { certificate } from '../support/tls-certificates.ts';
import { refusingTemporal, startTlsProxy, type TlsFront } from '../support/tls-temporal.ts';
import { countRows } from '../support/rows.ts';

let behind: Awaited<ReturnType<typeof testTemporal>>;
let front: TlsFront;
let product: Product;
beforeAll(async () => {
  behind = await testTemporal({ isBare: true });
  front = await startTlsProxy(behind.address);
  product = await prepareProduct({
    temporal: { address: front.address, namespace: behind.namespace },
  });
});
afterAll(async () => {
  await product.stop();
  await front.close();
  await behind.stop();
});

const TRUSTED = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificate('authority.pem'),
  TEMPORAL_TLS_SERVER_NAME: 'localhost',
};
const IDENTIFIED = {
  ...TRUSTED,
  TEMPORAL_TLS_CLIENT_CERT_PATH: certificate('client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: certificate('client.key'),
};

const read = (settings: Record<string, string>) =>
  readEnv({ ...settings, TEMPORAL_NAMESPACE: behind.namespace }, TEMPORAL_SERVER);

async function said(settings: Record<string, string>): Promise<string> {
  try {
    const server = temporalServer(read({ TEMPORAL_ADDRESS: front.address, ...settings }));
    await (await connectTemporal({ ...server, identity: 'test' })).close();
    return 'connected';
  } catch (error) {
    return describeStartFailure(error);
  }
}

describe('Temporal behind TLS with client certificates', () => {
  test('[OPS-29] allows preparing the namespace and building menus with an API and a worker', async () => {
    const prepare = startEntry('prepare', 'workers/temporal-prepare.ts', [], {
      ...product.env,
      ...IDENTIFIED,
    });
    expect([await prepare.exited, prepare.output()]).toEqual([
      0,
      expect.stringContaining('"namespace":"created"'),
    ]);

    const [, api] = await Promise.all([
      product.startWorker(IDENTIFIED),
      product.startApi(IDENTIFIED),
    ]);
    await product.seed(api.url);
    await product.settled();

    expect(await countRows(product.db, 'snapshot')).toBeGreaterThan(0);
    expect(new Set(front.clients)).toEqual(new Set(['carte_by_certificate']));
  });

  test('[OPS-29] reports a wrong setting with its cause', async () => {
    const noAnswer = `Temporal does not answer at ${front.address} over TLS; check TEMPORAL_ADDRESS and the settings TEMPORAL_TLS_….`;
    const another = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificate('another-authority.pem') };
    const answers = await Promise.all([
      said(TRUSTED),
      said({ ...IDENTIFIED, ...another }),
      said({ ...IDENTIFIED, TEMPORAL_TLS_SERVER_NAME: 'temporal.example' }),
      said({ ...IDENTIFIED, TEMPORAL_TLS_CLIENT_KEY_PATH: '/nowhere/client.key' }),
      said({}),
    ]);

    expect(answers).toEqual([
      noAnswer,
      noAnswer,
      noAnswer,
      'The file "/nowhere/client.key" of TEMPORAL_TLS_CLIENT_KEY_PATH cannot be read.',
      `Temporal does not answer at ${front.address}; check TEMPORAL_ADDRESS.`,
    ]);
  });
});

describe('API keys of Temporal', () => {
  test('[OPS-29] travel over TLS, and a rejection is reported', async () => {
    const temporal = await refusingTemporal();
    try {
      const settings = {
        ...TRUSTED,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_API_KEY: 'a-key-of-the-namespace',
      };

      expect(await said(settings)).toBe(
        `Temporal at ${temporal.address} rejects the connection; check TEMPORAL_API_KEY and TEMPORAL_TLS_CLIENT_CERT_PATH.`,
      );
      expect(temporal.authorizations).toEqual(['Bearer a-key-of-the-namespace']);
    } finally {
      await temporal.close();
    }
  });

  test('[OPS-29] never travel in plain text', () => {
    expect(() => read({ TEMPORAL_API_KEY: 'a-key', TEMPORAL_TLS: 'false' })).toThrow(
      'TEMPORAL_TLS must not be false',
    );
    expect(temporalServer(read({ TEMPORAL_API_KEY: 'a-key' }))).toMatchObject({
      apiKey: 'a-key',
      tls: {},
    });
  });
});
