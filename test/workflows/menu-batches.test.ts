import { importLock } from '../../modules/mirror/messages/sync.ts';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { getRun } from '../../modules/mirror/runs/list-runs.ts';
import type { ImportInput, ImportResult } from '../../modules/mirror/messages/sync.ts';
import { longTest } from '../support/repetitions.ts';
import { importResult } from '../support/workflow-outcomes.ts';
import {
  importingFixture,
  stopImportingFixture,
  type RunningImports,
} from '../support/importing-fixture.ts';

let fixture: RunningImports['fixture'];
let sync: RunningImports['sync'];
let menuId: RunningImports['menuId'];
let workers: RunningImports['workers'];
beforeAll(async () => {
  // Twelve organizations are two batches.
  ({ fixture, sync, menuId, workers } = await importingFixture({ size: 'demo' }));
});
afterAll(() => stopImportingFixture({ fixture, sync, menuId, workers }));

const importNow = async () => {
  const ended = sync.temporal.workflow.execute<(input: ImportInput) => Promise<ImportResult>>(
    'menuImport',
    {
      workflowId: importLock({
        job: 'MENU',
        connectionId: fixture.connectionId,
        externalMenuId: menuId,
      }),
      taskQueue: sync.queues.workflows,
      args: [
        {
          job: 'MENU',
          connectionId: fixture.connectionId,
          externalMenuId: menuId,
          trigger: 'MANUAL',
          queues: sync.queues,
        },
      ],
    },
  );
  return getRun(fixture.db, (await importResult(ended)).runId);
};
const differ = (on: boolean) =>
  fixture.emulator.control('differing-revisions', { menuId: '9001', on });

describe('batches of different revisions', () => {
  longTest(
    '[MIR-8] the smallest revision is saved and counted, and the next run fetches everything',
    async () => {
      const { menus } = await fixture.emulator.control<{
        menus: { id: string; revision: number }[];
      }>('state');
      const { revision } = menus.find((menu) => menu.id === '9001')!;
      await differ(true);

      const first = await importNow();
      const second = await importNow();
      await differ(false);
      const third = await importNow();
      const fourth = await importNow();

      expect(first).toMatchObject({
        status: 'SUCCESS',
        organizations: 12,
        batches: 2,
        revisionTo: revision - 1,
      });
      expect(first.anomalies.map((anomaly) => anomaly.code)).toEqual([
        'COMBO_LEFT_OUT',
        'REVISIONS_DIFFER',
      ]);
      // Empty lists for the saved revision are not an empty menu.
      expect(second).toMatchObject({
        status: 'SUCCESS',
        prices: { upserted: 0, unchanged: first.prices.upserted },
      });
      expect(third).toMatchObject({ status: 'SUCCESS', revisionTo: revision });
      expect(third.anomalies.map((anomaly) => anomaly.code)).toEqual(['COMBO_LEFT_OUT']);
      expect(fourth).toMatchObject({ status: 'SKIPPED', reason: 'UNCHANGED' });
    },
  );
});
