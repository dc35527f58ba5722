import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BindingActivities } from '../../activities/binding.ts';
import type { RequestedMove } from '../../modules/binding/incident-intent.ts';
import {
  incidentUpdate,
  incidentSignal,
  incidentState,
} from '../../modules/binding/messages/binding.ts';
import { incidentWorkflow, type IncidentIntent } from '../../modules/binding/messages/binding.ts';
import { rebindVariant } from '../../modules/binding/rebind-variant.ts';
import { dismissIncident, snoozeIncident } from '../../modules/binding/settle-incident.ts';
import { signalIncidents } from '../../modules/binding/wake-bindings.ts';
import { isProblem } from '../../kernel/problem.ts';
import { problemSentence } from '../../kernel/pure/problem-sentence.ts';
import { bindings, bindingFixture } from '../support/bindings.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { eventually } from '../support/processes.ts';
import { holdRow } from '../support/races.ts';
import { databaseNow, selectRows, updateRows } from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { countEvents, rejectionIn, rejectedUpdate } from '../support/workflow-updates.ts';

let fixture: Awaited<ReturnType<typeof bindingFixture>>;
let use: ReturnType<typeof bindings>;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
/** Until the gate opens, moves of operators wait. */
let gate = Promise.resolve();
beforeAll(async () => {
  fixture = await bindingFixture();
  use = bindings(fixture);
  sync = await syncWorker(fixture);
  const { moveIncident } = sync.activities.workflows as Pick<BindingActivities, 'moveIncident'>;
  workers = await sync.start(
    {
      workflows: {
        moveIncident: async (input: RequestedMove) => {
          await gate;
          return moveIncident(input);
        },
      },
    },
    { delivers: false },
  );
});
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await fixture?.close();
});

/** An incident whose execution has read its row. */
async function openIncident(input: { looksPerRun?: number } = {}) {
  await use.cleared();
  await use.grace(0, 30);
  const { itemErpId, variantIds } = await use.aDish();
  const variantId = variantIds[0]!;
  await use.vanish(itemErpId);
  await use.imported();
  const [incident] = await use.incidents(variantId);
  const incidentId = incident!.id;
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  const handle = await sync.temporal.workflow.start('incident', {
    workflowId: incidentWorkflow.id({ incidentId }),
    taskQueue: sync.queues.workflows,
    args: [{ incidentId, ...input }],
  });
  await eventually(
    'it has read the row',
    async () => (await handle.query(incidentState)) ?? undefined,
  );
  return {
    itemErpId,
    variantId,
    incidentId,
    handle: sync.temporal.workflow.getHandle(handle.workflowId),
  };
}

type OpenIncident = Awaited<ReturnType<typeof openIncident>>;

async function freeSize(): Promise<number> {
  const [free] = await fixture.db.query<{ id: number }>(
    `select size.id from mirror_item_size size join mirror_item item on item.id = size.item_id
      where item.role = 'DISH' and item.deleted_at is null and size.deleted_at is null
        and not exists (select 1 from catalog_item_binding binding where binding.item_id = item.id) order by size.id limit 1`,
  );
  return free!.id;
}

const audit = (entityType: 'binding-incident' | 'variant', id: number) =>
  selectRows(
    fixture.db,
    'audit_entry',
    ['action', 'actorName', 'reason', 'after'],
    { entityType, entityId: String(id) },
    { orderBy: 'id' },
  );
const rebinds = async (variantId: number) =>
  (await audit('variant', variantId)).filter(({ action }) => action === 'rebind');
const readHistory = async (handle: OpenIncident['handle']) =>
  (await handle.fetchHistory()).events ?? [];
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const ends = (handle: { result: () => Promise<unknown> }) => handle.result();
const awaitSentence = async (command: Promise<unknown>): Promise<string> => {
  const error = await command.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!isProblem(error)) throw new Error('the command has no problem');
  return problemSentence(error.kind, error.details);
};

