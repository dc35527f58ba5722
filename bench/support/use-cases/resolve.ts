import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '../../../api/routes.ts';
import { createDeliveryMaps } from '../../../modules/delivery/zones/delivery-map.ts';
import { saveZones } from '../../../modules/mirror/zones/save-zones.ts';
import { createAnomalies } from '../../../modules/mirror/rules/anomalies.ts';
import {
  deliveryMapRows,
  type DeliveryMapRows,
} from '../../../modules/mirror/rules/delivery-map.ts';
import { closeServer, listen } from '../../../platform/http-server.ts';
import { startTestApi, type TestApi } from '../../../test/support/api.ts';
import { aConnection } from '../../../test/support/connection.ts';
import { migratedDatabase } from '../../../test/support/database.ts';
import { buildDeliveryMap, rule } from '../../../test/support/delivery-map.ts';
import type { Row } from '../report.ts';
import { plus, updateRows } from '../../../test/support/rows.ts';

const ORGANIZATIONS = 200;
const ZONES_EACH = 25;
const CORNERS = 24;
const PER_SECOND = 50;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const LIMIT_MS = 5;

/**
 * Measures `POST /delivery/resolve` by coordinates at a fixed rate, with 5,000 polygons, and after
 * a change of the map. Baseline: bare node:http.
 */
export async function measureResolve(): Promise<Row[]> {
  const database = await migratedDatabase();
  const api = await startTestApi({
    routes,
    database,
    env: { RATE_LIMIT_ADDRESSES: 'off', LOG_LEVEL: 'warn' },
    deps: { deliveryMaps: createDeliveryMaps(database.db) },
  });

  const bare = createServer((request, response) => {
    request
      .resume()
      .once('end', () =>
        response.setHeader('content-type', 'application/json').end('{"resolved":true}'),
      );
  });

  try {
    await drawMap(api);
    const barePort = await listen(bare, { host: '127.0.0.1', port: 0, what: 'The yardstick' });
    const resolve = `${api.url}/api/v1/delivery/resolve`;
    await load(resolve, 1);
    const yardstick = await load(`http://127.0.0.1:${barePort}/`, SECONDS);
    const measured = await load(resolve, SECONDS);
    await updateRows(api.deps.db, 'mirror_delivery_defaults', { revision: plus('revision', 1) });
    await delay(1_000);
    const begun = performance.now();
    await ask(resolve, 0);
    const reloadMs = performance.now() - begun;
    const p95 = quantile(measured, 0.95);
    const row = (share: number, bar: boolean): Row => ({
      what: `resolve by coordinates, p${share * 100}`,
      measured: `${quantile(measured, share).toFixed(2)} ms`,
      yardstick: `bare node:http ${quantile(yardstick, share).toFixed(2)} ms`,
      ratio: quantile(measured, share) / quantile(yardstick, share),
      bar: bar ? `≤ ${LIMIT_MS} ms` : '',
      reached: !bar || p95 <= LIMIT_MS,
    });

    return [
      row(0.5, false),
      row(0.95, true),
      row(0.99, false),
      {
        what: 'first resolve after a change of the map',
        measured: `${reloadMs.toFixed(0)} ms`,
        yardstick: '',
        ratio: null,
        bar: '',
        reached: true,
      },
    ];
  } finally {
    await closeServer(bare);
    await api.stop();
    await database.close();
  }
}

/** Zones of each organization cover one row of latitude, so that every point is in a zone. */
async function drawMap(api: TestApi): Promise<void> {
  const { db } = api.deps;
  const { id } = await aConnection(db, 'bench');
  const organizations = await db.query<{ id: number; erpId: string }>(
    `insert into mirror_organization (connection_id, erp_id, name, time_zone, raw, synchronized_at)
     select $1::bigint, gen_random_uuid(), 'Restaurant ' || n, 'Europe/Moscow', '{}', now()
       from generate_series(1, ${ORGANIZATIONS}) n returning id, erp_id as "erpId"`,
    [id],
  );

  const maps = new Map<number, DeliveryMapRows>();

  for (const [row, organization] of organizations.entries()) {
    const zones = Array.from({ length: ZONES_EACH }, (_, column) => ({
      name: `Zone ${column}`,
      coordinates: circle(column, row),
    }));

    const rules = zones.flatMap(({ name }) => [31, 96].map((weekMap) => rule(name, { weekMap })));
    maps.set(
      organization.id,
      deliveryMapRows(buildDeliveryMap(organization.erpId, zones, rules), createAnomalies()),
    );
  }

  await db.transaction((tx) => saveZones(tx, maps));
}

function circle(column: number, row: number) {
  return Array.from({ length: CORNERS }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / CORNERS;
    return {
      longitude: 30 + 0.1 * column + 0.05 * Math.cos(angle),
      latitude: 50 + 0.1 * row + 0.05 * Math.sin(angle),
    };
  });
}

/** Sends a request for a location that depends on `number` and lies in a zone. */
async function ask(url: string, number: number): Promise<void> {
  const [column, row] = [number % ZONES_EACH, (number * 7) % ORGANIZATIONS];
  const coords = [30.01 + 0.1 * column, 50.01 + 0.1 * row];
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ coords }),
  });

  const { resolved } = (await answer.json()) as { resolved: boolean };
  if (!resolved) throw new Error(`${answer.status}: no zone at ${coords.join(', ')}`);
}

async function load(url: string, seconds: number): Promise<number[]> {
  const running: Promise<number>[] = [];
  const begun = performance.now();

  for (let sent = 0; sent < seconds * PER_SECOND; sent += 1) {
    await delay(Math.max(0, begun + (sent * 1000) / PER_SECOND - performance.now()));
    const at = performance.now();
    running.push(ask(url, sent).then(() => performance.now() - at));
  }

  return Promise.all(running);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
}
