import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StartFailure } from '../../platform/start-failure.ts';
import { resolveProductionTemporal } from '../../packages/dev/production-temporal.ts';
import { agreement, rest } from '../support/chaos/agreement.ts';
import { leftBehind } from '../support/chaos/aftermath.ts';
import { createDice } from '../support/chaos/dice.ts';
import { startForeignOrders } from '../support/chaos/foreign-orders.ts';
import { giftCounts, giftDifferences } from '../support/chaos/gift-aftermath.ts';
import { startGiftGuests } from '../support/chaos/gift-guests.ts';
import { openShop, ORDERS_ONLY } from '../support/chaos/order-chaos.ts';
import { orderClients } from '../support/chaos/order-clients.ts';
import { orderDifferences } from '../support/chaos/order-aftermath.ts';
import type { Part } from '../support/chaos/supervise.ts';
import { startChaosFixture, type ChaosProduct } from '../support/chaos/fixture.ts';
import { startCustomerProvider } from '../support/customer-provider.ts';
import { startGateway, type Gateway } from '../support/gateway.ts';
import { eventually, startEntry } from '../support/processes.ts';
import { repetitions } from '../support/repetitions.ts';
import { countRows } from '../support/rows.ts';
import { describeWith, programForTests } from '../support/unless-mandatory.ts';

const log = (line: string): void => void process.stderr.write(`rolling: ${line}\n`);
const ROUNDS = repetitions(1);
/** In the long run guests also send rejected requests, as fast as they can. */
const isLong = ROUNDS > 1;
const ORDERS = 60 * ROUNDS;
/** Concurrent guests who order and who read; in the long run as fast as they can. */
const ORDERERS = isLong ? 4 : 2;
const READERS = 6;
const READER_PAUSE_MS = isLong ? 5 : 40;
const ORDERER_PAUSE_MS = isLong ? 0 : 400;
const SEED = 20_261_124;
/** Slow answers on a busy machine are no failure, missing answers are. */
const PATIENCE_MS = 60_000;

const programs = await resolveProductionTemporal({ log }).catch((error: unknown) => {
  if (!(error instanceof StartFailure) || process.env['CI'] === 'true') throw error;
  log(error.message);
  return undefined;
});
const nginx = await programForTests('nginx');

/** Kinds of a reader's requests, in order. */
const KINDS = ['read', 'written'];
const ask = (url: string, options?: RequestInit): Promise<string> =>
  fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), ...options }).then(
    async (response) => (await response.arrayBuffer(), String(response.status)),
    (error: Error) => error.message,
  );

