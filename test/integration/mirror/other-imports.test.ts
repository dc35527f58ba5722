import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listExternalMenus, updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { importMenuList } from '../../../modules/mirror/import-menu-list.ts';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import { planMenuImport } from '../../../modules/mirror/menu/plan-menu-import.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { importInBatches } from '../../../modules/mirror/runs/import-in-batches.ts';
import { recordAnswer, recordAsked } from '../../../modules/mirror/runs/run-facts.ts';
import { getRun, listRuns } from '../../../modules/mirror/runs/list-runs.ts';
import { drawRunId, openRun, recordRun } from '../../../modules/mirror/runs/open-run.ts';
import { aConnection, testActor } from '../../support/connection.ts';
import { mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import {
  above,
  addRow,
  deleteRows,
  not,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await mirrorFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.emulator.control('reset');
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);
const run = async (
  job: 'ORGANIZATIONS' | 'TERMINALS' | 'MENU_LIST' | 'STOP_LIST',
  connectionId = fixture.connectionId,
) => ({
  runId: await fixture.open(job, { connectionId }),
  connectionId,
});
const organizationsNow = async (connectionId?: number) =>
  importOrganizations(fixture.deps, await run('ORGANIZATIONS', connectionId));
const stopListsNow = async () => importStopLists(fixture.deps, await run('STOP_LIST'));
const eventsAfter = async (event: string, id: number) =>
  (await selectRows(
    fixture.db,
    'outbox',
    ['payload'],
    { event, id: above(id) },
    { orderBy: 'id' },
  )) as {
    payload: Record<string, unknown>;
  }[];
const lastEvent = async () =>
  (await query<{ id: number }>('select coalesce(max(id), 0) as id from outbox'))[0]!.id;

describe('the import of organizations', () => {
  test.each(['real', 'root-address', 'additional-info'])(
    '[MIR-24] stores address and coordinates of the shape %s, and keeps the raw object',
    async (shape) => {
      await fixture.emulator.control('organization-shape', { shape });

      await organizationsNow();

      const state = await fixture.emulator.control<{
        organizations: { id: string; address: string; latitude: number }[];
      }>('state');
      const rows = await query<{
        id: string;
        address: string;
        latitude: number;
        responseType: string;
      }>(
        `select erp_id as id, address, latitude, raw ->> 'responseType' as "responseType" from mirror_organization`,
      );
      expect(rows.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
        state.organizations
          .map(({ id, address, latitude }) => ({ id, address, latitude, responseType: 'Extended' }))
          .toSorted((a, b) => a.id.localeCompare(b.id)),
      );
    },
  );

  test('[MIR-25] deactivates a missing one, activates one that returns, and announces both', async () => {
    await organizationsNow();
    const first = await selectRow(
      fixture.db,
      'mirror_organization',
      ['id', 'erpId'],
      {},
      { orderBy: 'id' },
    );
    const before = await lastEvent();
    await fixture.emulator.control('remove-organization', { organizationId: first.erpId });

    const gone = await organizationsNow();
    const inactive = await selectRows(fixture.db, 'mirror_organization', ['id'], {
      inactiveAt: not(null),
    });
    await fixture.emulator.control('restore-organization', { organizationId: first.erpId });
    const back = await organizationsNow();

    expect(gone).toMatchObject({ result: { total: 1, created: 0, updated: 0, deactivated: 1 } });
    expect(inactive).toEqual([{ id: first.id }]);
    expect(back).toMatchObject({ result: { total: 2, updated: 1, deactivated: 0 } });
    expect(
      (await eventsAfter('ErpOrganizationsChanged', before)).map(
        (event) => event.payload['organizationIds'],
      ),
    ).toEqual([[first.id], [first.id]]);
    expect(
      (await eventsAfter('ErpOrganizationsChanged', before)).map(
        (event) => event.payload['activated'],
      ),
    ).toEqual([[], [first.id]]);
  });

  test('changes no visible column and publishes no event for an equal list', async () => {
    await organizationsNow();
    const before = await lastEvent();

    const again = await organizationsNow();

    expect(again).toMatchObject({ result: { total: 2, created: 0, updated: 0, deactivated: 0 } });
    expect(await lastEvent()).toBe(before);
  });

  test('changes nothing after a failed call or an invalid answer', async () => {
    const rows = () =>
      selectRows(
        fixture.db,
        'mirror_organization',
        ['id', 'name', 'synchronizedAt', 'inactiveAt'],
        {},
        { orderBy: 'id' },
      );
    const before = await rows();
    await fixture.emulator.control('fault', {
      kind: 'truncated-json',
      endpoint: '/api/1/organizations',
    });

    await expect(organizationsNow()).rejects.toMatchObject({ kind: 'NOT_JSON' });

    expect(await rows()).toEqual(before);
  });

  test('sends no request in a second call of the same run and returns the stored result', async () => {
    const started = await run('ORGANIZATIONS');
    const first = await importOrganizations(fixture.deps, started);
    const { calls } = await fixture.emulator.control<{ calls: unknown[] }>(
      'calls?endpoint=/api/1/organizations',
    );

    const second = await importOrganizations(fixture.deps, started);

    expect(second).toEqual(first);
    expect(
      (await fixture.emulator.control<{ calls: unknown[] }>('calls?endpoint=/api/1/organizations'))
        .calls,
    ).toHaveLength(calls.length);
  });

  test('[MIR-27] keeps an organization of a second connection inactive until the first is disabled', async () => {
    await organizationsNow();
    const other = await aConnection(fixture.db, fixture.emulator.apiLogin);

    const second = await run('ORGANIZATIONS', other.id);
    await importOrganizations(fixture.deps, second);
    const claimed = await selectRows(fixture.db, 'mirror_organization', ['id'], {
      connectionId: other.id,
      inactiveAt: null,
    });
    const record = await getRun(fixture.db, second.runId);
    const before = await lastEvent();
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    await organizationsNow(other.id);
    const takenOver = await fixture.db.db
      .selectFrom('mirror_organization')
      .where('inactiveAt', 'is', null)
      .select('connectionId')
      .distinct()
      .execute();

    const [announced] = await eventsAfter('ErpOrganizationsChanged', before);
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });
    await updateRows(fixture.db, 'connection', { status: 'DISABLED' }, { id: other.id });
    await organizationsNow();
    expect(claimed).toEqual([]);
    expect(record.anomalies).toMatchObject([{ code: 'ORGANIZATION_CLAIMED_TWICE', count: 2 }]);
    expect(takenOver).toEqual([{ connectionId: other.id }]);
    expect(announced?.payload).toMatchObject({ connectionId: other.id });
    expect(announced?.payload['activated']).toHaveLength(2);
    expect(
      await fixture.db.db
        .selectFrom('mirror_organization')
        .where('inactiveAt', 'is', null)
        .select('connectionId')
        .distinct()
        .execute(),
    ).toEqual([{ connectionId: fixture.connectionId }]);
  });
});

