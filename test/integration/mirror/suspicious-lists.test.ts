import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { isImportRefused } from '../../../modules/mirror/import-refused.ts';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { importZones } from '../../../modules/mirror/zones/import-zones.ts';
import { mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import {
  databaseNow,
  deleteRows,
  not,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

const JOBS = {
  ORGANIZATIONS: importOrganizations,
  TERMINALS: importTerminals,
  ZONES: importZones,
  STOP_LIST: importStopLists,
};
type ListJob = keyof typeof JOBS;

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await mirrorFixture({ growth: { organizations: 12 } });
});
beforeEach(async () => {
  await fixture.emulator.control('reset');
  await deleteRows(fixture.db, 'notification');
  for (const job of ['ORGANIZATIONS', 'TERMINALS', 'ZONES'] as const) await ended(job, 2);
});
afterAll(() => fixture.close());

/** Runs an import. Returns SUCCESS or the reason of the rejection. */
async function importNow(job: ListJob): Promise<string> {
  const runId = await fixture.open(job);
  try {
    await JOBS[job](fixture.deps, { runId, connectionId: fixture.connectionId });
  } catch (error) {
    if (!isImportRefused(error)) throw error;
    await closeRun(fixture.deps, {
      runId,
      status: 'FAILED',
      reason: error.reason,
      detail: error.message,
    });
    return error.reason;
  }
  await closeRun(fixture.deps, { runId, status: 'SUCCESS', reason: null });
  return 'SUCCESS';
}

async function ended(job: ListJob, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) if ((await importNow(job)) === 'SUCCESS') return;
  throw new Error(`${job} was not believed`);
}

const answer = (endpoint: string, body: object) =>
  fixture.emulator.control('answer', { endpoint, body });
const open = async () =>
  selectRows(fixture.db, 'notification', ['subjectType as subject'], {
    kind: 'SUSPICIOUS_LIST',
    resolvedAt: null,
  });
const count = async (sql: string): Promise<number> =>
  (await fixture.db.query<{ count: number }>(`select count(*) as count from ${sql}`))[0]!.count;

const ACTIVE: Record<ListJob, string> = {
  ORGANIZATIONS: 'mirror_organization where inactive_at is null',
  TERMINALS: 'mirror_terminal_group where inactive_at is null',
  ZONES: 'mirror_delivery_zone where inactive_at is null',
  STOP_LIST: 'mirror_stop_list where balance <= 0',
};

async function theList<T extends object>(job: ListJob): Promise<T> {
  const ids = await selectRows(fixture.db, 'mirror_organization', ['erpId']);
  const erpIds = ids.map(({ erpId }) => erpId);
  const calls = {
    ORGANIZATIONS: () => fixture.deps.erp.organizations(fixture.connectionId),
    TERMINALS: () => fixture.deps.erp.terminalGroups(fixture.connectionId, erpIds),
    ZONES: () => fixture.deps.erp.deliveryRestrictions(fixture.connectionId, erpIds),
    STOP_LIST: () => fixture.deps.erp.stopLists(fixture.connectionId, erpIds),
  };
  return (await calls[job]()).data as unknown as T;
}

/** Answers that lack something of several restaurants. */
const BAD: Record<ListJob, () => Promise<void>> = {
  async ORGANIZATIONS() {
    const { organizations } = await theList<{ organizations: object[] }>('ORGANIZATIONS');
    await answer('/api/1/organizations', { organizations: organizations.slice(0, 7) });
  },
  async TERMINALS() {
    await answer('/api/1/terminal_groups', { terminalGroups: [], terminalGroupsInSleep: [] });
  },
  async ZONES() {
    const { maps } = await theList<{ maps: object[] }>('ZONES');
    const deliveryRestrictions = maps.map((map) => ({
      ...map,
      deliveryZones: [],
      restrictions: [],
    }));
    await answer('/api/1/delivery_restrictions', { deliveryRestrictions });
  },
  async STOP_LIST() {
    const some = await selectRows(
      fixture.db,
      'mirror_organization',
      ['erpId'],
      {},
      { orderBy: 'id', limit: 3 },
    );
    for (const { erpId } of some)
      await fixture.emulator.control('stop', { organizationId: erpId, itemIds: [randomUUID()] });
    await ended('STOP_LIST', 1);
    await answer('/api/1/stop_lists', { terminalGroupStopLists: [] });
  },
};

describe.each(Object.keys(JOBS) as ListJob[])('%s', (job) => {
  test('[MIR-45] a list that lacks rows of many restaurants is rejected once and accepted when repeated', async () => {
    await BAD[job]();
    const before = await count(ACTIVE[job]);

    const first = await importNow(job);
    const afterFirst = await count(ACTIVE[job]);
    const told = await open();
    const second = await importNow(job);

    expect(before).toBeGreaterThan(1);
    expect([first, afterFirst, second]).toEqual(['SUSPICIOUS_LIST', before, 'SUCCESS']);
    expect(await count(ACTIVE[job])).toBeLessThan(before);
    expect(told).toHaveLength(job === 'STOP_LIST' ? 0 : 1);
    expect(await open()).toEqual([]);
  });
});

