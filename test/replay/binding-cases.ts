import { setTimeout as delay } from 'node:timers/promises';
import { signalIncidents, wakeBindingEvaluation } from '../../modules/binding/wake-bindings.ts';
import { dismissIncident, snoozeIncident } from '../../modules/binding/settle-incident.ts';
import {
  incidentSignal,
  bindingEvaluationWorkflow,
  incidentWorkflow,
} from '../../modules/binding/messages/binding.ts';
import { bindingDeps, bindings } from '../support/bindings.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { importMenu, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import type { SyncWorker } from '../support/sync-worker.ts';
import { addRow, deleteRows, not, selectRows } from '../support/rows.ts';

export type Recorder = {
  fixture: TestFixture;
  sync: SyncWorker;
  menuId: number;
  run: (type: string, id: string) => Promise<string>;
};

/** A vanished dish, with the grace time in minutes. An evaluation opens `incident`. */
async function vanishedDish({ fixture, menuId }: Recorder, minutes: number) {
  const use = bindings({ ...fixture, menuId, binding: bindingDeps(fixture.db) });
  await use.cleared();
  await use.grace(1_000, minutes);
  const dish = await use.aDish();
  await use.vanish(dish.itemErpId);
  await importMenu(fixture, menuId, 'FULL');
  return { use, dish };
}

async function ended({ sync }: Recorder, workflowId: string): Promise<void> {
  await eventually(`${workflowId} is over`, async () => {
    const { status } = await sync.temporal.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' ? undefined : status;
  });
}

export async function runningIncident(recorder: Recorder) {
  const { use, dish } = await vanishedDish(recorder, 0);
  await use.evaluate();
  const [incident] = await use.incidents(dish.variantIds[0]!);
  const incidentId = incident!.id;
  await signalIncidents(recorder.sync.upkeep, [incidentId], 'opened');
  return { use, dish, incidentId, workflowId: incidentWorkflow.id({ incidentId }) };
}

const snooze = (recorder: Recorder, incidentId: number, ms: number) =>
  snoozeIncident({ db: recorder.fixture.db }, STAFF, incidentId, {
    until: new Date(Date.now() + ms).toISOString(),
  });

/** Histories of the evaluation and of incidents: timers, signals and ends. */
export const BINDING_CASES: readonly {
  type: string;
  name: string;
  act: (recorder: Recorder) => Promise<string>;
}[] = [
  {
    type: 'bindingEvaluation',
    name: 'grace-window',
    async act(recorder) {
      await vanishedDish(recorder, 0.05);
      const id = bindingEvaluationWorkflow.id(recorder.fixture);
      await wakeBindingEvaluation(recorder.sync.upkeep, recorder.fixture.connectionId, null);
      await delay(500);
      await wakeBindingEvaluation(recorder.sync.upkeep, recorder.fixture.connectionId, null);
      await ended(recorder, id);
      return id;
    },
  },
  {
    type: 'bindingEvaluation',
    name: 'nothing-vanished',
    async act(recorder) {
      const { use, dish } = await vanishedDish(recorder, 0);
      await use.bringBack(dish.itemErpId);
      await importMenu(recorder.fixture, recorder.menuId, 'FULL');
      return recorder.run('bindingEvaluation', bindingEvaluationWorkflow.id(recorder.fixture));
    },
  },
  {
    type: 'incident',
    name: 'dismissed',
    async act(recorder) {
      const { incidentId, workflowId } = await runningIncident(recorder);
      await dismissIncident({ db: recorder.fixture.db }, STAFF, incidentId, { note: 'x' });
      await signalIncidents(recorder.sync.upkeep, [incidentId], 'dismissed');
      await ended(recorder, workflowId);
      return workflowId;
    },
  },
  {
    type: 'incident',
    name: 'settled-by-an-operator',
    async act(recorder) {
      const { workflowId } = await runningIncident(recorder);
      const handle = recorder.sync.temporal.workflow.getHandle(workflowId);
      await handle.signal(incidentSignal('snoozed'), { by: 'Anna', note: 'x', until: 'Friday' });
      await handle.signal(incidentSignal('dismissed'), { by: 'Anna', note: 'x' });
      await ended(recorder, workflowId);
      return workflowId;
    },
  },
  {
    type: 'incident',
    name: 'nobody-takes-care',
    async act(recorder) {
      const { db } = recorder.fixture;
      await addRow(db, 'setting', { key: 'binding.escalation_minutes', value: 0.01 });
      const { incidentId, workflowId } = await runningIncident(recorder);
      await eventually('people are told', async () => {
        const [told] = await selectRows(db, 'binding_incident', '*', {
          id: incidentId,
          escalatedAt: not(null),
        });
        return told;
      });
      await deleteRows(db, 'setting', { key: 'binding.escalation_minutes' });
      await dismissIncident({ db }, STAFF, incidentId, { note: 'x' });
      await signalIncidents(recorder.sync.upkeep, [incidentId], 'dismissed');
      await ended(recorder, workflowId);
      return workflowId;
    },
  },
  {
    type: 'incident',
    name: 'snoozed-opened-again-returned',
    async act(recorder) {
      const { use, dish, incidentId, workflowId } = await runningIncident(recorder);
      const { upkeep } = recorder.sync;
      await snooze(recorder, incidentId, 60_000);
      await signalIncidents(upkeep, [incidentId], 'snoozed');
      await delay(300);
      await snooze(recorder, incidentId, 1_000);
      await signalIncidents(upkeep, [incidentId], 'snoozed');
      await eventually('it is open again', async () => {
        const [row] = await use.incidents(dish.variantIds[0]!);
        return row?.status === 'OPEN' ? row : undefined;
      });
      await use.bringBack(dish.itemErpId);
      await use.imported();
      await signalIncidents(upkeep, [incidentId], 'itemReturned');
      await ended(recorder, workflowId);
      return workflowId;
    },
  },
];