describe('the import of terminal groups', () => {
  test('[MIR-29] stores all groups and takes the time zone of the organization from them', async () => {
    await organizationsNow();

    const outcome = await importTerminals(fixture.deps, await run('TERMINALS'));
    const again = await importTerminals(fixture.deps, await run('TERMINALS'));

    expect(outcome).toMatchObject({ result: { total: 3, created: 3 } });
    expect(again).toMatchObject({ result: { total: 3, created: 0, updated: 0, deactivated: 0 } });
    expect(
      await fixture.db.db
        .selectFrom('mirror_organization')
        .where('inactiveAt', 'is', null)
        .select('timeZone')
        .distinct()
        .execute(),
    ).toEqual([{ timeZone: 'Europe/Moscow' }]);
  });

  const item = 'd0000001-0000-4000-8000-00000000abcd';

  test.each([
    ['woke up', 'update mirror_terminal_group set is_asleep = true where id = $1'],
    ['came back', 'update mirror_terminal_group set inactive_at = now() where id = $1'],
    ['is new', 'delete from mirror_terminal_group where id = $1'],
  ])('announces a group that %s once, for its organization with stops', async (_, past) => {
    await organizationsNow();
    await importTerminals(fixture.deps, await run('TERMINALS'));
    const [group] = await query<{ id: number; organizationId: number; organization: string }>(
      `select min(terminal.id) as id, organization_id as "organizationId", organization.erp_id as organization
         from mirror_terminal_group terminal join mirror_organization organization on organization.id = organization_id
        group by organization_id, organization.erp_id having count(*) = 2`,
    );
    await fixture.emulator.control('stop', {
      organizationId: group!.organization,
      itemIds: [item],
    });
    await stopListsNow();
    await query(past, [group!.id]);
    const position = await lastEvent();

    await importTerminals(fixture.deps, await run('TERMINALS'));
    await importTerminals(fixture.deps, await run('TERMINALS'));

    expect(await eventsAfter('ErpTerminalsChanged', position)).toEqual([
      { payload: { connectionId: fixture.connectionId, organizationIds: [group!.organizationId] } },
    ]);
  });

  test('announces neither a new name nor a change without stops', async () => {
    await organizationsNow();
    await importTerminals(fixture.deps, await run('TERMINALS'));
    await updateRows(fixture.db, 'mirror_stop_list', { balance: 3 });
    await updateRows(fixture.db, 'mirror_terminal_group', { isAsleep: true });
    const position = await lastEvent();
    await importTerminals(fixture.deps, await run('TERMINALS'));
    await updateRows(fixture.db, 'mirror_stop_list', { balance: 0 });
    await updateRows(fixture.db, 'mirror_terminal_group', { name: 'other' });

    expect(await importTerminals(fixture.deps, await run('TERMINALS'))).toMatchObject({
      result: { updated: 3 },
    });

    expect(await eventsAfter('ErpTerminalsChanged', position)).toEqual([]);
    await deleteRows(fixture.db, 'mirror_stop_list');
  });
});

