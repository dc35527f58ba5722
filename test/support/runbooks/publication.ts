import { randomUUID } from 'node:crypto';
import { escalateIncident } from '../../../modules/binding/incident-timers.ts';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import { eventually } from '../processes.ts';
import type { Provocations } from './provocations.ts';

/** Events, menus, bindings and notifications. */
export const PUBLICATION_ALERTS: Provocations = {
  CarteWebhookQueueStuck: {
    made: 'an event of a type that only another version stores',
    provoke: async ({ sql, one }) => {
      const { id } = await one(
        `insert into webhook_event (event_key, event_type, raw, received_at)
         values ($1, 'FromAnotherVersion', '{}', now() - interval '5 minutes') returning id`,
        [randomUUID()],
      );
      return { row: { id, event_type: 'FromAnotherVersion' }, undo: () => sql('delete from webhook_event') };
    },
  },
  CarteOutboxStuck: {
    made: 'an event that only another version delivers',
    provoke: async ({ sql, one }) => {
      const { id } = await one(
        `insert into outbox (event, payload, created_at) values ('FromAnotherVersion', '{}', now() - interval '5 minutes') returning id`,
      );
      return {
        row: { id, event: 'FromAnotherVersion' },
        undo: () => sql('update outbox set delivered_at = now() where id = $1', [id]),
      };
    },
  },
  CarteOutboxParked: {
    procedures: ['Dead letter in the outbox'],
    made: 'an event that has failed twenty times, over two hours',
    provoke: async ({ one }) => {
      const { id } = await one(
        `insert into outbox (event, payload, created_at, attempts, last_error, parked_at)
         values ('FromAnotherVersion', '{}', now() - interval '2 hours', 20, 'a fault', now()) returning id`,
      );
      return { row: { id, attempts: 20 } };
    },
  },
  CarteSnapshotTooLarge: {
    procedures: ['Snapshot too large'],
    made: 'the notification; a menu of 1 MB takes a catalogue of thousands',
    provoke: async ({ db, organization, sql }) => {
      // A build that is under way would find its menu small enough, and say so.
      await eventually('its menu is not being built', async () => {
        const left = await sql('select 1 from snapshot_request where organization_id = $1 and dirty_seq > built_seq', [
          organization.id,
        ]);
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
        ids: { organization: organization.id, organization_id: organization.id, id: organization.id },
      };
    },
  },
  CarteBindingsMissing: {
    provoke: async (world) => {
      const { emulator, menuId, one, run } = world;
      const item = await one<{ erpId: string }>(
        `select item.erp_id as "erpId" from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
           join mirror_item item on item.id = size.item_id where not exists (select from reward where erp_item_id = item.erp_id)
          order by variant.id limit 1`,
      );
      await emulator.control('vanish', { menuId, itemIds: [item.erpId] });
      await run('MENU', 'FULL');
      // The grace of two imports is used up by two more.
      for (let turn = 0; turn < 2; turn += 1) {
        await emulator.control('reprice', { menuId, percent: 1 });
        await run('MENU');
      }
      const incident = await eventually('an incident is open', async () =>
        one<{ id: number; productId: number }>(
          `select id, product_id as "productId" from binding_incident where type = 'ITEM_MISSING' and status = 'OPEN'`,
        ),
      );
      return {
        row: { id: incident.id, type: 'ITEM_MISSING', product_id: incident.productId },
        ids: { incident: incident.id },
      };
    },
  },
  CarteBindingsUnattended: {
    provoke: async ({ db, sql, one }) => {
      const { id } = await one(`select id from binding_incident where type = 'ITEM_MISSING' and status = 'OPEN'`);
      await sql(`update binding_incident set opened_at = now() - interval '3 hours' where id = $1`, [id]);
      await escalateIncident(db, id);
      return { row: { id }, ids: { incident: id } };
    },
  },
  CarteNotificationUnsent: {
    provoke: async ({ deliver, sql, one }) => {
      await deliver();
      const { id } = await one(
        'select id from notification where resolved_at is null and sent_at is null order by id limit 1',
      );
      await sql(`update notification set raised_at = now() - interval '20 minutes' where id = $1`, [id]);
      return { row: { id, sent_at: undefined }, ids: { notification: id, id } };
    },
  },
};