describe('an update of an incident', () => {
  test('[BND-21] dismisses it with operator and note, and returns its state', async () => {
    const { incidentId, variantId, handle } = await openIncident();
    const result = await handle.executeUpdate(incidentUpdate('dismiss'), {
      args: [{ by: ' Anna, on duty ', note: 'No longer on the menu' }],
    });
    await ends(handle);

    expect(result).toEqual({ status: 'CLOSED', resolution: 'DISMISSED', snoozedUntil: null });
    expect(await use.incidents(variantId)).toMatchObject([
      { status: 'CLOSED', resolution: 'DISMISSED' },
    ]);
    expect(await audit('binding-incident', incidentId)).toMatchObject([
      {
        action: 'dismiss',
        actorName: 'Temporal: Anna, on duty',
        after: { note: 'No longer on the menu' },
      },
    ]);
  });

  test('[BND-21] snoozes it until a moment', async () => {
    const { incidentId, handle } = await openIncident();
    const until = inHours(1);
    const result = await handle.executeUpdate(incidentUpdate('snooze'), {
      args: [{ by: 'Anna', note: 'Delivery on Friday', until }],
    });
    await eventually('the execution has read it', async () =>
      (await handle.query(incidentState))?.status === 'SNOOZED' ? true : undefined,
    );

    expect(result).toEqual({ status: 'SNOOZED', resolution: null, snoozedUntil: until });
    expect(await audit('binding-incident', incidentId)).toMatchObject([
      {
        action: 'snooze',
        actorName: 'Temporal: Anna',
        after: { until, note: 'Delivery on Friday' },
      },
    ]);
    await handle.terminate();
  });

  test('[BND-27] rebinds its variant and closes it', async () => {
    const { variantId, handle } = await openIncident();
    const erpItemSizeId = await freeSize();
    const result = await handle.executeUpdate(incidentUpdate('rebind'), {
      args: [{ by: 'Anna', note: 'New card in the ERP', erpItemSizeId }],
    });
    await ends(handle);

    expect(result).toEqual({ status: 'CLOSED', resolution: 'REBOUND', snoozedUntil: null });
    expect(
      await selectRows(fixture.db, 'catalog_variant', ['itemSizeId'], { id: variantId }),
    ).toEqual([{ itemSizeId: erpItemSizeId }]);
    expect(await rebinds(variantId)).toMatchObject([
      { actorName: 'Temporal: Anna', reason: 'New card in the ERP', after: { erpItemSizeId } },
    ]);
  });

  test('[OPS-184] fails with the sentence of the API if the reason is in the database', async () => {
    const { variantId, handle } = await openIncident();
    const bound = await use.aDish();
    const [taken] = await selectRows(fixture.db, 'catalog_variant', ['itemSizeId'], {
      id: bound.variantIds[0]!,
    });
    const erpItemSizeId = taken!.itemSizeId;
    const refusal = await rejectedUpdate(handle, incidentUpdate('rebind'), {
      by: 'Anna',
      note: 'x',
      erpItemSizeId,
    });
    const unknown = await rejectedUpdate(handle, incidentUpdate('rebind'), {
      by: 'Anna',
      note: 'x',
      erpItemSizeId: 2 ** 50,
    });

    expect(refusal).toEqual({
      message: await awaitSentence(
        rebindVariant(fixture.deps, STAFF, variantId, { erpItemSizeId }),
      ),
      type: 'item-already-bound',
      isRetryable: false,
    });
    expect(unknown).toMatchObject({
      message: 'erpItemSizeId: No such size of an external item.',
      type: 'validation',
    });
    expect((await handle.describe()).status.name).toBe('RUNNING');
    expect(await use.incidents(variantId)).toMatchObject([{ status: 'OPEN' }]);
    await handle.terminate();
  });

  test('[OPS-184] fails with the sentence of the API once the incident is closed', async () => {
    const { incidentId, handle } = await openIncident();
    await dismissIncident(fixture.deps, STAFF, incidentId, { note: 'x' });
    const late = { by: 'Anna', note: 'x', until: inHours(1) };
    const refusal = await rejectedUpdate(handle, incidentUpdate('snooze'), late);
    await ends(handle);

    expect(refusal).toEqual({
      message: await awaitSentence(
        snoozeIncident(fixture.deps, STAFF, incidentId, { until: inHours(1) }),
      ),
      type: 'invalid-transition',
      isRetryable: false,
    });
  });

  test('[BND-21] a dismissal by the API and a concurrent update take effect once', async () => {
    const { incidentId, handle } = await openIncident();
    const row = await holdRow(fixture.db, 'binding_incident', incidentId);
    const byApi = dismissIncident(fixture.deps, STAFF, incidentId, { note: 'by the API' });
    await row.waits(1);
    const byUpdate = handle.executeUpdate(incidentUpdate('dismiss'), {
      args: [{ by: 'Anna', note: 'x' }],
    });
    await row.waits(2);
    await row.release();
    const [answered, updated] = await Promise.all([byApi, byUpdate]);
    await ends(handle);

    expect([answered.resolution, updated.resolution]).toEqual(['DISMISSED', 'DISMISSED']);
    expect(await audit('binding-incident', incidentId)).toHaveLength(1);
  });

  test('[BND-27] two concurrent updates take effect once, and both are answered before the execution ends', async () => {
    const { incidentId, variantId, handle } = await openIncident();
    const erpItemSizeId = await freeSize();
    const row = await holdRow(fixture.db, 'binding_incident', incidentId);
    const outcome = (sent: Promise<unknown>) =>
      sent.then(() => 'acted').catch((error) => rejectionIn(error).message);
    const dismissed = outcome(
      handle.executeUpdate(incidentUpdate('dismiss'), { args: [{ by: 'Anna', note: 'x' }] }),
    );
    const rebound = outcome(
      handle.executeUpdate(incidentUpdate('rebind'), {
        args: [{ by: 'Boris', note: 'x', erpItemSizeId }],
      }),
    );
    await row.waits(2);
    await row.release();
    const outcomes = await Promise.all([dismissed, rebound]);
    await ends(handle);
    const [incident] = await use.incidents(variantId);

    expect(outcomes.filter((word) => word === 'acted')).toHaveLength(1);
    expect(outcomes).toContain(`The incident is closed: ${incident!.resolution}.`);
    expect(await rebinds(variantId)).toHaveLength(incident!.resolution === 'REBOUND' ? 1 : 0);
  });

  test('[BND-27] two concurrent rebinds to the same size take effect once', async () => {
    const { incidentId, variantId, handle } = await openIncident();
    const erpItemSizeId = await freeSize();
    const row = await holdRow(fixture.db, 'binding_incident', incidentId);
    const send = (input: object) =>
      handle.executeUpdate(incidentUpdate('rebind').name, { args: [input] });
    const same = [1, 2].map(() => send({ by: 'Anna', note: 'x', erpItemSizeId }));
    await row.waits(2);
    await row.release();
    await Promise.all(same);
    await ends(handle);

    expect(await rebinds(variantId)).toHaveLength(1);
  });

  test('[OPS-184] an update is answered by the execution that accepted it', async () => {
    const { incidentId, handle } = await openIncident({ looksPerRun: 2 });
    const { promise, resolve: open } = Promise.withResolvers<void>();
    gate = promise;
    const first = (await handle.describe()).runId;
    const until = inHours(1);
    const sent = handle.executeUpdate(incidentUpdate('snooze'), {
      args: [{ by: 'Anna', note: 'x', until }],
    });
    await eventually('it is accepted', async () =>
      (await readHistory(handle)).some(
        (event) => event.workflowExecutionUpdateAcceptedEventAttributes != null,
      )
        ? true
        : undefined,
    );
    await signalIncidents(sync.upkeep, [incidentId], 'opened');
    await eventually('it has read the row often enough for a new history', async () =>
      (await readHistory(handle)).filter(
        (event) => event.activityTaskCompletedEventAttributes != null,
      ).length >= 2
        ? true
        : undefined,
    );
    const meanwhile = (await handle.describe()).runId;
    open();
    const result = await sent;
    await eventually('it has continued as new', async () =>
      (await handle.describe()).runId === first ? undefined : true,
    );

    expect(meanwhile).toBe(first);
    expect(result).toMatchObject({ status: 'SNOOZED' });
    await handle.terminate();
  });

  test('[OPS-184] an execution that finds the incident closed records no event', async () => {
    const { incidentId, handle } = await openIncident();
    const { promise, resolve: open } = Promise.withResolvers<void>();
    gate = promise;
    const input = { by: 'Anna', note: 'x', until: inHours(1) };
    const first = handle.executeUpdate(incidentUpdate('dismiss'), {
      args: [{ by: 'Anna', note: 'x' }],
    });
    await eventually('it is accepted', async () =>
      (await readHistory(handle)).some(
        (event) => event.workflowExecutionUpdateAcceptedEventAttributes != null,
      )
        ? true
        : undefined,
    );
    await dismissIncident(fixture.deps, STAFF, incidentId, { note: 'x' });
    await signalIncidents(sync.upkeep, [incidentId], 'dismissed');
    await eventually('it has read the row', async () =>
      (await handle.query(incidentState))?.status === 'CLOSED' ? true : undefined,
    );
    const before = await countEvents(handle);
    const late = await rejectedUpdate(handle, incidentUpdate('snooze'), input);
    const after = await countEvents(handle);
    open();
    const result = await first;
    await ends(handle);

    expect(late).toEqual({
      message: 'The incident is closed: DISMISSED.',
      type: 'invalid-transition',
      isRetryable: false,
    });
    expect(after).toBe(before);
    expect(result).toMatchObject({ resolution: 'DISMISSED' });
    expect(await audit('binding-incident', incidentId)).toHaveLength(1);
  });
});