describe('the import of external menus', () => {
  test('enables a new menu for all organizations, and a repeated list changes nothing', async () => {
    const before = await lastEvent();

    const first = await importMenuList(fixture.deps, await run('MENU_LIST'));
    const second = await importMenuList(fixture.deps, await run('MENU_LIST'));

    expect(first).toMatchObject({
      result: { menus: { total: 1, created: 1 }, priceCategories: { created: 3 } },
    });
    expect(second).toMatchObject({
      result: { menus: { total: 1, created: 0, updated: 0, deactivated: 0 } },
    });
    expect(
      await selectRows(fixture.db, 'external_menu_setting', [
        'isEnabled',
        'organizationIds',
        'isAsync',
        'priority',
      ]),
    ).toEqual([{ isEnabled: true, organizationIds: null, isAsync: false, priority: 100 }]);
    expect(await eventsAfter('ExternalMenusChanged', before)).toHaveLength(1);
  });

  test('skips a menu that is removed, disabled or without organizations', async () => {
    const menu = await selectRow(fixture.db, 'mirror_external_menu', ['id']);
    const plan = async () => {
      const runId = await fixture.open('MENU', { externalMenuId: menu.id });
      return planMenuImport(fixture.db, {
        runId,
        connectionId: fixture.connectionId,
        externalMenuId: menu.id,
      });
    };
    const change = (sql: string) => query(sql, [menu.id]);

    await change('update external_menu_setting set is_enabled = false where external_menu_id = $1');
    const disabled = await plan();
    await change(
      `update external_menu_setting set is_enabled = true, organization_ids = '{}' where external_menu_id = $1`,
    );
    const empty = await plan();
    await change(
      'update external_menu_setting set organization_ids = null where external_menu_id = $1',
    );
    await change('update mirror_external_menu set inactive_at = now() where id = $1');
    const gone = await plan();
    await change('update mirror_external_menu set inactive_at = null where id = $1');

    expect([disabled, empty, gone]).toEqual([
      { outcome: 'SKIP', reason: 'MENU_DISABLED' },
      { outcome: 'SKIP', reason: 'NO_ORGANIZATIONS' },
      { outcome: 'SKIP', reason: 'MENU_INACTIVE' },
    ]);
  });
});

