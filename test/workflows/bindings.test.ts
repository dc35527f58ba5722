import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reconcileBindings } from '../../modules/binding/reconcile-bindings.ts';
import { escalateIncident } from '../../modules/binding/incident-timers.ts';
import { dismissIncident, snoozeIncident } from '../../modules/binding/settle-incident.ts';
import {
  incidentSignal,
  incidentState,
  type IncidentIntent,
  bindingEvaluationWorkflow,
  incidentWorkflow,
} from '../../modules/binding/messages/binding.ts';
import { bindings, bindingFixture } from '../support/bindings.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { importMenu } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { longTest } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { databaseNow, deleteRows, selectRows, updateRows, saveSetting } from '../support/rows.ts';

let fixture: Awaited<ReturnType<typeof bindingFixture>>;
let use: ReturnType<typeof bindings>;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
beforeAll(async () => {
  fixture = await bindingFixture();
  use = bindings(fixture);
  sync = await syncWorker(fixture);
  workers = await sync.start();
});
afterAll(async () => {
  await workers?.stop();
  await sync.close();
  await fixture.close();
});
beforeEach(async () => {
  await use.cleared();
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
});

const readStatus = async (workflowId: string): Promise<string> =>
  (await sync.temporal.workflow.getHandle(workflowId).describe()).status.name;
const until = (what: string, holds: () => Promise<boolean>) =>
  eventually(what, async () => ((await holds()) ? true : undefined));
const incidentIs = (variantId: number, status: string) =>
  until(
    `the incident is ${status}`,
    async () => (await use.incidents(variantId))[0]?.status === status,
  );

async function importedAndDelivered(): Promise<void> {
  await importMenu(fixture, fixture.menuId, 'FULL');
  await sync.delivery.deliver();
}

/** A missing variant with a running incident. */
async function missing(): Promise<{
  itemErpId: string;
  variantId: number;
  incidentId: number;
  workflowId: string;
}> {
  await use.grace(0, 30);
  const { itemErpId, variantIds } = await use.aDish();
  const [variantId = 0] = variantIds;
  await use.vanish(itemErpId);
  await importedAndDelivered();
  await incidentIs(variantId, 'OPEN');
  await sync.delivery.deliver();
  const [incident] = await use.incidents(variantId);
  const incidentId = incident!.id;
  const workflowId = incidentWorkflow.id({ incidentId });
  await until(
    'the workflow of the incident runs',
    async () => (await readStatus(workflowId)) === 'RUNNING',
  );
  return { itemErpId, variantId, incidentId, workflowId };
}

describe('bindingEvaluation', () => {
  test('[BND-7] an item still missing when the grace window ends becomes an incident without another import', async () => {
    const graceMinutes = 0.03;
    await use.grace(1_000, graceMinutes);
    const dish = await use.aDish();
    await use.vanish(dish.itemErpId);

    await importedAndDelivered();
    await incidentIs(dish.variantIds[0]!, 'OPEN');

    // Does not poll, because on a busy machine the window may end before a poll.
    const [waited] = await fixture.db.query<{ seconds: number }>(
      `select extract(epoch from incident.detected_at - item.deleted_at)::float as seconds
         from binding_incident incident, mirror_item item where incident.variant_id = $1 and item.id = $2`,
      [dish.variantIds[0], dish.itemId],
    );
    expect(waited!.seconds).toBeGreaterThanOrEqual(graceMinutes * 60);
    await until(
      'nothing is left to wait for',
      async () => (await readStatus(bindingEvaluationWorkflow.id(fixture))) !== 'RUNNING',
    );
    expect(await readStatus(bindingEvaluationWorkflow.id(fixture))).toBe('COMPLETED');
  });

  test('[BND-12] an import that restores the item closes the incident, and its workflow ends', async () => {
    const { itemErpId, variantId, workflowId } = await missing();

    await use.bringBack(itemErpId);
    await importedAndDelivered();

    await incidentIs(variantId, 'CLOSED');
    await sync.delivery.deliver();
    await until('the workflow ends', async () => (await readStatus(workflowId)) === 'COMPLETED');
    expect(await use.incidents(variantId)).toMatchObject([{ resolution: 'ITEM_RETURNED' }]);
  });
});