describe('an incident without a decision', () => {
  let incidentId: number;
  let handle: OpenIncident['handle'];
  beforeAll(async () => {
    ({ incidentId, handle } = await openIncident());
  });

  const LONG = 'a'.repeat(1_001);
  test.each<['dismiss' | 'snooze' | 'rebind', string, unknown, string]>([
    [
      'dismiss',
      'empty texts',
      { by: '', note: '' },
      'by: must not be empty; note: must not be empty.',
    ],
    ['dismiss', 'a text instead of an object', 'hello', 'body: must be object.'],
    ['dismiss', 'no input', undefined, 'body: must be object.'],
    [
      'dismiss',
      'a note that is too long',
      { by: 'Anna', note: LONG },
      'note: must have at most 1000 characters.',
    ],
    ['dismiss', 'a blank name', { by: ' ', note: 'x' }, 'by: Must not be empty.'],
    [
      'snooze',
      'a moment in the past',
      { by: 'Anna', note: 'x', until: '2020-01-01T00:00:00Z' },
      'until: Must be in the future.',
    ],
    [
      'snooze',
      'a moment in more than a year',
      { by: 'Anna', note: 'x', until: inHours(24 * 367) },
      'until: At most a year away.',
    ],
    [
      'snooze',
      'a text that is no moment',
      { by: 'Anna', note: 'x', until: 'Friday' },
      'until: must be a date-time.',
    ],
    [
      'snooze',
      'wrong types',
      { by: 1, note: null },
      'until: is required; by: must be string; note: must be string.',
    ],
    ['rebind', 'no size', { by: 'Anna', note: 'x' }, 'erpItemSizeId: is required.'],
    [
      'rebind',
      'a size in quotes',
      { by: 'Anna', note: 'x', erpItemSizeId: '7' },
      'erpItemSizeId: must be integer.',
    ],
    [
      'rebind',
      'an unknown field',
      { by: 'Anna', note: 'x', erpItemSizeId: 7, variant: 1 },
      'variant: is unknown.',
    ],
  ])('[OPS-184] rejects %s with %s and records no event', async (move, _, input, sentence) => {
    const before = await countEvents(handle);
    const refusal = await rejectedUpdate(handle, incidentUpdate(move), input);

    expect(refusal).toEqual({ message: sentence, type: 'validation', isRetryable: false });
    expect(await countEvents(handle)).toBe(before);
    expect(await audit('binding-incident', incidentId)).toEqual([]);
  });

  test('[OPS-184] lists its updates with their inputs in Temporal', async () => {
    const { definition } = await handle.query<
      { definition: { updateDefinitions: { name: string; description: string }[] } },
      []
    >('__temporal_workflow_metadata');

    expect(definition.updateDefinitions.map(({ name }) => name)).toEqual([
      'dismiss',
      'snooze',
      'rebind',
    ]);
    for (const { description } of definition.updateDefinitions)
      expect(description).toContain('{"by": "Anna"');
  });

  const rejected = async (signal: string) => {
    const { values } = await fixture.metrics.workflowSignalsRejected.get();
    return (
      values.find(({ labels }) => labels.workflow === 'incident' && labels.signal === signal)
        ?.value ?? 0
    );
  };
  const readDetails = async () =>
    (await handle.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata'))
      .currentDetails ?? '';

  test('[OPS-185] a signal with an unknown name is shown and counted', async () => {
    const before = [await rejected('dismissed'), await rejected('unknown')];
    await handle.signal(incidentSignal('dismissed'), 'hello' as unknown as IncidentIntent);
    const invalid = await eventually('the details show it', async () => {
      const details = await readDetails();
      return details.includes('body: must be object.') ? details : undefined;
    });
    await handle.signal('dismis', { by: 'Anna', note: 'x' });
    const unknown = await eventually('the details show it', async () => {
      const details = await readDetails();
      return details.includes('The signal dismis is unknown and was ignored.')
        ? details
        : undefined;
    });

    const until = inHours(1);
    await handle.executeUpdate(incidentUpdate('snooze'), {
      args: [{ by: 'Anna', note: 'x', until }],
    });
    const accepted = await eventually('the details show the snooze', async () => {
      const details = await readDetails();
      return details.startsWith('Snoozed') ? details : undefined;
    });

    expect(invalid).toContain('Open: it waits for staff');
    expect(accepted).not.toContain('unknown');
    expect(unknown).toContain('Open: it waits for staff');
    expect([await rejected('dismissed'), await rejected('unknown')]).toEqual(
      before.map((count) => count + 1),
    );
  });
});