describe('a menu that the ERP no longer lists', () => {
  const menus = () =>
    fixture.db.db
      .selectFrom('mirror_external_menu')
      .select((row) => [
        row('inactiveAt', 'is not', null).as('gone'),
        row('withdrawnAt', 'is not', null).as('withdrawn'),
      ])
      .orderBy('id')
      .limit(1)
      .execute();
  const listNow = async () => {
    await importMenuList(fixture.deps, await run('MENU_LIST'));
    return menus();
  };
  const notifications = () =>
    fixture.db.db
      .selectFrom('notification')
      .where('kind', '=', 'MENU_WITHDRAWN')
      .select((row) => row('resolvedAt', 'is', null).as('open'))
      .orderBy('id')
      .execute();
  const list = (externalMenus?: unknown) =>
    fixture.emulator.control('answer', {
      endpoint: '/api/2/menu',
      ...(externalMenus === undefined
        ? {}
        : { body: { correlationId: randomUUID(), externalMenus, priceCategories: [] } }),
    });

  test('[MIR-18] disappears with the second list in a row, is reported, and returns with the next one', async () => {
    await organizationsNow();
    await listNow();
    const before = await lastEvent();
    await list([]);
    const first = await listNow();
    const toldAfterOne = await notifications();
    const second = await listNow();
    const third = await listNow();
    const told = await notifications();
    const announced = await eventsAfter('CatalogChanged', before);
    await list();
    const back = await listNow();

    expect([first, second, third, back]).toEqual([
      [{ gone: true, withdrawn: false }],
      [{ gone: true, withdrawn: true }],
      [{ gone: true, withdrawn: true }],
      [{ gone: false, withdrawn: false }],
    ]);
    expect([toldAfterOne, told, await notifications()]).toEqual([
      [],
      [{ open: true }],
      [{ open: false }],
    ]);
    expect(announced.map((entry) => entry.payload)).toEqual([
      { reason: 'external-menu-update', organizationIds: [expect.any(Number), expect.any(Number)] },
    ]);
    expect(await eventsAfter('CatalogChanged', before)).toHaveLength(2);
  });

  test('ends its notification when staff disable it, and causes none if it was disabled before', async () => {
    await deleteRows(fixture.db, 'notification');
    await organizationsNow();
    await list([]);
    await listNow();
    await listNow();
    const told = await notifications();
    const { items } = await listExternalMenus(fixture.db, { page: 1, size: 1 });
    const { id, version } = items[0]!;
    const off = await updateExternalMenu({ db: fixture.db }, testActor, id, {
      version,
      isEnabled: false,
    });
    const ended = await notifications();
    await updateRows(fixture.db, 'mirror_external_menu', { withdrawnAt: null });
    await listNow();
    const again = await notifications();
    await list();
    await listNow();
    await updateExternalMenu({ db: fixture.db }, testActor, id, {
      version: off.version,
      isEnabled: true,
    });

    expect([told, ended, again]).toEqual([[{ open: true }], [{ open: false }], [{ open: false }]]);
  });
});

