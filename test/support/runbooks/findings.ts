import { upkeepSteps, type UpkeepDeps } from '../../../activities/upkeep.ts';
import { routes } from '../../../api/routes.ts';
import { eventually } from '../processes.ts';
import { CALLS } from './calls.ts';
import { filled, type Ids, type Section } from './pages.ts';
import type { Provoked, Row, RunbookProduct } from './fixture.ts';

/** Temporal's visibility store lags by about a second. */
const PATIENCE_MS = 5_000;

export const ofProcedure = (provoked: Provoked): Provoked => ({
  ...provoked,
  row: provoked.ofProcedure ?? provoked.row,
});

export async function misses(
  fixture: RunbookProduct,
  section: Section,
  provoked: Provoked,
): Promise<string[]> {
  const ids = { connection: fixture.connectionId, ...provoked.ids };
  const [changes, questions] = [true, false].map((isChange) =>
    section.statements.filter((statement) => statement.startsWith('update') === isChange),
  );
  const looks = [
    ...questions!.map((statement, at) =>
      findsRow(fixture, statement, { ...provoked, row: findRow(provoked, at) }),
    ),
    ...section.queries.map((query) => findsExecution(fixture, filled(query, ids))),
    ...section.executions.map((id) => hasExecution(fixture, filled(id, ids))),
    ...section.schedules.map((id) => hasSchedule(fixture, filled(id, ids))),
    ...section.steps.map((step) => hasStep(step)),
    ...section.relays.map((relay) => hasRelay(fixture, relay)),
    statusHas(fixture, section.statusFields),
  ];
  const missed = (await Promise.all(looks.map(said))).flat();
  for (const statement of changes!)
    if ((await fixture.db.execute(statement)) === 0)
      missed.push(`no row was changed by ${statement}`);
  return missed;
}

const said = (look: Promise<unknown>): Promise<string[]> =>
  look.then(
    () => [],
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );

function findRow({ row }: Provoked, at: number): Row {
  const wanted = Array.isArray(row) ? (row as readonly Row[])[at] : (row as Row);
  if (wanted === undefined) throw new Error(`nothing says what statement ${at + 1} finds`);
  return wanted;
}

async function findsRow(
  { sql }: RunbookProduct,
  statement: string,
  { row, noRow, ids = {} }: Provoked & { row: Row },
): Promise<void> {
  const rows = await sql(
    statement.replace('00000000-0000-0000-0000-000000000000', String(ids['order'])),
  );
  if (!rows.some((found) => agrees(found, row)))
    throw new Error(
      `no row ${JSON.stringify(row)} in ${JSON.stringify(rows).slice(0, 600)} of ${statement}`,
    );
  if (noRow !== undefined && rows.some((found) => agrees(found, noRow)))
    throw new Error(`a row ${JSON.stringify(noRow)} in ${JSON.stringify(rows)}`);
}

function agrees(found: Record<string, unknown>, wanted: Row): boolean {
  return Object.entries(wanted).every(([name, value]) =>
    typeof value === 'function'
      ? (value as (is: unknown) => boolean)(found[name])
      : found[name] === value,
  );
}

async function findsExecution({ client }: RunbookProduct, query: string): Promise<void> {
  await eventually(
    `an execution of ${query}`,
    async () => {
      for await (const execution of client.workflow.list({ query })) return execution;
      return undefined;
    },
    PATIENCE_MS,
  );
}

/** Ids of scheduled executions end with the time of the start. */
async function hasExecution({ client }: RunbookProduct, id: string): Promise<void> {
  await eventually(
    `an execution ${id}`,
    async () => {
      for await (const { workflowId } of client.workflow.list({
        query: `WorkflowId STARTS_WITH "${id}"`,
      }))
        if (workflowId === id || /^-\d{4}-\d{2}-\d{2}T/.test(workflowId.slice(id.length)))
          return workflowId;
      return undefined;
    },
    PATIENCE_MS,
  );
}

async function hasSchedule({ client }: RunbookProduct, id: string): Promise<void> {
  await client.schedule
    .getHandle(id)
    .describe()
    .catch((error: unknown) => Promise.reject(new Error(`${id}: ${String(error)}`)));
}

async function hasStep(step: string): Promise<void> {
  if (!(step in upkeepSteps({} as UpkeepDeps))) throw new Error(`upkeep has no step ${step}`);
}

async function hasRelay({ running, scrape }: RunbookProduct, relay: string): Promise<void> {
  const { samples } = await scrape();
  const isKnown = samples.some(
    ({ name, labels }) =>
      name === 'carte_relay_success_timestamp_seconds' && labels['relay'] === relay,
  );
  if (running.worker !== null && !isKnown) throw new Error(`no worker has the relay ${relay}`);
}

/** Paths are relative to the root or to a path named before. */
async function statusHas(
  { admin, running }: RunbookProduct,
  paths: readonly string[],
): Promise<void> {
  if (running.api === null) return;
  const status = await admin.get<object>('/sync/status');
  const wrong = paths.filter(
    (path) => /[.[]/.test(path) && !leads(status, path.replaceAll('[]', '').split('.')),
  );
  if (wrong.length > 0) throw new Error(`/sync/status has no ${wrong.join(', ')}`);
}

function leads(value: unknown, path: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return goes(value, path) || Object.values(value).some((entry) => leads(entry, path));
}

function goes(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (Array.isArray(value)) return value.some((entry) => goes(entry, [first, ...rest]));
  if (typeof value !== 'object' || value === null || !(first in value)) return false;
  return goes(value[first as keyof typeof value], rest);
}

/** Returns the new calls of a section that were rejected. */
export async function refusals(
  fixture: RunbookProduct,
  section: Section,
  { ids = {}, made }: { ids: Ids | undefined; made: Set<string> },
): Promise<string[]> {
  if (fixture.running.api === null) return [];
  const refused: string[] = [];
  for (const call of section.calls.filter((text) => !made.has(text))) {
    made.add(call);
    const [method = '', path = ''] = call.split(' ');
    const operation = `${method} ${path.split('?')[0]}`;
    if (method !== 'GET' && CALLS[operation] === undefined)
      refused.push(`${call}: nothing says how it is called`);
    else {
      const answer =
        method === 'GET' ? await read(fixture, path, ids) : await CALLS[operation]!(fixture, ids);
      if (!answer.ok) refused.push(`${call}: ${answer.status} ${await answer.text()}`);
    }
  }
  return refused;
}

/** Only the path has to exist if an id was not provoked. */
async function read({ admin }: RunbookProduct, path: string, ids: Ids): Promise<Response> {
  const concrete = path
    .replace('/api/admin/v1', '')
    .replaceAll(/\{(?:\w+\.)*(\w+)\}/g, (whole, name: string) => String(ids[name] ?? whole));
  return admin.raw('GET', concrete);
}

export const unknownCalls = (calls: readonly string[]): string[] => {
  const shape = (call: string) =>
    call
      .split('?')[0]!
      .replace('/api/admin/v1', '')
      .replaceAll(/\{[^}]+\}/g, '{}');
  const known = new Set(
    routes
      .filter(({ api }) => api === 'admin')
      .map(({ method, path }) => shape(`${method} ${path}`)),
  );
  return calls.filter((call) => !known.has(shape(call)));
};
