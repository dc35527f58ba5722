import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../modules/menus/snapshot/build-snapshot.ts';
import { migratedDatabase } from '../support/database.ts';
import { startGateway, type Gateway } from '../support/gateway.ts';
import { menuRows } from '../support/menu-rows.ts';
import { startStorefront, type Storefront } from '../support/storefront.ts';
import { describeWith, programForTests } from '../support/unless-mandatory.ts';

const SECONDS = 125;
const EVERY_MS = 50;
const WINDOW_MS = 60_000;

const nginx = await programForTests('nginx');

describeWith(nginx, 'menus of one client behind the gateway', () => {
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  const apis: Storefront[] = [];
  const gateways: Gateway[] = [];
  let path: string;

  beforeAll(async () => {
    database = await migratedDatabase();
    const rows = menuRows(database.db);
    const place = await rows.restaurant();
    await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
    const env = { TRUST_PROXY: 'private', RATE_LIMIT_MENU: '60' };
    for (let count = 0; count < 3; count += 1) apis.push(await startStorefront(database, { env }));
    const [alone, one, other] = apis.map(({ url }) => url) as [string, string, string];
    await buildSnapshot(apis[0]!.deps, place.organizationId);
    path = `/api/v1/menu?organization_id=${place.organizationErpId}`;
    gateways.push(
      await startGateway(nginx!, [alone, alone]),
      await startGateway(nginx!, [one, other]),
    );
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    for (const api of apis) await api.stop();
    await database?.close();
  });

  const statuses = new Set<number>();
  /** Sends 20 requests per second. Returns the times of the answered menus in ms. */
  async function answeredTimes({ url }: Gateway, address: string): Promise<number[]> {
    const began = performance.now();
    const answered: number[] = [];
    const sent: Promise<void>[] = [];
    for (let at = 0; at < (SECONDS * 1000) / EVERY_MS; at += 1) {
      await delay(Math.max(0, began + at * EVERY_MS - performance.now()));
      const headers = { 'x-forwarded-for': `${address}:${40_000 + (at % 1_000)}` };
      sent.push(
        fetch(url + path, { headers }).then(async (answer) => {
          const time = performance.now() - began;
          await answer.arrayBuffer();
          statuses.add(answer.status);
          if (answer.status === 200) answered.push(time);
        }),
      );
    }
    await Promise.all(sent);
    return answered.toSorted((a, b) => a - b);
  }

  test('[HTTP-78] one and two instances answer 60 menus in every window of 60 s for two minutes', async () => {
    const runs = await Promise.all(
      gateways.map((gateway, at) => answeredTimes(gateway, `203.0.113.${at + 1}`)),
    );

    expect(statuses).toEqual(new Set([200, 429]));
    for (const times of runs) {
      // Answers may arrive some ms after their requests were counted.
      const most = times.map(
        (time) => times.filter((other) => other >= time && other < time + WINDOW_MS - 500).length,
      );
      expect(Math.max(...most)).toBe(60);
      // The budget is renewed after each minute.
      expect(times.length).toBe(180);
    }
  });
});
