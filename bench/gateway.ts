import { once } from 'node:events';
import { createServer } from 'node:http';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { buildWorld } from '../packages/erp-emulator/data/world.ts';
import { startGateway } from '../test/support/gateway.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { loadGenerator } from './support/load.ts';
import { startNginx } from './support/nginx.ts';
import { report, type Row } from './support/report.ts';
import { ratioOf, sideBySide, told } from './support/side-by-side.ts';

// `npm run carte -- bench gateway`: nginx with ops/gateway.conf, which stores menus, compared with
// bare nginx `gzip_static` under load at the same time. A stub of the API behind the gateway
// answers 304 to each request.
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** As large as the largest menu of the demo. */
const MENU_BYTES = 328_000;

const folder = await temporaryFolder('bench-gateway');
const stops: (() => Promise<unknown>)[] = [];
try {
  // Texts of dishes, which compress as those of a menu do.
  const identity = Buffer.from(JSON.stringify([...buildWorld(1, 'demo').menus.values()]).slice(0, MENU_BYTES));
  const gzip = gzipSync(identity);
  const asked = { known: 0, sent: 0 };
  const api = createServer(({ headers }, response) => {
    const isKnown = headers['if-none-match'] === '"menu"';
    asked[isKnown ? 'known' : 'sent'] += 1;
    if (isKnown) return response.writeHead(304, { etag: '"menu"', 'x-accel-expires': '@1' }).end();
    return response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-encoding': 'gzip',
        'content-length': gzip.length,
        'cache-control': 'public, max-age=60',
        vary: 'Accept-Encoding',
        'x-accel-expires': '@1',
        etag: '"menu"',
      })
      .end(gzip);
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  stops.push(async () => {
    api.close().closeAllConnections();
  });
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const nginx = await startNginx(folder, identity, gzip);
  if (nginx === undefined) throw new Error('nginx is not installed: there is nothing to measure.');
  stops.push(() => nginx.process.stop());
  const gateway = await startGateway(nginx.program, [apiUrl, apiUrl]);
  stops.push(() => gateway.stop());

  const gzipped = { 'accept-encoding': 'gzip' };
  const url = `${gateway.url}/api/v1/menu?organization_id=1`;
  const load = loadGenerator();
  console.log(`${load.name}, ${ROUNDS} rounds of ${SECONDS} s, both servers at once; menu ${identity.length} bytes`);
  const rounds = await sideBySide(
    load,
    {
      carte: { pid: gateway.pid, url, headers: gzipped },
      yardstick: { pid: nginx.process.pid, url: nginx.url, headers: gzipped },
    },
    { rounds: ROUNDS, seconds: SECONDS },
  );
  const ratio = ratioOf(rounds);
  const row: Row = {
    what: 'GET /menu 200 gzip, stored by the gateway',
    measured: `${told(rounds, 'carte')}, API answered 304 ${asked.known} times and 200 ${asked.sent} times`,
    yardstick: `nginx gzip_static ${told(rounds, 'yardstick')}`,
    ratio,
    bar: '≥ 0.5 × nginx gzip_static',
    reached: ratio >= 0.5,
  };
  await report('gateway', [row], { generator: load.name, menuBytes: identity.length, rounds });
} finally {
  for (const stop of stops.reverse()) await stop();
  await rm(folder, { recursive: true, force: true });
}