describe('the run journal', () => {
  test('opens one run for an execution, also in repeated calls', async () => {
    const { connectionId } = fixture;
    const execution = {
      connectionId,
      job: 'TERMINALS',
      trigger: 'SCHEDULE',
      workflowId: 'sync/terminals/7',
      workflowRunId: '1',
    } as const;

    const opened = await Promise.all([1, 2, 3].map(() => openRun(fixture.db, execution)));
    const next = await openRun(fixture.db, { ...execution, workflowRunId: '2' });

    expect(new Set(opened.map(({ runId }) => runId)).size).toBe(1);
    expect(next.runId).not.toBe(opened[0]!.runId);
  });

  test('[MIR-60] contains a manual run once with its user, even if the workflow writes it', async () => {
    const { connectionId } = fixture;
    const runId = await drawRunId(fixture.db);
    const requestId = randomUUID();
    const user = await addRow(fixture.db, 'access_user', {
      email: 'operator@carte.test',
      fullName: 'Operator',
    });
    const userId = user.id;
    const by = { requestedBy: userId, requestId };
    const start = {
      runId,
      connectionId,
      job: 'MENU_LIST',
      trigger: 'MANUAL',
      workflowId: 'w',
      ...by,
    } as const;

    await Promise.all([
      openRun(fixture.db, start),
      recordRun(fixture.db, start),
      openRun(fixture.db, start),
    ]);

    const entries = await selectRows(
      fixture.db,
      'audit_entry',
      ['action', 'actorType', 'actorId', 'requestId'],
      {
        entityType: 'sync-run',
        entityId: String(runId),
      },
    );
    expect(entries).toEqual([{ action: 'start', actorType: 'USER', actorId: userId, requestId }]);
  });

  test('[MIR-56] counts the organizations of the applied attempt once', async () => {
    const { runId, connectionId } = await run('STOP_LIST');
    const late = { id: 1, erpId: 'a' };
    const outcome = await importInBatches(
      fixture.deps,
      { runId, connectionId, job: 'STOP_LIST' },
      {
        organizations: [late, late, late],
        perCall: 2,
        async ask() {
          // Another attempt, which began later and finds one organization.
          await recordAsked(fixture.db, runId, { organizations: 1, calls: 1 });
          return { rows: [], named: [], odd: [], bytes: 1 };
        },
        save: async () => ({ changed: 0 }),
      },
    );

    expect(outcome).toEqual({ outcome: 'APPLIED', result: { changed: 0 } });
    expect(await getRun(fixture.db, runId)).toMatchObject({
      organizations: 3,
      batches: 2,
      result: { changed: 0 },
    });
  });

  test('[MIR-1] opens and ends a run once, with a value in every field for every status', async () => {
    const { runId, connectionId } = await run('STOP_LIST');
    const again = {
      runId,
      connectionId,
      job: 'MENU',
      trigger: 'EVENT',
      workflowId: 'other',
    } as const;
    expect(await openRun(fixture.db, again)).toEqual({ runId, skip: null });
    const running = await getRun(fixture.db, runId);

    await recordAsked(fixture.db, runId, { organizations: 12, calls: 2 });
    await recordAnswer(fixture.db, runId, { bytes: 7, revision: 41 });
    await recordAnswer(fixture.db, runId, { bytes: 5, revision: 40 });
    const ended = await closeRun(fixture.deps, { runId, status: 'SKIPPED', reason: 'UNCHANGED' });
    const late = await closeRun(fixture.deps, { runId, status: 'FAILED', reason: 'CANCELLED' });
    await recordAsked(fixture.db, runId, { organizations: 1, calls: 1 });
    await recordAnswer(fixture.db, runId, { bytes: 1, revision: 1 });

    expect(running).toMatchObject({
      job: 'STOP_LIST',
      status: 'RUNNING',
      mode: 'FULL',
      trigger: 'MANUAL',
      result: {},
    });
    expect([ended, late]).toEqual([
      { status: 'SKIPPED', reason: 'UNCHANGED', outcome: 'SKIPPED UNCHANGED' },
      { status: 'SKIPPED', reason: 'UNCHANGED', outcome: 'SKIPPED UNCHANGED' },
    ]);
    const record = await getRun(fixture.db, runId);
    expect(record).toMatchObject({
      organizations: 12,
      batches: 2,
      payloadBytes: 12,
      revisionTo: 40,
    });
    expect(record.items).toEqual({ created: 0, updated: 0, deleted: 0 });
    expect(record.finishedAt).toBeInstanceOf(Date);
    expect(Object.values(record)).not.toContain(undefined);
  });

  test('contains a disabled connection as skipped', async () => {
    const other = await aConnection(fixture.db, 'other-login');
    await updateRows(fixture.db, 'connection', { status: 'DISABLED' }, { id: other.id });
    const { runId } = await run('ORGANIZATIONS', other.id);

    const start = {
      runId,
      connectionId: other.id,
      job: 'ORGANIZATIONS',
      trigger: 'SCHEDULE',
      workflowId: 'w',
    } as const;
    expect(await openRun(fixture.db, start)).toEqual({ runId, skip: 'DISABLED' });
  });

  test('lists runs newest first, by job and status, in pages', async () => {
    const page = await listRuns(fixture.db, {
      job: 'STOP_LIST',
      statuses: ['SKIPPED'],
      page: 1,
      size: 1,
    });
    const all = await listRuns(fixture.db, { page: 1, size: 200 });

    expect(page).toMatchObject({
      page: 1,
      size: 1,
      total: 1,
      items: [{ job: 'STOP_LIST', status: 'SKIPPED' }],
    });
    expect(all.items.map((item) => item.id)).toEqual(
      all.items.map((item) => item.id).toSorted((a, b) => b - a),
    );
    await expect(getRun(fixture.db, 999_999)).rejects.toMatchObject({ kind: 'not-found' });
  });
});
