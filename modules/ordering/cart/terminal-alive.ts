import { sql, type RawBuilder } from 'kysely';
import { askApart } from '../../../erp/apart.ts';
import type { CallOptions } from '../../../erp/call.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { freshErpChoices } from '../../delivery/configuration/erp-choices.ts';
import type { TemporalDeps } from '../../../kernel/start-workflow.ts';
import { startImportWorkflow } from '../../mirror/runs/start-import.ts';
import type { OrderDeps } from '../orders/order-row.ts';

const FRESH = sql<Date>`now() - interval '3 minutes'`;

/** A more recent list is not imported again. */
const LIST_MIN_AGE_MS = 300_000;

/**
 * Stores which terminal groups respond (rules ORD-56, MIR-76). Imports their list again if a
 * sleeping group responds. Throws ERP client errors.
 */
export async function checkTerminals(
  { db, erp, ...temporal }: Pick<OrderDeps, 'db' | 'erp'> & TemporalDeps,
  connectionId: number,
  options?: CallOptions,
): Promise<{ asked: number }> {
  const groups = await db.db
    .selectFrom('mirror_terminal_group as terminal')
    .innerJoin(
      'answered_organization as organization',
      'organization.id',
      'terminal.organizationId',
    )
    .innerJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .select([
      'organization.id as organizationId',
      'organization.erpId as organizationErpId',
      'terminal.erpId',
      'terminal.isAsleep',
      'terminal.synchronizedAt',
    ])
    .where('organization.connectionId', '=', connectionId)
    .where('terminal.inactiveAt', 'is', null)
    .where((eb) =>
      eb.or([eb('config.deliveryEnabled', '=', true), eb('config.pickupEnabled', '=', true)]),
    )
    .orderBy('organization.id')
    .orderBy('terminal.erpId')
    .execute();
  if (groups.length === 0) return { asked: 0 };

  // Refreshed here, so that no order waits for it.
  await freshErpChoices({ db, erp }, connectionId, options);
  const byOrganization = Map.groupBy(groups, (group) => group.organizationErpId);
  const isPart = byOrganization.size > 1;
  const { answers, refused } = await askApart([...byOrganization.keys()], (ids, { isSplit }) =>
    erp.terminalGroupsAlive(
      connectionId,
      ids,
      ids.flatMap((id) => byOrganization.get(id)!.map(({ erpId }) => erpId)),
      { ...options, isPart, isSplit },
    ),
  );

  const alive = new Map(answers.flatMap((answer) => [...answer]));
  const refusedIds = new Set(refused.map(({ organizationId }) => organizationId));
  // An empty list must not stop all orders (rule ORD-56).
  if (!groups.some(({ erpId }) => alive.has(erpId))) return { asked: groups.length };
  const answered = groups.filter(({ organizationErpId }) => !refusedIds.has(organizationErpId));
  const rows = answered.map(({ organizationId, erpId }) => ({
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

  const hasWoken = groups.some(
    ({ erpId, isAsleep, synchronizedAt }) =>
      isAsleep &&
      alive.get(erpId) === true &&
      Date.now() - synchronizedAt.getTime() > LIST_MIN_AGE_MS,
  );
  if (hasWoken)
    await startImportWorkflow(temporal, { job: 'TERMINALS', connectionId, trigger: 'EVENT' });

  return { asked: rows.length };
}

/** `isAlive` is null without a recent response. */
export type KnownTerminal = { terminalGroupErpId: string; isAlive: boolean | null };

/** Selects listed groups; also used as a subquery. A sleeping group is not alive (rule ORD-24). */
export function knownTerminals({ db }: Sql, organizationId: RawBuilder<number>) {
  return db
    .selectFrom('mirror_terminal_group as terminal')
    .leftJoin('terminal_alive as answer', (join) =>
      join
        .onRef('answer.organizationId', '=', 'terminal.organizationId')
        .onRef('answer.terminalGroupErpId', '=', 'terminal.erpId')
        .on('answer.checkedAt', '>', FRESH),
    )
    .select(['terminal.erpId as terminalGroupErpId'])
    .select((eb) =>
      eb
        .case()
        .when('terminal.isAsleep', '=', true)
        .then(false)
        .else(eb.ref('answer.isAlive'))
        .end()
        .as('isAlive'),
    )
    .where('terminal.organizationId', '=', organizationId)
    .where('terminal.inactiveAt', 'is', null);
}

/**
 * True if an order would reach its group, or any group if it has none. Null blocks nothing (rules
 * ORD-24, ORD-56).
 */
export function isTerminalAlive(
  known: readonly KnownTerminal[],
  terminalGroupErpId: string | null,
): boolean | null {
  const candidates = known
    .filter(
      (terminal) =>
        terminalGroupErpId === null || terminal.terminalGroupErpId === terminalGroupErpId,
    )
    .map(({ isAlive }) => isAlive);
  if (candidates.includes(true)) return true;

  return candidates.length === 0 || candidates.includes(null) ? null : false;
}
