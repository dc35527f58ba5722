import { sql, type RawBuilder } from 'kysely';
import type { CallOptions } from '../../erp/call.ts';
import type { Sql } from '../../platform/db/database.ts';
import { freshErpChoices } from '../delivery/erp-choices.ts';
import type { OrderDeps } from './order-deps.ts';

/** What the ERP said longer ago than this says nothing about now. */
const FRESH = sql<Date>`now() - interval '3 minutes'`;

/**
 * Asks the ERP which terminal groups of a connection can take orders now, where orders are taken at all, and keeps the answer (rule
 * ORD-56). A group that the answer leaves out cannot. Returns how many were asked for. A second call asks again. Throws what the client of the ERP throws.
 */
export async function checkTerminals(
  { db, erp }: Pick<OrderDeps, 'db' | 'erp'>,
  connectionId: number,
  options?: CallOptions,
): Promise<{ asked: number }> {
  const groups = await db.db
    .selectFrom('mirror_terminal_group as terminal')
    .innerJoin('served_organization as organization', 'organization.id', 'terminal.organizationId')
    .innerJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .select(['organization.id as organizationId', 'organization.erpId as organizationErpId', 'terminal.erpId'])
    .where('organization.connectionId', '=', connectionId)
    .where('terminal.inactiveAt', 'is', null)
    .where('terminal.isAsleep', '=', false)
    .where((eb) => eb.or([eb('config.deliveryEnabled', '=', true), eb('config.pickupEnabled', '=', true)]))
    .orderBy('organization.id')
    .orderBy('terminal.erpId')
    .execute();
  if (groups.length === 0) return { asked: 0 };
  // Read ahead where orders are taken, so that no order waits for it and staff have something to choose from.
  await freshErpChoices({ db, erp }, connectionId, options);
  const alive = await erp.terminalGroupsAlive(
    connectionId,
    [...new Set(groups.map((each) => each.organizationErpId))],
    groups.map((each) => each.erpId),
    options,
  );
  // An answer that speaks of none of them says nothing about any, or one empty list would stop all orders (rule ORD-56).
  if (!groups.some(({ erpId }) => alive.has(erpId))) return { asked: groups.length };
  const rows = groups.map(({ organizationId, erpId }) => ({
    organizationId,
    terminalGroupErpId: erpId,
    isAlive: alive.get(erpId) ?? false,
  }));
  await db.db
    .insertInto('terminal_alive')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'terminalGroupErpId']).doUpdateSet((eb) => ({
        isAlive: eb.ref('excluded.isAlive'),
        checkedAt: sql<Date>`now()`,
      })),
    )
    .execute();
  return { asked: rows.length };
}

/** A terminal group of which the ERP was asked in the last minutes. */
export type AskedTerminal = { terminalGroupErpId: string; isAlive: boolean };

/** Those of an organization; the statement stands alone or nested into another one. */
export function askedTerminals({ db }: Sql, organizationId: RawBuilder<number>) {
  return db
    .selectFrom('terminal_alive')
    .select(['terminalGroupErpId', 'isAlive'])
    .where('organizationId', '=', organizationId)
    .where('checkedAt', '>', FRESH);
}

/**
 * Whether an order for an organization would find its terminal: this terminal group, or any when the ERP chooses. Null when the ERP was
 * not asked in the last minutes, which forbids nothing (rules ORD-24, ORD-56).
 */
export function isTerminalAlive(asked: readonly AskedTerminal[], terminalGroupErpId: string | null): boolean | null {
  const meant = asked.filter((each) => terminalGroupErpId === null || each.terminalGroupErpId === terminalGroupErpId);
  return meant.length === 0 ? null : meant.some((each) => each.isAlive);
}
