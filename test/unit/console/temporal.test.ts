import { describe, expect, test } from '@jest/globals';
import { incidentWorkflow } from '../../../modules/binding/messages/binding.ts';
import {
  categoryClearWorkflow,
  commentClearWorkflow,
  giftRedemptionWorkflow,
} from '../../../modules/gifts/messages/gifts.ts';
import { snapshotPinWorkflow } from '../../../modules/menus/messages/snapshot.ts';
import { snapshotRebuildWorkflow } from '../../../modules/menus/rebuilds/messages/rebuilds.ts';
import { pollingWorkflow } from '../../../modules/mirror/messages/polling.ts';
import { importLock } from '../../../modules/mirror/messages/sync.ts';
import { orderWorkflow } from '../../../modules/ordering/messages/ordering.ts';
import { EXECUTIONS, temporalUrl } from '../../../packages/console/src/pure/temporal.ts';

describe('links to executions', () => {
  test.each(['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST', 'ZONES', 'MENU'] as const)(
    '[CSL-23] name the import %s as the product does',
    (job) => {
      const run = { job, connectionId: 7, externalMenuId: job === 'MENU' ? 3 : null };

      expect(EXECUTIONS.run(run)).toEqual([
        importLock(run),
        pollingWorkflow.id({ connectionId: 7 }),
      ]);
    },
  );

  test('[CSL-23] name orders, incidents, menus and gifts as the product does', () => {
    const gift = { id: 'g', clientId: 'c', reservedOrderId: null, redeemedOrderId: null };
    const clearings = [
      commentClearWorkflow.id({ clientId: 'c' }),
      categoryClearWorkflow.id({ clientId: 'c' }),
    ];
    const ofOrder = giftRedemptionWorkflow.id({ orderId: 'o', compensationId: 'g' });

    expect(EXECUTIONS.order({ orderId: 'o' })).toEqual([orderWorkflow.id({ orderId: 'o' })]);
    expect(EXECUTIONS.incident({ id: 5 })).toEqual([incidentWorkflow.id({ incidentId: 5 })]);
    expect(EXECUTIONS.menu(4)).toEqual([
      snapshotRebuildWorkflow.id({ organizationId: 4 }),
      snapshotPinWorkflow.id({ organizationId: 4 }),
    ]);
    expect(EXECUTIONS.gift(gift)).toEqual(clearings);
    expect(EXECUTIONS.gift({ ...gift, reservedOrderId: 'o' })).toEqual([ofOrder, ...clearings]);
    expect(EXECUTIONS.gift({ ...gift, redeemedOrderId: 'o' })).toEqual([ofOrder, ...clearings]);
  });

  test('[CSL-23] open a list in Temporal that is filtered by ids', () => {
    expect(
      temporalUrl({ url: 'https://temporal.test/ui', namespace: 'carte' }, ['order/1', 'order/2']),
    ).toBe(
      'https://temporal.test/ui/namespaces/carte/workflows?query=WorkflowId%20IN%20(%22order%2F1%22%2C%20%22order%2F2%22)',
    );
  });
});