describeWith(programs && nginx, 'a release, process by process, while guests order', () => {
  let customers: Awaited<ReturnType<typeof startCustomerProvider>>;
  let fixture: ChaosProduct;
  let gateway: Gateway | undefined;
  let workers: Part[] = [];
  let isOver = false;
  beforeAll(async () => {
    customers = await startCustomerProvider();
    fixture = await startChaosFixture(programs!, {
      ...customers.env,
      SHUTDOWN_DRAIN: '3s',
      SHUTDOWN_GRACE: '25s',
    });
  }, 120_000);
  afterAll(async () => {
    isOver = true;
    await gateway?.stop();
    await Promise.all(workers.map((worker) => worker.stop()));
    await fixture?.stop();
    await customers?.stop();
  }, 60_000);

  test(
    '[OPS-45] a rolling update fails no request and repeats no order and no gift',
    async () => {
      const { product } = fixture;
      const { db, emulator } = product;
      workers = [1, 2].map((at) => fixture.superviseWorker(`worker ${at}`, () => ORDERS_ONLY));
      const second = await fixture.superviseApi('api 2');
      const apis = [fixture.api, second.part];
      await Promise.all([...apis, ...workers].map((part) => part.up()));
      await fixture.seeded();
      await startEntry('schedules:apply', 'workers/schedules-apply.ts', [], {
        ...product.env,
        ...ORDERS_ONLY,
      }).exited;
      gateway = await startGateway(nginx!, [fixture.apiUrl, second.url]);
      if (gateway === undefined) return log('there is no nginx: nothing was tried');
      const { url: apiUrl } = gateway;
      const { shop, terminalGroupIds, organizationIds } = await openShop(
        { product, apiUrl },
        ORDERS,
      );
      const gifts = await startGiftGuests(
        { ...fixture, apiUrl },
        { issuer: customers.issuer, orders: ORDERS, dice: createDice(SEED) },
      );
      await eventually('the first orders are asked for', async () =>
        (await countRows(db, 'order_revision')) > 0 ? true : undefined,
      );
      const foreign = startForeignOrders({
        emulator,
        organizationIds,
        terminalGroupIds,
        guests: gifts.guests,
        dice: createDice(SEED + 1),
        pauseMs: [300, 900],
        gifts: gifts.itemIds.map((productId) => ({ productId, productSizeId: null })),
      });

      const answered: Record<string, number> = {};
      const count = (said: string) => (answered[said] = (answered[said] ?? 0) + 1);
      const reader = async () => {
        while (!isOver) {
          const path = `/api/v1/menu?organization_id=${shop.organizationId}`;
          // The gateway must not repeat writes.
          const answers = [
            ask(apiUrl + path),
            ...(isLong ? [ask(`${apiUrl}/api/v1/cart`, { method: 'POST', body: '{}' })] : []),
          ];
          for (const [kind, said] of Object.entries(await Promise.all(answers)))
            count(`${KINDS[Number(kind)]} ${said}`);
          await delay(READER_PAUSE_MS);
        }
      };
      const reading = Promise.all(Array.from({ length: READERS }, reader));
      const ordering = orderClients({
        apiUrl,
        shop,
        nextGuest: async () => (await delay(ORDERER_PAUSE_MS), gifts.next()),
        atOnce: ORDERERS,
        dice: createDice(SEED + 2),
        log,
        patienceMs: PATIENCE_MS,
        count: Infinity,
        isOver: () => isOver,
      });
      const ends: unknown[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        for (const part of [...apis, ...workers]) {
          await delay(500);
          log(`${part.name} is replaced at ${new Date().toISOString()}`);
          ends.push(await part.replace());
        }
      isOver = true;
      const [clients] = await Promise.all([ordering, reading]);
      await gifts.stop();
      await foreign.stop();
      const differences = await agreement('orders and gifts agree with the ERP', async () => [
        ...(await orderDifferences(db, emulator, clients.placed)),
        ...(await giftDifferences(db, emulator, gifts, foreign)),
      ]);
      log(`differences: ${JSON.stringify(differences)}`);
      const left = await rest(() => leftBehind(db, fixture.client));
      const rights = await giftCounts(db);
      const counts = {
        answered,
        placed: clients.placed.size,
        ...clients.counts,
        rights,
        foreign: foreign.counts,
      };
      log(JSON.stringify(counts));
      const lines = product.logs().split('\n');
      for (const failure of clients.failures) {
        log(failure);
        const requestId = /"requestId":"([^"]+)"/.exec(failure)?.[1];
        if (requestId === undefined) continue;
        for (const line of lines.filter((entry) => entry.includes(requestId))) log(line);
      }
      if (clients.counts.failed > 0) log(gateway.output().slice(-3_000));
      for (const silence of clients.silences) log(`${silence}\n${gateway.output().slice(-1500)}`);
      const faults = lines.filter((line) => /"level":60|did not stop in time/.test(line));

      expect(Object.keys(answered).toSorted()).toEqual(
        isLong ? ['read 200', 'written 415'] : ['read 200'],
      );
      expect(clients.counts.failed).toBe(0);
      expect([
        clients.silences,
        clients.problems,
        clients.refused,
        differences,
        left,
        faults,
      ]).toEqual([[], [], [], [], {}, []]);
      expect(ends).toEqual(ends.map(() => 0));
      expect(clients.placed.size).toBeGreaterThan(10);
      expect(
        Object.entries(rights).filter(([what, count]) => what.endsWith('REDEEMED') && count > 0),
      ).not.toEqual([]);
    },
    15 * 60_000,
  );
});
