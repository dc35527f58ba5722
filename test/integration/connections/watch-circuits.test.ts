import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connectionHealth } from '../../../modules/connections/connection-health.ts';
import {
  probeCircuits,
  reportOpenCircuits,
} from '../../../modules/connections/erp-calls/watch-circuits.ts';
import { createErpServing } from '../../../modules/delivery/zones/erp-serving.ts';
import type { EndpointGroupName } from '../../../erp/ports.ts';
import { createLog } from '../../../platform/log.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { addRow, ago, deleteRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';

const CARD = '/api/1/loyalty/erp/customer/info';
const SERVING = '/api/1/delivery_restrictions/allowed';

let fixture: TestFixture;
let organization: { erpId: string; latitude: number | null; longitude: number | null };
beforeAll(async () => {
  fixture = await mirrorFixture();
  await importBasics(fixture);
  [organization] = (await selectRows(
    fixture.db,
    'served_organization',
    ['erpId', 'latitude', 'longitude'],
    {},
    { orderBy: 'id', limit: 1 },
  )) as [typeof organization];
});
afterEach(async () => {
  await fixture.emulator.control('clear-faults');
  await deleteRows(fixture.db, 'erp_circuit');
  await deleteRows(fixture.db, 'notification');
});
afterAll(() => fixture.close());

const fault = (endpoint: string) =>
  fixture.emulator.control('fault', { kind: '500', endpoint, times: 100 });
