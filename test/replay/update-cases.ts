import { incidentUpdate } from '../../modules/binding/messages/binding.ts';
import { categoryClearWorkflow, resolveUpdate } from '../../modules/gifts/messages/gifts.ts';
import { updateClearing } from '../../modules/gifts/markers/start-clearing.ts';
import { cancelUpdate } from '../../modules/ordering/messages/ordering.ts';
import { rightsFixture } from '../support/rights.ts';
import { addRow, selectRows } from '../support/rows.ts';
import { runningIncident, type Recorder } from './binding-cases.ts';
import { ordered } from './order-cases.ts';

const OPERATOR = { by: 'Anna', note: 'x' };
const FAR = '2099-01-01T00:00:00Z';

/** Histories of updates: rejected, accepted, and starting their execution. */
export const UPDATE_CASES: readonly {
  type: string;
  name: string;
  act: (recorder: Recorder) => Promise<string>;
}[] = [
  {
    type: 'incident',
    name: 'moved-by-updates',
    async act(recorder) {
      const { workflowId } = await runningIncident(recorder);
      const handle = recorder.sync.temporal.workflow.getHandle(workflowId);
      const rejected = (input: object) =>
        handle
          .executeUpdate('rebind', { args: [{ ...OPERATOR, ...input }] })
          .catch(() => undefined);
      await rejected({});
      await rejected({ erpItemSizeId: 2 ** 50 });
      const until = new Date(Date.now() + 3_600_000).toISOString();
      await handle.executeUpdate(incidentUpdate('snooze'), { args: [{ ...OPERATOR, until }] });
      await handle.signal('snoozd', { until: FAR });
      await handle.executeUpdate(incidentUpdate('dismiss'), { args: [OPERATOR] });
      await handle.result();
      return workflowId;
    },
  },
  {
    type: 'order',
    name: 'cancelled-by-an-update',
    async act(recorder) {
      const { start } = await ordered(recorder, { paymentMethod: 'SBP' });
      const handle = await start();
      await handle.executeUpdate(cancelUpdate, { args: [OPERATOR] });
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    type: 'categoryClear',
    name: 'started-by-an-update',
    async act({ fixture, sync }) {
      const { clientId, rewardId } = await rightsFixture(fixture.db);
      const markers = { clientId, source: 'ERP_CATEGORY' } as const;
      const subject = crypto.randomUUID();
      await addRow(fixture.db, 'client_marker', {
        ...markers,
        subject,
        generation: 1,
        isPresent: true,
        compensationId: null,
        seenAt: new Date(),
        goneAt: null,
      });
      await addRow(fixture.db, 'compensation_conflict', {
        ...markers,
        subject,
        generation: 1,
        kind: 'SECOND_RIGHT',
        rewardId,
        compensationId: null,
        foundAt: new Date(),
        closedAt: null,
      });
      const [conflict] = await selectRows(fixture.db, 'compensation_conflict', ['id'], {
        clientId,
      });
      const input = { ...OPERATOR, conflictId: conflict!.id, decision: 'IGNORE' };
      await updateClearing(sync.product, markers, { update: resolveUpdate.name, input });
      const { workflowId } = sync.temporal.workflow.getHandle(
        categoryClearWorkflow.id({ clientId }),
      );
      await sync.temporal.workflow.getHandle(workflowId).result();
      return workflowId;
    },
  },
];
