import { sql, type RawBuilder } from 'kysely';

/**
 * The organization in which all orders of a connection are created at the ERP (setting `call_center_organization`, rule FUL-47), by its uuid;
 * null where each is created in its own: nobody has chosen one, or it is none of this connection.
 */
export const callCenterOf = (connectionId: RawBuilder<number>): RawBuilder<string | null> => sql<string | null>`
  (select center.erp_id from mirror_organization center
     join setting on setting.key = 'call_center_organization' and lower(setting.value #>> '{}') = center.erp_id::text
    where center.connection_id = ${connectionId} and center.inactive_at is null)`;