const calls = async (endpoint: string) =>
  (await fixture.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${endpoint}`)).calls.length;
const watch = async () => {
  const probed = await probeCircuits(fixture.deps, fixture.connectionId);
  await reportOpenCircuits(fixture.db);
  return probed;
};
const circuits = async () =>
  Object.fromEntries(
    (await connectionHealth(fixture.db))
      .find(({ connectionId }) => connectionId === fixture.connectionId)!
      .circuits.flatMap(({ group, circuit }) => (circuit === 'CLOSED' ? [] : [[group, circuit]])),
  );
const endRest = () =>
  updateRows(fixture.db, 'erp_circuit', { openUntil: ago('1 ms'), probeUntil: null });
const opened = (
  endpointGroup: EndpointGroupName,
  since: string,
  connectionId = fixture.connectionId,
) =>
  addRow(fixture.db, 'erp_circuit', {
    connectionId,
    endpointGroup,
    openedAt: ago(since),
    openUntil: ago('1 ms'),
    openedTimes: 1,
  });

const card = () =>
  fixture.deps.erp
    .customerInfo(
      fixture.connectionId,
      organization.erpId,
      { phone: '+79990001122' },
      { isHurried: true },
    )
    .then(({ outcome }) => outcome)
    .catch(({ kind }: { kind: string }) => kind);
const serving = async () => {
  const erpServing = createErpServing({
    erp: fixture.deps.erp,
    log: createLog({ service: 'test', level: 'silent' }),
  });
  const servers = await erpServing.at(
    [organization.longitude!, organization.latitude!],
    new Map([[fixture.connectionId, [organization.erpId]]]),
  );
  return servers === null ? 'none' : 'answered';
};

describe('[ERP-36] a circuit breaker that only guests use', () => {
  test.each([
    ['LOYALTY', CARD, card, 'CIRCUIT_OPEN', 'NOT_FOUND'],
    ['ADDRESSES', SERVING, serving, 'none', 'answered'],
  ] as const)('closes after an outage: %s', async (group, endpoint, call, rejected, answered) => {
    await fault(endpoint);
    for (let time = 0; time < 20; time += 1) await call();
    expect(await circuits()).toEqual({ [group]: 'OPEN' });
    await fixture.emulator.control('clear-faults');
    await endRest();
    expect(await call()).toBe(rejected);

    expect(await watch()).toEqual({ probed: 1 });

    expect(await circuits()).toEqual({});
    expect(await call()).toBe(answered);
  });

  test('stays open from its first failure while its endpoint fails', async () => {
    await fault(CARD);
    await opened('LOYALTY', '2 minutes');
    const before = await selectRow(fixture.db, 'erp_circuit', ['openedAt']);

    await watch();

    expect(await circuits()).toEqual({ LOYALTY: 'OPEN' });
    expect(await selectRow(fixture.db, 'erp_circuit', ['openedAt'])).toEqual(before);
    expect(await watch()).toEqual({ probed: 0 });
  });

  test('sends one probe at a time', async () => {
    await opened('LOYALTY', '2 minutes');
    const before = await calls(CARD);
    await fixture.emulator.control('fault', {
      kind: 'slow',
      endpoint: CARD,
      delayMs: 300,
      times: 1,
    });

    await Promise.all([watch(), watch(), watch()]);

    expect((await calls(CARD)) - before).toBe(1);
    expect(await circuits()).toEqual({});
  });
});

describe('[ERP-36] the probe of a circuit breaker', () => {
  test.each(['TOKENS', 'ORDERS', 'LOYALTY', 'ADDRESSES', 'MENUS'] as const)(
    'closes %s',
    async (group) => {
      await opened(group, '2 minutes');
      // Without a token, the probe must obtain a new one.
      if (group === 'TOKENS') await deleteRows(fixture.db, 'erp_token');

      await watch();

      expect(await circuits()).toEqual({});
    },
  );

  test('closes ADDRESSES of a restaurant without coordinates', async () => {
    await opened('ADDRESSES', '2 minutes');
    const { latitude, longitude } = organization;
    await updateRows(fixture.db, 'mirror_organization', { latitude: null, longitude: null });

    await watch();

    expect(await circuits()).toEqual({});
    await updateRows(fixture.db, 'mirror_organization', { latitude, longitude });
  });

  test('skips a disabled connection, whose circuit breakers are not shown', async () => {
    await opened('MENUS', '10 minutes');
    const switchIt = (status: 'ACTIVE' | 'DISABLED') =>
      updateRows(fixture.db, 'connection', { status }, { id: fixture.connectionId });
    await switchIt('DISABLED');

    expect(await watch()).toEqual({ probed: 0 });
    expect(await circuits()).toEqual({});
    expect(await selectRows(fixture.db, 'notification', ['kind'])).toEqual([]);
    await switchIt('ACTIVE');
  });
});

describe('[ERP-37] a circuit breaker that has been open for five minutes', () => {
  const notifications = () =>
    selectRows(fixture.db, 'notification', ['kind', 'subjectId', 'details', 'repeated'], {
      resolvedAt: null,
    });

  test('raises one notification for its connection, with the groups, until the ERP answers', async () => {
    await fault(CARD);
    await fault(SERVING);
    await opened('LOYALTY', '4 minutes');
    await watch();
    expect(await notifications()).toEqual([]);

    await updateRows(fixture.db, 'erp_circuit', { openedAt: ago('5 minutes') });
    for (let time = 0; time < 3; time += 1) await watch();
    expect(await notifications()).toEqual([
      {
        kind: 'ERP_CIRCUIT_OPEN',
        subjectId: String(fixture.connectionId),
        details: { groups: ['LOYALTY'], since: expect.any(String) },
        repeated: 0,
      },
    ]);

    await opened('ADDRESSES', '6 minutes');
    await watch();
    expect(await notifications()).toMatchObject([
      { details: { groups: ['ADDRESSES', 'LOYALTY'] }, repeated: 1 },
    ]);

    await fixture.emulator.control('clear-faults');
    await endRest();
    await watch();
    expect(await notifications()).toEqual([]);
  });

  test('raises a notification during and between its pauses', async () => {
    await opened('LOYALTY', '6 minutes');
    await updateRows(fixture.db, 'erp_circuit', { openUntil: new Date(Date.now() + 60_000) });

    await watch();

    expect(await notifications()).toHaveLength(1);
  });
});
