import type { Chain } from './chain.ts';
import { erpCalls } from './erp-calls.ts';

const LOOK_MS = 2_000;

/** Rates per second, CPU time in cores. */
type Use = {
  seconds: number;
  cores: Record<string, number>;
  erpCalls: Record<string, number>;
  historyEvents: number;
  databases: Record<
    'carte' | 'temporal',
    { walKiB: number; commits: number; mostConnections: number }
  >;
  dearestStatements: Awaited<ReturnType<Chain['dearestStatements']>>;
};

/** APIs and workers must not be replaced during `work`. */
export async function measureUse(chain: Chain, work: () => Promise<unknown>): Promise<Use> {
  const before = await read(chain);
  await chain.forgetStatements();
  const most = { carte: 0, temporal: 0 };
  const watch = setInterval(() => {
    void chain.databases().then(({ carte, temporal }) => {
      most.carte = Math.max(most.carte, carte.connections);
      most.temporal = Math.max(most.temporal, temporal.connections);
    });
  }, LOOK_MS);

  await work().finally(() => clearInterval(watch));
  const after = await read(chain);
  const seconds = (after.at - before.at) / 1_000;
  const rate = (end: number, begin: number | undefined) => (end - (begin || 0)) / seconds;
  const database = (part: 'carte' | 'temporal') => ({
    walKiB: rate(after.db[part].walBytes, before.db[part].walBytes) / 1_024,
    commits: rate(after.db[part].commits, before.db[part].commits),
    mostConnections: most[part],
  });

  return {
    seconds,
    cores: Object.fromEntries(
      Object.entries(after.cpu).map(([part, ms]) => [part, rate(ms, before.cpu[part]) / 1_000]),
    ),
    erpCalls: Object.fromEntries(
      [...after.erp].map(([key, calls]) => [key, rate(calls, before.erp.get(key))]),
    ),
    historyEvents: rate(after.events, before.events),
    databases: { carte: database('carte'), temporal: database('temporal') },
    dearestStatements: await chain.dearestStatements(),
  };
}

async function read(chain: Chain) {
  const [db, events, erp] = await Promise.all([
    chain.databases(),
    chain.historyEvents(),
    erpCalls(chain),
  ]);

  return { at: performance.now(), cpu: chain.processors(), db, events, erp };
}

export function useRows(use: Use): (readonly [what: string, measured: string])[] {
  const list = (values: Record<string, number>) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value.toFixed(2)}`)
      .join(', ');

  const database = ({ walKiB, commits, mostConnections }: Use['databases']['carte']) =>
    `${walKiB.toFixed(0)} KiB/s of log, ${commits.toFixed(0)} commits/s, at most ${mostConnections} connections`;

  return [
    ['cores', list(use.cores)],
    ['ERP calls per second', list(use.erpCalls)],
    ['PostgreSQL of the product', database(use.databases.carte)],
    ['PostgreSQL of Temporal', database(use.databases.temporal)],
    [
      'history events of executions that ended',
      `${use.historyEvents.toFixed(1)}/s over ${use.seconds.toFixed(0)} s`,
    ],
  ];
}
