import { sql } from 'kysely';
import type { ConnectionHealth as AnsweredHealth } from './schemas/connections.ts';
import type { Sql } from '../../platform/db/database.ts';

/** How the ERP treats a connection at this moment, over all processes. */
export type ConnectionHealth = AnsweredHealth & { connectionId: number };

/** The health of every connection of the contract, oldest first, for `/sync/status` and the metrics (rule CON-11). */
export async function connectionHealth({ db }: Sql): Promise<ConnectionHealth[]> {
  const connections = await db
    .selectFrom('connection')
    .leftJoin('erp_circuit as circuit', 'circuit.connectionId', 'connection.id')
    .leftJoin('erp_token as token', 'token.connectionId', 'connection.id')
    .select((eb) => [
      'connection.id as connectionId',
      eb
        .case()
        .when('circuit.openUntil', 'is', null)
        .then<ConnectionHealth['circuit']>('CLOSED')
        .when('circuit.openUntil', '>', sql<Date>`now()`)
        .then<ConnectionHealth['circuit']>('OPEN')
        .else<ConnectionHealth['circuit']>('HALF_OPEN')
        .end()
        .as('circuit'),
      'circuit.openedAt',
      'circuit.openUntil',
      'token.refusedAt as credentialRefusedAt',
      sql<string[]>`array(${eb
        .selectFrom('erp_refusal as refusal')
        .whereRef('refusal.connectionId', '=', 'connection.id')
        .select('refusal.endpoint')
        .orderBy('refusal.endpoint')})`.as('refusedEndpoints'),
    ])
    .where('connection.legalEntityId', 'is not', null)
    .orderBy('connection.id')
    .execute();
  return connections;
}
