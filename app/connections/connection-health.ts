import type { Sql } from '../database.ts';
import { VISIBLE } from './connection-view.ts';

/** How the ERP treats a connection at this moment, over all processes. */
export type ConnectionHealth = {
  connectionId: number;
  /** OPEN: no request goes out before `openUntil`; HALF_OPEN: the next request tries whether the ERP works again. */
  circuit: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  /** Since when the circuit has not been closed. */
  openedAt: Date | null;
  openUntil: Date | null;
  /** When the credential was refused last; null when it works or was never used. */
  credentialRefusedAt: Date | null;
  /** Endpoints that refuse even a fresh token (401) or forbid the call (403): the credential lacks a right. */
  refusedEndpoints: string[];
};

/** The health of every connection of the contract, oldest first, for `/sync/status` and the metrics (rule CON-11). */
export function connectionHealth(sql: Sql): Promise<ConnectionHealth[]> {
  return sql.query<ConnectionHealth>(
    `select connection.id as "connectionId",
            case when circuit.open_until is null then 'CLOSED' when circuit.open_until > now() then 'OPEN' else 'HALF_OPEN' end as circuit,
            circuit.opened_at as "openedAt", circuit.open_until as "openUntil", token.refused_at as "credentialRefusedAt",
            array(select endpoint from erp_refusal refusal where refusal.connection_id = connection.id order by endpoint) as "refusedEndpoints"
       from connection left join erp_circuit circuit on circuit.connection_id = connection.id
       left join erp_token token on token.connection_id = connection.id
      where ${VISIBLE} order by connection.id`,
  );
}