describe('incident', () => {
  test('[BND-16] a snoozed incident reopens at its time, even if the signal is lost', async () => {
    const { variantId, incidentId, workflowId } = await missing();
    const deps = { db: fixture.db };
    const until = new Date(Date.now() + 2_000);
    const snoozed = await snoozeIncident(deps, STAFF, incidentId, { until: until.toISOString() });
    await sync.delivery.deliver();

    await incidentIs(variantId, 'OPEN');

    expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
    expect(snoozed).toMatchObject({ status: 'SNOOZED' });
    expect(await readStatus(workflowId)).toBe('RUNNING');

    // The signal is lost: the row is closed, and the next signal ends the workflow.
    await dismissIncident(deps, STAFF, incidentId, { note: 'Снято с меню' });
    await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
    await sync.temporal.workflow.getHandle(workflowId).signal('opened');
    await eventually('the workflow ends', async () =>
      (await readStatus(workflowId)) === 'COMPLETED' ? true : undefined,
    );
  });

  longTest('a prolonged snooze ends at the later time', async () => {
    const { variantId, incidentId } = await missing();
    const deps = { db: fixture.db };
    await snoozeIncident(deps, STAFF, incidentId, {
      until: new Date(Date.now() + 700).toISOString(),
    });
    await sync.delivery.deliver();
    const later = new Date(Date.now() + 2_000);
    await snoozeIncident(deps, STAFF, incidentId, { until: later.toISOString() });
    await sync.delivery.deliver();

    await incidentIs(variantId, 'OPEN');

    expect(Date.now()).toBeGreaterThanOrEqual(later.getTime());
  });
});

