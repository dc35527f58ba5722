import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { ScheduleExceptionsResult } from '../../../modules/delivery/schemas/hours.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows } from '../../support/menu-rows.ts';

let api: TestApi;
let admin: AdminClient;
let ids: number[];
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const rows = menuRows(api.deps.db);
  const places = [await rows.restaurant(), await rows.restaurant(), await rows.restaurant()];
  ids = places.map(({ organizationId }) => organizationId);
  const zones = ['Europe/Moscow', 'Asia/Omsk', '+03:00'];
  for (const [at, timeZone] of zones.entries())
    await admin.patch(`/organizations/${ids[at]}/ordering`, { version: 0, timeZone });
});
afterAll(() => api.stop());

const outcomes = ({ organizations }: ScheduleExceptionsResult) =>
  organizations.map(({ outcome }) => outcome);

describe('[FUL-95] an exception for several restaurants', () => {
  const holiday = { kind: 'CLOSED', date: '2027-01-01', reason: 'New year' };
  const create = (fields: object) =>
    admin.post<ScheduleExceptionsResult>('/schedule-exceptions', fields);
  const activeAt = async (moment: string, query = '') => {
    const list = `/schedule-exceptions?active_at=${encodeURIComponent(moment)}${query}`;
    const { items } = await admin.get<{ items: { organizationId: number }[] }>(list);
    return items.map(({ organizationId }) => organizationId);
  };

  test('changes nothing as a plan or as a repetition', async () => {
    await admin.post(`/organizations/${ids[2]}/schedule-exceptions`, {
      kind: 'SPECIAL_HOURS',
      date: '2027-01-01',
      windows: [{ opensAt: '12:00', closesAt: '18:00', crossesMidnight: false }],
    });
    const plan = await create({ organizationIds: ids, mode: 'PLAN', ...holiday });
    expect(outcomes(plan)).toEqual(['CREATE', 'CREATE', 'DIFFERENT']);
    expect(await activeAt('2027-01-01T12:00:00+03:00')).toEqual([ids[2]]);

    const applied = await create({ organizationIds: ids, mode: 'APPLY', ...holiday });
    expect(outcomes(applied)).toEqual(['CREATE', 'CREATE', 'DIFFERENT']);
    const again = await create({ organizationIds: ids, mode: 'APPLY', ...holiday });
    expect(outcomes(again)).toEqual(['EQUAL', 'EQUAL', 'DIFFERENT']);
    expect(again.organizations.map(({ exceptionId }) => exceptionId)).toEqual(
      applied.organizations.map(({ exceptionId }) => exceptionId),
    );
    const { items } = await admin.get<{ items: object[] }>(
      '/audit?entity_type=schedule-exception&size=2',
    );
    expect(items).toMatchObject([{ action: 'create' }, { action: 'create' }]);
  });

  test('applies to the local date of each restaurant', async () => {
    expect(await activeAt('2027-01-01T12:00:00+03:00')).toEqual(ids);
    expect(await activeAt('2026-12-31T22:00:00+03:00')).toEqual([ids[1]]);
    expect(await activeAt('2027-01-01T22:00:00+03:00')).toEqual([ids[0], ids[2]]);
    expect(await activeAt('2027-01-01T12:00:00+03:00', `&organization_id=${ids[1]}`)).toEqual([
      ids[1],
    ]);
  });

  test('stops the intake of several restaurants until a time', async () => {
    const stop = {
      kind: 'INTAKE_STOPPED',
      from: '2027-02-01T12:00:00+03:00',
      to: '2027-02-01T13:00:00+03:00',
    };
    const request = { organizationIds: ids.slice(0, 2), mode: 'APPLY', ...stop };
    expect(outcomes(await create(request))).toEqual(['CREATE', 'CREATE']);
    expect(outcomes(await create(request))).toEqual(['EQUAL', 'EQUAL']);
    expect(await activeAt('2027-02-01T12:30:00+03:00')).toEqual(ids.slice(0, 2));
    expect(await activeAt('2027-02-01T13:00:00+03:00')).toEqual([]);
  });

  test('fails for unknown restaurants and invalid exceptions without a change', async () => {
    for (const fields of [
      { organizationIds: [ids[0], 999_999], mode: 'APPLY', kind: 'CLOSED', date: '2027-03-01' },
      { organizationIds: ids, mode: 'APPLY', kind: 'CLOSED' },
    ])
      expect((await admin.raw('POST', '/schedule-exceptions', fields)).status).toBe(422);
    expect(await activeAt('2027-03-01T12:00:00+03:00')).toEqual([]);
  });
});

test('[FUL-96] a configuration is copied to several restaurants or to none', async () => {
  const [from, ...targets] = ids;
  await admin.patch(`/organizations/${from}/ordering`, {
    version: 1,
    pickupEnabled: true,
    phone: '+79990001122',
  });
  const copy = (toOrganizationIds: (number | undefined)[], mode: string) =>
    admin.raw('POST', `/organizations/${from}/copy-ordering-to`, {
      toOrganizationIds,
      parts: ['CONFIG'],
      mode,
    });
  const pickup = async () =>
    Promise.all(
      targets.map(
        async (id) =>
          (await admin.get<{ pickupEnabled: boolean }>(`/organizations/${id}/ordering`))
            .pickupEnabled,
      ),
    );

  expect((await copy([...targets, from], 'APPLY')).status).toBe(422);
  expect(await (await copy(targets, 'PLAN')).json()).toMatchObject({
    copies: targets.map((organizationId) => ({
      organizationId,
      changes: [{ part: 'CONFIG', field: 'pickupEnabled', before: false, after: true }],
    })),
  });
  expect(await pickup()).toEqual([false, false]);
  expect((await copy(targets, 'APPLY')).status).toBe(200);
  expect(await pickup()).toEqual([true, true]);
  const { items } = await admin.get<{ items: object[] }>(
    '/audit?entity_type=organization-ordering&size=2',
  );
  expect(items).toMatchObject([
    { after: { pickupEnabled: true } },
    { after: { pickupEnabled: true } },
  ]);
});

test('[FUL-95] the busy mode is announced in the given restaurants', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const answer = await admin.raw('PUT', '/busy', {
    extraMinutes: 20,
    until,
    organizationIds: ids.slice(1),
  });
  expect(await answer.json()).toMatchObject({
    items: ids.slice(1).map((organizationId) => ({ organizationId })),
  });
  const { total } = await admin.get<{ total: number }>('/busy');
  expect(total).toBe(2);
  const unknown = await admin.raw('PUT', '/busy', {
    extraMinutes: 20,
    until,
    organizationIds: [999_999],
  });
  expect(unknown.status).toBe(422);
});
