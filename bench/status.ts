import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createOrganizationClock } from '../modules/delivery/hours/organization-clock.ts';
import { readFacts } from '../modules/delivery/hours/read-facts.ts';
import { GUEST_WORDS } from '../modules/delivery/rules/guest-words.ts';
import { menuRows } from '../test/support/menu-rows.ts';
import { prepareProduct } from '../test/support/product.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { signIn } from '../packages/demo/seed/admin-api.ts';
import { ensureOpeningHours } from '../packages/demo/seed/opening-hours.ts';
import { sideBySide, ratioOf, record, startBare, told, type Round } from './support/side-by-side.ts';
import { loadGenerator } from './support/load.ts';
import { median, report, type Row } from './support/report.ts';

// `npm run carte -- bench status`: status and slots of a real API process with its limiter on,
// compared with bare node:http under the same load, at rest and while staff switch deliveries of
// that restaurant on and off twice a second, which changes configuration and status; and what it
// costs to write the answers of a thousand restaurants again, as happens once a second when all of
// them are requested.
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 10);
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 1_000);
const LEAST = 0.5;
const SWITCH_EVERY_MS = 500;
/** High enough never to be reached, so that the limiter counts every request. */
const LIMIT = '10000000';

const folder = await temporaryFolder('bench-status');
const product = await prepareProduct({ env: { LOG_LEVEL: 'warn', RATE_LIMIT_PUBLIC: LIMIT } });
const stops: (() => Promise<unknown>)[] = [];
try {
  const rows = menuRows(product.db);
  const connectionId = await rows.connection();
  const organizations: { id: number; erpId: string }[] = [];
  for (let count = 0; count < RESTAURANTS; count += 1) {
    const zone = ['Europe/Moscow', 'Asia/Vladivostok', 'Europe/Berlin'][count % 3];
    organizations.push(await rows.organization(connectionId, { time_zone: zone }));
  }
  const api = await product.startApi();
  const { email, password } = product.administrator;
  const staff = await signIn(api.url, email, password);
  await ensureOpeningHours(staff);
  // What was edited last is still on its way to the clocks of the API.
  await delay(2_000);

  const { id: organizationId, erpId } = organizations[0]!;
  const ordering = `/organizations/${organizationId}/ordering`;
  const paths = {
    'GET /organizations/{id}/status': `/api/v1/organizations/${erpId}/status`,
    'GET /delivery/slots': `/api/v1/delivery/slots?organization_id=${erpId}&type=DELIVERY`,
    'GET /context': `/api/v1/context?organization_id=${erpId}`,
  };
  const recorded = Object.fromEntries(
    await Promise.all(
      Object.values(paths).map(async (path, at) => [path, await record(api.url + path, {}, join(folder, `${at}`))]),
    ),
  ) as Parameters<typeof startBare>[1];
  const bare = await startBare(folder, recorded);
  stops.push(() => bare.stop());
  await delay(1_000);

  const load = loadGenerator();
  console.log(`${load.name}, ${ROUNDS} rounds of ${SECONDS} s, both servers at once; ${RESTAURANTS} restaurants`);
  const table: Row[] = [];
  const rounds: Record<string, Round[]> = {};
  const atRest = Object.entries(paths).map(([what, path]) => ({ what, path, isSwitched: false }));
  const switched = atRest.map((entry) => ({ ...entry, what: `${entry.what} while it is switched`, isSwitched: true }));
  for (const { what, path, isSwitched } of [...atRest, ...switched]) {
    const targets = {
      carte: { pid: api.child.pid!, url: api.url + path, headers: {} },
      yardstick: { pid: bare.pid, url: bare.url + path, headers: {} },
    };
    const stopSwitching = isSwitched ? switching() : undefined;
    const measured = await sideBySide(load, targets, { rounds: ROUNDS, seconds: SECONDS });
    const switches = await stopSwitching?.();
    const ratio = ratioOf(measured);
    rounds[what] = measured;
    table.push({
      what,
      measured: `${told(measured, 'carte')}${switches === undefined ? '' : `; ${switches} edits`}`,
      yardstick: `bare ${told(measured, 'yardstick')}`,
      ratio,
      bar: `≥ ${LEAST} × node:http`,
      reached: ratio >= LEAST,
    });
  }
  await report('status', [...table, ...(await writing())], { generator: load.name, restaurants: RESTAURANTS, rounds });

  /**
   * Switches deliveries of the restaurant off and on. The returned function stops this and returns
   * the number of switches.
   */
  function switching(): () => Promise<number> {
    const ended = new AbortController();
    const edits = (async () => {
      let count = 0;
      for (; !ended.signal.aborted; count += 1) {
        const { version, deliveryEnabled } = await staff.get<{ version: number; deliveryEnabled: boolean }>(ordering);
        await staff.patch(ordering, { version, deliveryEnabled: !deliveryEnabled });
        await delay(SWITCH_EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      }
      return count;
    })();
    return () => (ended.abort(), edits);
  }

  /**
   * Milliseconds for the answers of all restaurants, in this process: from the facts, and then in
   * each later second.
   */
  async function writing(): Promise<Row[]> {
    const ids = organizations.map((organization) => organization.id);
    const facts = await readFacts(product.db, ids, { since: 'today', timeZone: 'Europe/Moscow' });
    const begun = performance.now();
    const clocks = [...facts.values()].map((fact) => createOrganizationClock(fact, GUEST_WORDS.RU));
    const now = Date.now();
    for (const clock of clocks) clock.status(now);
    const planned = performance.now() - begun;
    const again = [1, 2, 3].map((second) => timed(() => clocks.map((clock) => clock.status(now + second * 1_000))));
    const slots = [1, 2, 3].map((minute) =>
      timed(() => clocks.map((clock) => clock.slots('DELIVERY', now + minute * 60_000, []))),
    );
    const row = (what: string, ms: number, most: number): Row => ({
      what: `${what}, ${RESTAURANTS} restaurants`,
      measured: `${ms.toFixed(0)} ms`,
      yardstick: '',
      ratio: null,
      bar: `≤ ${most} ms`,
      reached: ms <= most,
    });
    return [
      row('plans of a week and the first status', planned, 10_000),
      row('status of another second', median(again), 250),
      row('slots of another minute', median(slots), 10_000),
    ];
  }
} finally {
  for (const stop of stops.reverse()) await stop();
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}

function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}