describe('an incident that an operator changes in Temporal', () => {
  const intent = (
    workflowId: string,
    change: 'dismissed' | 'snoozed' | 'rebound',
    asked: unknown,
  ) =>
    sync.temporal.workflow
      .getHandle(workflowId)
      .signal(incidentSignal(change), asked as IncidentIntent);
  const readDetails = async (workflowId: string) => {
    const handle = sync.temporal.workflow.getHandle(workflowId);
    return (
      (await handle.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata'))
        .currentDetails ?? ''
    );
  };
  const readEntries = (incidentId: number) =>
    selectRows(
      fixture.db,
      'audit_entry',
      ['action', 'actorName', 'reason', 'after'],
      { entityType: 'binding-incident', entityId: String(incidentId) },
      { orderBy: 'id' },
    );

  test('[BND-22] shows its state in a query and in its details', async () => {
    const { workflowId } = await missing();
    const handle = sync.temporal.workflow.getHandle(workflowId);
    const standing = await eventually(
      'it has looked',
      async () => (await handle.query(incidentState)) ?? undefined,
    );

    expect(standing).toMatchObject({ status: 'OPEN', type: 'ITEM_MISSING', severity: 'CRITICAL' });
    expect(await readDetails(workflowId)).toContain('Open: it waits for staff');
  });

  test('[BND-21] a dismissal stores the operator and the reason, like a dismissal through the API', async () => {
    const { variantId, incidentId, workflowId } = await missing();

    await intent(workflowId, 'dismissed', { by: 'Anna, on duty', note: 'No longer on the menu' });

    await until('the workflow ends', async () => (await readStatus(workflowId)) === 'COMPLETED');
    expect(await use.incidents(variantId)).toMatchObject([
      { status: 'CLOSED', resolution: 'DISMISSED' },
    ]);
    expect(await readEntries(incidentId)).toMatchObject([
      {
        action: 'dismiss',
        actorName: 'Temporal: Anna, on duty',
        reason: null,
        after: { note: 'No longer on the menu' },
      },
    ]);
  });

  test('[BND-21] a snooze is applied, and a rejected change shows the reason in the details', async () => {
    const { variantId, incidentId, workflowId } = await missing();
    const refused = async (part: string) =>
      until(`it says ${part}`, async () => (await readDetails(workflowId)).includes(part));

    await intent(workflowId, 'dismissed', { by: 'Anna' });
    await refused('rejected: note: is required.');
    await intent(workflowId, 'dismissed', null);
    await refused('rejected: body: must be object.');
    await intent(workflowId, 'snoozed', {
      by: 'Anna',
      note: 'Delivery on Friday',
      until: 'Friday',
    });
    await refused('rejected: until: must be a date-time.');
    await intent(workflowId, 'rebound', { by: 'Anna', note: 'x' });
    await refused('rejected: The signal rebound cannot request a change');
    expect(await use.incidents(variantId)).toMatchObject([{ status: 'OPEN' }]);
    expect(await readEntries(incidentId)).toEqual([]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await intent(workflowId, 'snoozed', { by: 'Anna', note: 'Delivery on Friday', until: later });
    await incidentIs(variantId, 'SNOOZED');
    await until(
      'the refusal is gone',
      async () => !(await readDetails(workflowId)).includes('refused'),
    );

    expect(await readEntries(incidentId)).toMatchObject([
      {
        action: 'snooze',
        actorName: 'Temporal: Anna',
        reason: null,
        after: { until: later, note: 'Delivery on Friday' },
      },
    ]);
  });

  longTest('[BND-22] an incident workflow that continues as new loses no request', async () => {
    const { variantId, incidentId } = await missing();
    const workflowId = `${incidentWorkflow.id({ incidentId })}/long`;
    const handle = await sync.temporal.workflow.start('incident', {
      workflowId,
      taskQueue: sync.queues.workflows,
      args: [{ incidentId, looksPerRun: 2 }],
    });
    const first = handle.firstExecutionRunId;
    // Signals that arrive together cause one check.
    await eventually('a later execution runs', async () => {
      await handle.signal('opened');
      const { runId } = await sync.temporal.workflow.getHandle(workflowId).describe();
      return runId === first ? undefined : true;
    });
    await intent(workflowId, 'dismissed', { by: 'Anna', note: 'Enough' });

    await incidentIs(variantId, 'CLOSED');
    await until(
      'the last execution ends',
      async () => (await readStatus(workflowId)) === 'COMPLETED',
    );
    expect(await use.incidents(variantId)).toMatchObject([{ resolution: 'DISMISSED' }]);
  });
});

describe('an incident', () => {
  const escalateAfter = (minutes: number | null) =>
    minutes === null
      ? deleteRows(fixture.db, 'setting', { key: 'binding.escalation_minutes' })
      : saveSetting(fixture.db, 'binding.escalation_minutes', minutes);
  afterEach(() => escalateAfter(null));
  const unattended = () =>
    fixture.db.db
      .selectFrom('notification')
      .where('kind', '=', 'BINDING_UNATTENDED')
      .select((row) => ['details', row('resolvedAt', 'is', null).as('open'), 'repeated'])
      .orderBy('id')
      .execute();
  const incidentRow = async (id: number) =>
    await fixture.db.db
      .selectFrom('binding_incident')
      .where('id', '=', id)
      .select((row) => row('escalatedAt', 'is not', null).as('escalated'))
      .executeTakeFirstOrThrow();

  test('[BND-23] an unattended incident is reported again after its snooze', async () => {
    await deleteRows(fixture.db, 'notification', { kind: 'BINDING_UNATTENDED' });
    await escalateAfter(0.01);
    const { incidentId, workflowId } = await missing();
    await until('people are told', async () => (await unattended()).length === 1);
    const [told] = await unattended();
    const handle = sync.temporal.workflow.getHandle(workflowId);
    await until(
      'the execution says so',
      async () => (await handle.query(incidentState))?.isEscalated === true,
    );
    const { currentDetails } = await handle.query<{ currentDetails: string }, []>(
      '__temporal_workflow_metadata',
    );
    await snoozeIncident(fixture.deps, STAFF, incidentId, {
      until: new Date(Date.now() + 700).toISOString(),
    });
    await sync.delivery.deliver();
    const [afterSnooze] = await unattended();
    await until('people are told again', async () => (await unattended()).length === 2);
    await dismissIncident(fixture.deps, STAFF, incidentId, { note: 'Не продаём больше' });
    await sync.delivery.deliver();
    await until(
      'the execution has ended',
      async () => (await readStatus(workflowId)) === 'COMPLETED',
    );

    expect(told).toMatchObject({ open: true, repeated: 0, details: { incidentId } });
    expect(currentDetails).toContain('It was not handled in time');
    expect(afterSnooze!.open).toBe(false);
    expect((await unattended()).map(({ open }) => open)).toEqual([false, false]);
  });

  test('[BND-23] neither an incident with an owner nor one of severity INFO is reported again', async () => {
    await deleteRows(fixture.db, 'notification', { kind: 'BINDING_UNATTENDED' });
    const { incidentId } = await missing();
    await snoozeIncident(fixture.deps, STAFF, incidentId, {
      until: new Date(Date.now() + 60_000).toISOString(),
    });
    await escalateAfter(0);
    await escalateIncident(fixture.db, incidentId);
    await updateRows(
      fixture.db,
      'binding_incident',
      { status: 'OPEN', snoozedUntil: null, severity: 'INFO' },
      { id: incidentId },
    );
    await escalateIncident(fixture.db, incidentId);
    await escalateAfter(60);
    await updateRows(fixture.db, 'binding_incident', { severity: 'CRITICAL' }, { id: incidentId });
    await escalateIncident(fixture.db, incidentId);

    expect(await unattended()).toEqual([]);
    expect(await incidentRow(incidentId)).toEqual({ escalated: false });
  });
});

describe('rows without executions', () => {
  test('open incidents, snoozes and grace windows resume from their rows after the loss of Temporal', async () => {
    const lost = await missing();
    await sync.temporal.workflow
      .getHandle(lost.workflowId)
      .terminate('as if the database of Temporal were lost');
    await snoozeIncident({ db: fixture.db }, STAFF, lost.incidentId, {
      until: new Date(Date.now() + 1_000).toISOString(),
    });
    await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
    await use.grace(1_000, 30);
    const dish = await use.aDish();
    await use.vanish(dish.itemErpId);
    await importMenu(fixture, fixture.menuId, 'FULL');
    // The event of the execution is lost as well, after its delivery.
    await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
    await use.grace(1_000, 0);
    // The delivery before the loss has started the execution again.
    await sync.delivery.deliver();
    await sync.temporal.workflow
      .getHandle(lost.workflowId)
      .terminate('as if the database of Temporal were lost')
      .catch((error: Error) => {
        if (error.name !== 'WorkflowNotFoundError') throw error;
      });

    const reconciled = await eventually('the end of the execution is visible', async () => {
      const result = await reconcileBindings(sync.upkeep);
      return result.incidents > 0 ? result : undefined;
    });

    // The count is two if the evaluation of the other dish was faster than visibility.
    expect([1, 2]).toContain(reconciled.incidents);
    await incidentIs(dish.variantIds[0]!, 'OPEN');
    await until(
      'the snooze is over',
      async () => (await use.incidents(lost.variantId))[0]?.status === 'OPEN',
    );
    expect(await readStatus(lost.workflowId)).toBe('RUNNING');
    await sync.delivery.deliver();
    await eventually('everything runs', async () => {
      const again = await reconcileBindings(sync.upkeep);
      return again.incidents === 0 && again.evaluations === 0 ? again : undefined;
    });
  });
});
