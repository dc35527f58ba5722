import { randomUUID } from 'node:crypto';
import { escalateIncident } from '../../../modules/binding/incident-timers.ts';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import { eventually } from '../processes.ts';
import type { Provocations } from './provocations.ts';
import {
  above,
  addRow,
  ago,
  column,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../rows.ts';

export const PUBLICATION_ALERTS: Provocations = {
  CarteWebhookQueueStuck: {
    made: 'an event of a type that only another version stores',
    provoke: async ({ db }) => {
      const { id } = await addRow(db, 'webhook_event', {
        eventKey: randomUUID(),
        eventType: 'FromAnotherVersion' as never,
        raw: {},
        receivedAt: ago('5 minutes'),
      });
      return {
        row: { id, event_type: 'FromAnotherVersion' },
        undo: () => deleteRows(db, 'webhook_event'),
      };
    },
  },
  CarteOutboxStuck: {
    made: 'an event that only another version delivers',
    provoke: async ({ db }) => {
      const { id } = await addRow(db, 'outbox', {
        event: 'FromAnotherVersion',
        payload: {},
        createdAt: ago('5 minutes'),
      });
      return {
        row: { id, event: 'FromAnotherVersion' },
        undo: () => updateRows(db, 'outbox', { deliveredAt: databaseNow() }, { id }),
      };
    },
  },
  CarteOutboxParked: {
    procedures: ['Dead letter in the outbox'],
    made: 'an event that has failed twenty times, over two hours',
    provoke: async ({ db }) => {
      const { id } = await addRow(db, 'outbox', {
        event: 'FromAnotherVersion',
        payload: {},
        createdAt: ago('2 hours'),
        attempts: 20,
        lastError: 'a fault',
        parkedAt: databaseNow(),
      });
      return { row: { id, attempts: 20 } };
    },
  },
  CarteSnapshotTooLarge: {
    procedures: ['Snapshot too large'],
    made: 'the notification; a menu of 1 MB takes a catalog of thousands',
    provoke: async ({ db, organization }) => {
      // A running build would overwrite the size of the menu.
      await eventually('its menu is not being built', async () => {
        const left = await selectRows(db, 'snapshot_request', '*', {
          organizationId: organization.id,
          dirtySeq: above(column('builtSeq')),
        });
        return left.length === 0 ? true : undefined;
      });
      await db.transaction((tx) =>
        raiseNotification(tx, {
          kind: 'SNAPSHOT_TOO_LARGE',
          subjectType: 'organization',
          subjectId: organization.id,
          details: { organizationId: organization.id },
        }),
      );
      return {
        row: { subject_id: String(organization.id) },
        ofProcedure: { organization_id: organization.id },
        ids: {
          organization: organization.id,
          organization_id: organization.id,
          id: organization.id,
        },
      };
    },
  },
  CarteBindingsMissing: {
    provoke: async (fixture) => {
      const { emulator, menuId, db, one, run } = fixture;
      const item = await one<{ erpId: string }>(
        `select item.erp_id as "erpId" from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
           join mirror_item item on item.id = size.item_id where not exists (select from reward where erp_item_id = item.erp_id)
          order by variant.id limit 1`,
      );
      await emulator.control('vanish', { menuId, itemIds: [item.erpId] });
      await run('MENU', 'FULL');
      // The second import without the dish ends its grace period.
      await emulator.control('reprice', { menuId, percent: 1 });
      await run('MENU');
      const incident = await eventually('an incident is open', async () =>
        selectRow(db, 'binding_incident', ['id', 'productId'], {
          type: 'ITEM_MISSING',
          status: 'OPEN',
        }),
      );
      return {
        row: { id: incident.id, type: 'ITEM_MISSING', product_id: incident.productId },
        ids: { incident: incident.id },
      };
    },
  },
  CarteBindingsUnattended: {
    provoke: async ({ db }) => {
      const { id } = await selectRow(db, 'binding_incident', ['id'], {
        type: 'ITEM_MISSING',
        status: 'OPEN',
      });
      await updateRows(db, 'binding_incident', { openedAt: ago('3 hours') }, { id });
      await escalateIncident(db, id);
      return { row: { id }, ids: { incident: id } };
    },
  },
  CarteNotificationUnsent: {
    provoke: async ({ deliver, db }) => {
      await deliver();
      const { id } = await selectRow(
        db,
        'notification',
        ['id'],
        { resolvedAt: null, sentAt: null },
        { orderBy: 'id', limit: 1 },
      );
      await updateRows(db, 'notification', { raisedAt: ago('20 minutes') }, { id });
      return { row: { id, sent_at: undefined }, ids: { notification: id, id } };
    },
  },
};
