import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROBLEMS } from '../../kernel/pure/problems.ts';
import { applyCard } from '../../modules/gifts/cards/apply-card.ts';
import { resolveConflict } from '../../modules/gifts/cards/conflicts.ts';
import {
  categoryClearWorkflow,
  clearingState,
  resolveUpdate,
} from '../../modules/gifts/messages/gifts.ts';
import { updateClearing } from '../../modules/gifts/markers/start-clearing.ts';
import { activityQueues } from '../../kernel/pure/queues.ts';
import { readAudit } from '../support/audit.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { testSecrets } from '../support/connection.ts';
import { mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { holdTable } from '../support/races.ts';
import { rightsFixture } from '../support/rights.ts';
import { selectRows } from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { countEvents, rejectionIn, rejectedUpdate } from '../support/workflow-updates.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
let rights: Awaited<ReturnType<typeof rightsFixture>>;
let organizationId: number;
const categories = [randomUUID(), randomUUID()] as const;
/** The activity that clears a marker does not return until the gate opens. */
let gate = Promise.resolve();
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  rights = await rightsFixture(fixture.db);
  ({ id: organizationId } = await rights.rows.organization(rights.connectionId));
  for (const category_id of categories) await rights.reward({ category_id });
  const { clearNextMarker } = sync.activities.erp as {
    clearNextMarker: (of: object) => Promise<object>;
  };
  workers = await sync.start(
    {
      erp: {
        clearNextMarker: async (of: object) => {
          const standing = await clearNextMarker(of);
          await gate;
          return standing;
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

const INPUT = { by: 'Anna', note: 'The guest waited twice', decision: 'GRANT' } as const;

async function conflicts() {
  const erpId = randomUUID();
  const clientId = await rights.client({ erpCustomerId: erpId });
  const card = (...ids: string[]) =>
    fixture.db.transaction((tx) =>
      applyCard(tx, {
        clientId,
        source: 'ERP_CATEGORY',
        customer: {
          id: erpId,
          comment: null,
          categories: ids.map((id) => ({ id, name: null, isActive: true })),
        },
        organizationId,
        askedAt: new Date(),
        onlyOneRight: true,
        clears: null,
      }),
    );
  await card(...categories);
  const rows = await selectRows(
    fixture.db,
    'compensation_conflict',
    ['id'],
    { clientId },
    { orderBy: 'id' },
  );
  const markers = { clientId, source: 'ERP_CATEGORY' } as const;
  const [first, second] = rows.map(({ id }) => id);
  const state = async (id: number) =>
    (
      await selectRows(fixture.db, 'compensation_conflict', ['status', 'compensationId'], { id })
    )[0]!;
  const rightIds = async () =>
    (await selectRows(fixture.db, 'compensation', ['id'], { clientId })).map(({ id }) => id);
  return { clientId, markers, first: first!, second: second!, state, rightIds };
}

const audit = (id: number) =>
  readAudit({ db: fixture.db, secrets: testSecrets }, 'compensation-conflict', id);
const getHandle = (clientId: string) =>
  sync.temporal.workflow.getHandle(categoryClearWorkflow.id({ clientId }));
const resolve = (markers: Parameters<typeof updateClearing>[1], input: unknown) =>
  updateClearing(sync.product, markers, { update: resolveUpdate.name, input });
const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => null,
    (error: unknown) => rejectionIn(error),
  );

describe('the update resolve of a clearing', () => {
  test('[CMP-120] starts the clearing, grants a gift and ends', async () => {
    const { clientId, markers, first, state, rightIds } = await conflicts();
    const result = await resolve(markers, { ...INPUT, conflictId: first });
    await getHandle(clientId).result();
    const [right] = await rightIds();

    expect(result).toEqual({ status: 'GRANTED', compensationId: right });
    expect(await state(first)).toEqual(result);
    expect(await audit(first)).toMatchObject([
      { action: 'grant', actor: 'Temporal: Anna', reason: INPUT.note },
    ]);
  });

  test('[CMP-120] ignores a promise, and returns the first answer for a repeated decision', async () => {
    const { markers, first, rightIds } = await conflicts();
    const ignoring = { ...INPUT, decision: 'IGNORE', conflictId: first };
    const results = [await resolve(markers, ignoring), await resolve(markers, ignoring)];
    const changed = await refusal(resolve(markers, { ...INPUT, conflictId: first }));

    expect(results).toEqual(Array(2).fill({ status: 'IGNORED', compensationId: null }));
    expect(changed).toEqual({
      message: PROBLEMS['invalid-transition'].when,
      type: 'invalid-transition',
      isRetryable: false,
    });
    expect(await rightIds()).toEqual([]);
    expect(await audit(first)).toHaveLength(1);
  });

  test('[CMP-120] finds only conflicts of its client and source', async () => {
    const { markers, second, state } = await conflicts();
    const other = await conflicts();
    const foreign = await refusal(resolve(other.markers, { ...INPUT, conflictId: second }));
    const unknown = await refusal(resolve(markers, { ...INPUT, conflictId: 999_999 }));

    expect([foreign, unknown]).toEqual(
      Array(2).fill({ message: PROBLEMS['not-found'].when, type: 'not-found', isRetryable: false }),
    );
    expect(await state(second)).toMatchObject({ status: 'OPEN' });
  });

  test('[CMP-120] acts once if staff and two operators decide at once', async () => {
    const { clientId, markers, first, rightIds } = await conflicts();
    const held = await holdTable(fixture.db, 'compensation_conflict');
    const byApi = resolveConflict({ db: fixture.db, secrets: testSecrets }, STAFF, first, {
      decision: 'IGNORE',
      reason: 'x',
      mayCancel: true,
    }).then(
      () => 'acted',
      () => 'refused',
    );
    const byUpdates = ['GRANT', 'GRANT'].map((decision) =>
      resolve(markers, { ...INPUT, decision, conflictId: first }).then(
        () => 'acted',
        (error: unknown) => rejectionIn(error).type,
      ),
    );
    await held.waits(1);
    await held.release();
    const [api, updates] = [await byApi, await Promise.all(byUpdates)];
    await getHandle(clientId).result();

    expect(await audit(first)).toHaveLength(1);
    expect(updates).toEqual(
      api === 'acted' ? ['invalid-transition', 'invalid-transition'] : ['acted', 'acted'],
    );
    expect(await rightIds()).toHaveLength(api === 'acted' ? 0 : 1);
  });
});

describe('a clearing that waits for the ERP', () => {
  let found: Awaited<ReturnType<typeof conflicts>>;
  let handle: ReturnType<typeof getHandle>;
  let open: () => void;
  beforeAll(async () => {
    found = await conflicts();
    const { clientId } = found;
    ({ promise: gate, resolve: open } = Promise.withResolvers<void>());
    await sync.temporal.workflow.start('categoryClear', {
      workflowId: categoryClearWorkflow.id({ clientId }),
      taskQueue: sync.queues.workflows,
      args: [{ clientId, queues: activityQueues(sync.queues) }],
    });
    handle = getHandle(clientId);
    await eventually('it is at the ERP', async () =>
      (await handle.fetchHistory()).events?.some(
        ({ activityTaskScheduledEventAttributes: scheduled }) =>
          scheduled?.activityType?.name === 'clearNextMarker',
      )
        ? true
        : undefined,
    );
  });

  test.each<[string, (conflictId: number) => unknown, string]>([
    [
      'empty texts',
      (conflictId) => ({ ...INPUT, conflictId, by: '', note: '' }),
      'by: must not be empty; note: must not be empty.',
    ],
    ['a text instead of an object', () => 'hello', 'body: must be object.'],
    ['no conflict', () => INPUT, 'conflictId: is required.'],
    [
      'another decision',
      (conflictId) => ({ ...INPUT, conflictId, decision: 'PERHAPS' }),
      'decision: must be one of GRANT, IGNORE.',
    ],
  ])('[OPS-184] rejects a decision with %s and records no event', async (_, input, sentence) => {
    const before = await countEvents(handle);
    const rejected = await rejectedUpdate(handle, resolveUpdate, input(found.first));

    expect(rejected).toEqual({ message: sentence, type: 'validation', isRetryable: false });
    expect(await countEvents(handle)).toBe(before);
    expect(await found.state(found.first)).toMatchObject({ status: 'OPEN' });
  });

  test('[CMP-120, OPS-184] answers an update before it ends', async () => {
    const held = await holdTable(fixture.db, 'compensation_conflict');
    const sent = handle.executeUpdate(resolveUpdate, {
      args: [{ ...INPUT, conflictId: found.first }],
    });
    await held.waits(1);
    open();
    const standing = await eventually(
      'the clearing has nothing left to do',
      async () => (await handle.query(clearingState)) ?? undefined,
    );
    const { currentDetails } = await handle.query<{ currentDetails: string }, []>(
      '__temporal_workflow_metadata',
    );
    const status = (await handle.describe()).status.name;
    await held.release();
    const result = await sent;
    await handle.result();

    expect(standing).toMatchObject({ waiting: 0, conflicts: [found.first, found.second] });
    expect(currentDetails).toContain(
      `Conflicts that wait for staff: ${found.first}, ${found.second}`,
    );
    expect(status).toBe('RUNNING');
    expect(result).toMatchObject({ status: 'GRANTED' });
  });
});