test.each(Object.keys(JOBS) as ListJob[])(
  '[MIR-45] %s: a second request in the same run accepts an equal answer and rejects a different one',
  async (job) => {
    await BAD[job]();
    const before = await count(ACTIVE[job]);
    const runId = await fixture.open(job);
    const request = () => JOBS[job](fixture.deps, { runId, connectionId: fixture.connectionId });

    await expect(request()).rejects.toMatchObject({ name: 'ImportRefused' });
    expect(await count(ACTIVE[job])).toBe(before);
    expect(await request()).toMatchObject({ outcome: 'APPLIED' });
    expect(await count(ACTIVE[job])).toBeLessThan(before);
    await closeRun(fixture.deps, { runId, status: 'SUCCESS', reason: null });
  },
);

test('[MIR-45] a complete list between two suspicious lists makes the second one count as the first', async () => {
  await BAD.TERMINALS();
  const first = await importNow('TERMINALS');
  await fixture.emulator.control('reset');
  const good = await importNow('TERMINALS');
  await BAD.TERMINALS();

  expect([first, good, await importNow('TERMINALS')]).toEqual([
    'SUSPICIOUS_LIST',
    'SUCCESS',
    'SUSPICIOUS_LIST',
  ]);
});

test('[MIR-45] a second list with other losses is rejected again, and a failure in between shows no list', async () => {
  const failed = async () => {
    const runId = await fixture.open('ORGANIZATIONS');
    await closeRun(fixture.deps, { runId, status: 'FAILED', reason: 'SERVER' });
  };
  const empty = () => answer('/api/1/organizations', { organizations: [] });
  await empty();
  const ends = [await importNow('ORGANIZATIONS')];
  await failed();
  ends.push(await importNow('ORGANIZATIONS'));
  await fixture.emulator.control('reset');
  ends.push(await importNow('ORGANIZATIONS'));
  await BAD.ORGANIZATIONS();
  ends.push(await importNow('ORGANIZATIONS'));
  await empty();
  ends.push(await importNow('ORGANIZATIONS'));
  await fixture.emulator.control('reset');
  await BAD.ORGANIZATIONS();
  ends.push(await importNow('ORGANIZATIONS'));
  ends.push(await importNow('ORGANIZATIONS'));

  expect(ends).toEqual([
    'EMPTY_LIST',
    'SUCCESS',
    'SUCCESS',
    'SUSPICIOUS_LIST',
    'EMPTY_LIST',
    'SUSPICIOUS_LIST',
    'SUCCESS',
  ]);
  expect(await count(ACTIVE.ORGANIZATIONS)).toBe(7);
});

test('[MIR-45] an answer without terminal groups is rejected once, also for one restaurant', async () => {
  await importNow('TERMINALS');
  const { id } = await selectRow(fixture.db, 'mirror_organization', ['id'], {}, { orderBy: 'id' });
  await updateRows(
    fixture.db,
    'mirror_organization',
    { inactiveAt: databaseNow() },
    { id: not(id) },
  );
  const ofOne = () =>
    count(
      `mirror_terminal_group where inactive_at is null and organization_id = (select min(id) from mirror_organization)`,
    );
  const before = await ofOne();
  await answer('/api/1/terminal_groups', { terminalGroups: [], terminalGroupsInSleep: null });
  const first = await importNow('TERMINALS');
  const kept = await ofOne();
  const second = await importNow('TERMINALS');

  expect(before).toBeGreaterThan(0);
  expect([first, kept, second, await ofOne()]).toEqual(['SUSPICIOUS_LIST', before, 'SUCCESS', 0]);
});

test('[MIR-45] one closed restaurant is accepted immediately, and so is an empty stop-list', async () => {
  const { organizations } = await theList<{ organizations: object[] }>('ORGANIZATIONS');
  await answer('/api/1/organizations', { organizations: organizations.slice(1) });
  const closed = await importNow('ORGANIZATIONS');
  await fixture.emulator.control('answer', { endpoint: '/api/1/organizations' });
  await importNow('ORGANIZATIONS');
  await BAD.STOP_LIST();
  const named = await selectRows(fixture.db, 'mirror_organization', ['erpId']);
  await answer('/api/1/stop_lists', {
    terminalGroupStopLists: named.map(({ erpId }) => ({ organizationId: erpId, items: [] })),
  });

  expect([closed, await importNow('STOP_LIST')]).toEqual(['SUCCESS', 'SUCCESS']);
  expect(await count(ACTIVE.STOP_LIST)).toBe(0);
});

test('[MIR-62] zones without rules are rejected once, like missing zones, because none would be served', async () => {
  const rules = () => count('mirror_zone_terms');
  const before = await rules();
  const { maps } = await theList<{ maps: object[] }>('ZONES');
  await answer('/api/1/delivery_restrictions', {
    deliveryRestrictions: maps.map((map) => ({ ...map, restrictions: [] })),
  });

  expect(before).toBeGreaterThan(0);
  expect([await importNow('ZONES'), await rules()]).toEqual(['SUSPICIOUS_LIST', before]);
  expect([await importNow('ZONES'), await rules()]).toEqual(['SUCCESS', 0]);
});

test('[MIR-62] an answer with stop-lists of unrequested restaurants counts as empty', async () => {
  await BAD.STOP_LIST();
  const before = await count(ACTIVE.STOP_LIST);
  await answer('/api/1/stop_lists', {
    terminalGroupStopLists: [{ organizationId: randomUUID(), items: [] }],
  });

  expect(before).toBeGreaterThan(1);
  expect([await importNow('STOP_LIST'), await count(ACTIVE.STOP_LIST)]).toEqual([
    'SUSPICIOUS_LIST',
    before,
  ]);
});
