import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { request } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freeLowPort } from '../../../tools/ports.ts';
import { eventually, root, startProcess } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

// Caddy with `ops/Caddyfile` and a separate certificate authority, in front of a stand-in for the
// gateway.

const caddy = await programForTests('caddy');

describeWith(caddy, 'Caddy with ops/Caddyfile', () => {
  let gateway: Server;
  let received: { url: string; headers: IncomingHttpHeaders }[] = [];
  let port: number;
  let stop: () => Promise<void>;

  const get = (host: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        servername: host,
        rejectUnauthorized: false,
        path,
      };
      request({ ...options, headers: { host: `${host}:${port}`, ...headers } }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            type: response.headers['content-type'] ?? '',
            body,
          }),
        );
      })
        .on('error', reject)
        .end();
    });

  beforeAll(async () => {
    gateway = createServer((incoming, response) => {
      received.push({ url: incoming.url!, headers: incoming.headers });
      response.end('gateway');
    });
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    const folder = await temporaryFolder('caddy');
    const plain = await freeLowPort();
    port = await freeLowPort();
    // Uses ports above 1,024 and no administration port. Does not install the test authority.
    const options = `{\n\thttp_port ${plain}\n\thttps_port ${port}\n\tadmin off\n\tskip_install_trust\n}\n`;
    const config = join(folder, 'Caddyfile');
    await writeFile(config, options + (await readFile(`${root}ops/Caddyfile`, 'utf8')));
    const running = startProcess(
      'caddy',
      caddy!,
      ['run', '--adapter', 'caddyfile', '--config', config],
      {
        ...process.env,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        STOREFRONT_HOST: 'api.localhost',
        ADMIN_HOST: 'staff.localhost',
        CADDY_TLS: 'internal',
        GATEWAY: `127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      },
    );
    stop = async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    };
    // Caddy issues the certificates of the hosts one after the other.
    for (const host of ['staff.localhost', 'api.localhost'])
      await eventually(`Caddy serves ${host}`, async () => (await get(host, '/')).status === 200);
    received = [];
  });
  afterAll(async () => {
    await stop?.();
    gateway.close().closeAllConnections();
  });

  test('[OPS-85] the gateway forwards the storefront with only the address of the client', async () => {
    const answer = await get('api.localhost', '/api/v1/menu?organization_id=1', {
      'x-forwarded-for': '203.0.113.9',
    });

    expect(answer).toMatchObject({ status: 200, body: 'gateway' });
    expect(received.at(-1)).toMatchObject({
      url: '/api/v1/menu?organization_id=1',
      headers: { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
    });
  });

  test('[OPS-85] the storefront host serves no admin API, and the host of staff does', async () => {
    const before = received.length;
    for (const path of [
      '/api/admin',
      '/api/admin/v1/auth/login',
      '//api/admin/v1/me',
      '/api/%61dmin/v1/me',
    ]) {
      const answer = await get('api.localhost', path);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(answer.type).toContain('application/problem+json');
      expect(JSON.parse(answer.body)).toMatchObject({ status: 404, type: '/problems/not-found' });
    }

    expect(received).toHaveLength(before);
    expect((await get('staff.localhost', '/api/admin/v1/me')).status).toBe(200);
  });
});
