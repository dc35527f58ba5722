import { randomUUID } from 'node:crypto';
import { ORDERING_PARTS } from '../../../modules/delivery/schemas/hours.ts';
import type { Ids } from './pages.ts';
import type { RunbookProduct } from './fixture.ts';
import { addRow, databaseNow, not, selectRow } from '../rows.ts';

type Call = (fixture: RunbookProduct, ids: Ids) => Promise<Response>;
type Versioned = { version: number };

const reason = 'a test of the runbook';
const hoursAway = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const readVersion = async ({ admin }: RunbookProduct, path: string) =>
  (await admin.get<Versioned>(path)).version;

/** Modifying operations in runbooks, with valid bodies. The test undoes their effects. */
export const CALLS: Readonly<Record<string, Call>> = {
  'POST /sync/run': ({ admin, connectionId }) =>
    admin.raw('POST', '/sync/run', { job: 'TERMINALS', scope: String(connectionId) }),
  'POST /sync/pauses': async ({ admin, connectionId }) => {
    const paused = await admin.raw('POST', '/sync/pauses', { connectionId, job: 'ZONES', reason });
    const { id } = (await paused.clone().json()) as { id: number };
    await admin.raw('DELETE', `/sync/pauses/${id}`);
    return paused;
  },
  'PATCH /settings/{key}': async (fixture) => {
    const path = '/settings/guest_order_sum';
    return fixture.admin.raw('PATCH', path, {
      version: await readVersion(fixture, path),
      value: 5_000,
    });
  },
  'DELETE /sync/pauses/{id}': ({ admin }, { pause }) =>
    admin.raw('DELETE', `/sync/pauses/${pause}`),
  'POST /sync/runs/{id}/accept-shrink': ({ admin }, { run }) =>
    admin.raw('POST', `/sync/runs/${run}/accept-shrink`, { reason }),
  'PATCH /external-menus/{id}': async ({ admin, externalMenuId, db }) => {
    const { version } = await selectRow(db, 'external_menu_setting', ['version'], {
      externalMenuId,
    });
    return admin.raw('PATCH', `/external-menus/${externalMenuId}`, { version, priority: 7 });
  },
  'POST /snapshots/{organization_id}/pin': async ({ admin, db }, { organization }) => {
    const { id: revision } = await selectRow(db, 'snapshot', ['revision as id'], {
      organizationId: Number(organization),
    });
    const body = { revision, reason, until: hoursAway(1) };
    const pinned = await admin.raw('POST', `/snapshots/${organization}/pin`, body);
    await admin.raw('POST', `/snapshots/${organization}/unpin`, { reason });
    return pinned;
  },
  'POST /notifications/{id}/read': async ({ admin, db }) => {
    const { id } = await selectRow(
      db,
      'notification',
      ['id'],
      { resolvedAt: null },
      { orderBy: 'id desc', limit: 1 },
    );
    return admin.raw('POST', `/notifications/${id}/read`);
  },
  'POST /notifications/{id}/resolve': async ({ admin, db }) => {
    const subject = { subjectType: 'runbook', subjectId: 'call', details: {} };
    const { id } = await addRow(db, 'notification', {
      kind: 'ORDER_DIVERGENCE',
      severity: 'CRITICAL',
      ...subject,
    });
    return admin.raw('POST', `/notifications/${id}/resolve`);
  },
  'POST /notifications/{id}/send': ({ admin }, { notification }) =>
    admin.raw('POST', `/notifications/${notification}/send`),
  'POST /webhook-deliveries/{id}/retry': ({ admin }, { delivery }) =>
    admin.raw('POST', `/webhook-deliveries/${delivery}/retry`),
  'POST /compensations/{id}/cancel': ({ admin }, { id }) =>
    admin.raw('POST', `/compensations/${id}/cancel`, { reason }),
  'POST /orders/{id}/settle-gifts': ({ admin }, { order }) =>
    admin.raw('POST', `/orders/${order}/settle-gifts`, { outcome: 'NOT_CREATED', reason }),
  'POST /organizations/{id}/copy-ordering': ({ admin }, { id, from }) =>
    admin.raw('POST', `/organizations/${id}/copy-ordering`, {
      fromOrganizationId: from,
      parts: ORDERING_PARTS,
      mode: 'APPLY',
    }),
  'PATCH /organizations/{id}/ordering': async (fixture, { id }) => {
    const path = `/organizations/${id}/ordering`;
    return fixture.admin.raw('PATCH', path, {
      version: await readVersion(fixture, path),
      deliveryEnabled: true,
    });
  },
  'POST /organizations/{id}/schedule-exceptions': async ({ admin, organization }) => {
    const path = `/organizations/${organization.id}/schedule-exceptions`;
    const stopped = await admin.raw('POST', path, {
      kind: 'INTAKE_STOPPED',
      from: hoursAway(0),
      to: hoursAway(1),
      reason,
    });
    const { id } = (await stopped.clone().json()) as { id: number };
    await admin.raw('DELETE', `/schedule-exceptions/${id}`);
    return stopped;
  },
  'PATCH /zone-overrides/{id}': async ({ admin, db }) => {
    const { id: zoneId } = await selectRow(
      db,
      'mirror_delivery_zone',
      ['id'],
      { inactiveAt: null },
      { orderBy: 'id', limit: 1 },
    );
    const made = await admin.post<{ id: number } & Versioned>('/zone-overrides', {
      zoneId,
      deliveryFee: 100,
    });
    return admin.raw('PATCH', `/zone-overrides/${made.id}`, {
      version: made.version,
      deliveryFee: 150,
    });
  },
  'PUT /service-roles': async ({ admin, desk }) => {
    const { version } = await admin.get<Versioned>('/service-roles');
    const items = [{ role: 'DELIVERY_FEE', erpItemId: desk.sold[0]!.productId }];
    return admin.raw('PUT', '/service-roles', { version, items });
  },
  'PATCH /rewards/{id}': async (fixture, { id }) => {
    const version = await readVersion(fixture, `/rewards/${id}`);
    return fixture.admin.raw('PATCH', `/rewards/${id}`, { version, name: `Gift ${id}` });
  },
  'POST /rewards/{id}/check': ({ admin }, { id }) => admin.raw('POST', `/rewards/${id}/check`),
  'POST /compensations/{id}/rebind': async ({ admin, db }, { right, id }) => {
    const other = await selectRow(
      db,
      'reward',
      ['id'],
      { id: not(Number(id)) },
      { orderBy: 'id', limit: 1 },
    );
    return admin.raw('POST', `/compensations/${right}/rebind`, { rewardId: other.id, reason });
  },
  'POST /compensation-candidates/{id}/confirm': async ({ admin, db }, { confirmed }) => {
    const { id: rewardId } = await selectRow(
      db,
      'reward',
      ['id'],
      { isActive: true, code: not('tart') },
      { orderBy: 'id', limit: 1 },
    );
    const body = { rewardId, reason: 'LATE_DELIVERY', reasonComment: reason };
    const key = { 'idempotency-key': randomUUID() };
    return admin.raw('POST', `/compensation-candidates/${confirmed}/confirm`, body, key);
  },
  'POST /compensation-candidates/{id}/dismiss': ({ admin }, { dismissed }) =>
    admin.raw('POST', `/compensation-candidates/${dismissed}/dismiss`, { reason }),
  'POST /compensations/unauthorized/{id}/settle': ({ admin }, { id }) =>
    admin.raw('POST', `/compensations/unauthorized/${id}/settle`, {
      decision: 'NOT_ALLOWED',
      reason,
    }),
  'POST /compensations': async ({ admin, connectionId, db }) => {
    const { id: rewardId } = await selectRow(
      db,
      'reward',
      ['id'],
      { isActive: true, code: not('tart') },
      { orderBy: 'id', limit: 1 },
    );
    const right = {
      clientPhone: '+79995551234',
      connectionId,
      rewardId,
      reason: 'LATE_DELIVERY',
      reasonComment: reason,
    };
    return admin.raw('POST', '/compensations', right, { 'idempotency-key': randomUUID() });
  },
  'POST /compensations/reconciliation/accept': ({ admin }, { day, organization, fingerprint }) =>
    admin.raw('POST', '/compensations/reconciliation/accept', {
      date: day,
      organizationErpId: organization,
      fingerprint,
      reason,
    }),
  'PATCH /users/{id}': async (fixture, { id }) =>
    fixture.admin.raw('PATCH', `/users/${id}`, {
      version: await readVersion(fixture, `/users/${id}`),
      password: 'another sentence of the staff',
    }),
  'DELETE /users/{id}/second-factor': async ({ admin, db }, { id }) => {
    await addRow(db, 'access_second_factor', {
      userId: Number(id),
      secretEncrypted: 'sealed',
      confirmedAt: databaseNow(),
    });
    return admin.raw('DELETE', `/users/${id}/second-factor`);
  },
  'PUT /connections/{id}/api-login': ({ admin, connectionId, emulator }) =>
    admin.raw('PUT', `/connections/${connectionId}/api-login`, { apiLogin: emulator.apiLogin }),
  'POST /connections/{id}/disable': async (fixture) => {
    const { admin, connectionId } = fixture;
    const path = `/connections/${connectionId}`;
    const disabled = await admin.raw('POST', `${path}/disable`, {
      version: await readVersion(fixture, path),
    });
    await admin.raw('POST', `${path}/enable`, { version: await readVersion(fixture, path) });
    return disabled;
  },
};
