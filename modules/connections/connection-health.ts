import { sql } from 'kysely';
import { ENDPOINT_GROUP_NAMES } from '../../erp/ports.ts';
import type { CircuitHealth, ConnectionHealth as AnsweredHealth } from './schemas/connections.ts';
import type { Sql } from '../../platform/db/database.ts';

/** The current state of the ERP as all processes see it. */
export type ConnectionHealth = AnsweredHealth & { connectionId: number };

/** The worst circuit determines the connection's health. */
const WORST_FIRST = [
  'OPEN',
  'HALF_OPEN',
  'CLOSED',
] as const satisfies readonly CircuitHealth['circuit'][];

/** Returns the health of all connections, oldest first (rule CON-11). */
export async function connectionHealth(from: Sql): Promise<ConnectionHealth[]> {
  const [connections, opened] = await Promise.all([readConnections(from), readOpened(from)]);
  return connections.map((connection) => {
    const ofConnection = opened.filter(
      ({ connectionId }) => connectionId === connection.connectionId,
    );
    const circuits = ENDPOINT_GROUP_NAMES.map((group): CircuitHealth => {
      const {
        circuit = 'CLOSED',
        openedAt = null,
        openUntil = null,
      } = ofConnection.find(({ endpointGroup }) => endpointGroup === group) ?? {};

      return { group, circuit, openedAt, openUntil };
    });

    const { group: _, ...worst } = circuits.toSorted(
      (a, b) => WORST_FIRST.indexOf(a.circuit) - WORST_FIRST.indexOf(b.circuit),
    )[0]!;

    return { ...connection, ...worst, circuits };
  });
}

function readConnections({ db }: Sql) {
  return db
    .selectFrom('connection')
    .leftJoin('erp_token as token', 'token.connectionId', 'connection.id')
    .select((eb) => [
      'connection.id as connectionId',
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
}

function readOpened({ db }: Sql) {
  return (
    db
      .selectFrom('erp_circuit')
      // Inactive connections make no calls.
      .innerJoin('importable_connection as importable', 'importable.id', 'connectionId')
      .select((eb) => [
        'connectionId',
        'endpointGroup',
        eb
          .case()
          .when('openUntil', '>', sql<Date>`now()`)
          .then<CircuitHealth['circuit']>('OPEN')
          .else<CircuitHealth['circuit']>('HALF_OPEN')
          .end()
          .as('circuit'),
        'openedAt',
        'openUntil',
      ])
      .where('openUntil', 'is not', null)
      .execute()
  );
}
