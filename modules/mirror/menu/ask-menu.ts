import { sql } from 'kysely';
import { askApart, isRefusal } from '../../../erp/apart.ts';
import { isErpFailure, type ErpFailure } from '../../../erp/failure.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ImportOptions } from '../runs/import-in-batches.ts';
import {
  recordRefusedOrganizations,
  refusedOrganizations,
  type RefusedImport,
} from '../runs/refused-organizations.ts';

type Organization = { id: number; erpId: string };

/**
 * `asksAll` ignores the saved revision, which does not cover an organization that was rejected
 * before.
 */
type AskMenu<T> = (
  organizations: readonly Organization[],
  options: { isPart: boolean; isSplit: boolean; asksAll: boolean },
) => Promise<T>;

export type AskedMenu<T> =
  | { answer: T; organizations: readonly Organization[] }
  | { refusal: ErpFailure };

/**
 * Requests a menu for one batch of organizations. Records rejected organizations, which do not
 * block others (MIR-67).
 * @throws ErpFailure if the menu or all organizations of the only batch are rejected
 */
export async function askMenu<T>(
  deps: { db: Database },
  { runId, connectionId }: { runId: number; connectionId: number },
  batch: readonly Organization[],
  { isLastTry = false }: Pick<ImportOptions, 'isLastTry'>,
  ask: AskMenu<T>,
): Promise<AskedMenu<T>> {
  const { of, isOnlyBatch, isAnswered } = await readScope(
    deps.db,
    { runId, connectionId },
    batch.length,
  );

  const before = new Set(await refusedOrganizations(deps.db, of));
  const record = (refused: readonly Organization[], failure: ErpFailure) =>
    recordRefusedOrganizations(
      deps.db,
      of,
      refused.map(({ id }) => ({ id, failure })),
    );

  const [only] = batch;
  if (batch.length === 1 && before.has(only!.id)) {
    try {
      return {
        answer: await ask(batch, { isPart: true, isSplit: true, asksAll: true }),
        organizations: batch,
      };
    } catch (error) {
      if (!isErpFailure(error)) throw error;
      await record(batch, error);
      return { refusal: error };
    }
  }

  const together = batch.filter(({ id }) => !before.has(id));
  const whole = (organizations: readonly Organization[], isPart: boolean) =>
    ask(organizations, { isPart, isSplit: false, asksAll: false }).then((answer) => ({
      answer,
      organizations,
    }));

  let rejection: ErpFailure;

  try {
    return await whole(together, together.length > 1 || !isOnlyBatch);
  } catch (error) {
    if (!isRefusal(error, isLastTry) || (together.length === 1 && isOnlyBatch)) throw error;
    rejection = error;
  }

  if (
    rejection.kind !== 'SERVER' &&
    !isAnswered &&
    !(await isAnySampleAnswered(deps.db, { of, runId, before }, ask))
  ) {
    // In the only batch, this counts as a rejection of the connection.
    if (rejection.kind === 'FORBIDDEN' && isOnlyBatch) return whole(together, false);
    throw rejection;
  }

  const byErpId = new Map(together.map((organization) => [organization.erpId, organization]));
  const toAsk = (erpIds: readonly string[]) => erpIds.map((erpId) => byErpId.get(erpId)!);

  try {
    const { refused } = await askApart(
      [...byErpId.keys()],
      async (erpIds, { isSplit }) =>
        void (await ask(toAsk(erpIds), { isPart: true, isSplit, asksAll: false })),
      { isLastTry, rejection },
    );

    for (const { organizationId, failure } of refused)
      await record(toAsk([organizationId]), failure);
    const refusedIds = new Set(refused.map(({ organizationId }) => organizationId));

    return await whole(
      together.filter(({ erpId }) => !refusedIds.has(erpId)),
      true,
    );
  } catch (error) {
    if (!isRefusal(error, false)) throw error;
    // The same applies if all organizations were rejected.
    if (isOnlyBatch) return whole(together, false);
    await record(together, error);
    return { refusal: error };
  }
}

async function readScope(
  { db }: Database,
  { runId, connectionId }: { runId: number; connectionId: number },
  batchSize: number,
): Promise<{ of: RefusedImport; isOnlyBatch: boolean; isAnswered: boolean }> {
  const run = await db
    .selectFrom('sync_run')
    .select(['externalMenuId', 'organizations', sql<boolean>`payload_bytes > 0`.as('isAnswered')])
    .where('id', '=', runId)
    .executeTakeFirst();

  const menu = run?.externalMenuId == null ? {} : { externalMenuId: run.externalMenuId };

  return {
    of: { connectionId, job: 'MENU', ...menu },
    isOnlyBatch: (run?.organizations ?? 0) <= batchSize,
    isAnswered: run?.isAnswered === true,
  };
}

const SAMPLES = 2;

/** Requests the menu for single organizations, different ones in each run (MIR-85). */
async function isAnySampleAnswered<T>(
  { db }: Database,
  { of, runId, before }: { of: RefusedImport; runId: number; before: ReadonlySet<number> },
  ask: AskMenu<T>,
): Promise<boolean> {
  const served = await db
    .selectFrom('menu_of_organization as speaking')
    .innerJoin('served_organization as organization', 'organization.id', 'speaking.organizationId')
    .select(['organization.id', 'organization.erpId'])
    .where('speaking.externalMenuId', '=', of.externalMenuId ?? 0)
    .orderBy('organization.id')
    .execute();

  const organizations = served.filter(({ id }) => !before.has(id));
  const { length } = organizations;
  const chosen = Array.from({ length: Math.min(SAMPLES, length) }, (_, at) => {
    return organizations[(runId + Math.floor((at * length) / SAMPLES)) % length]!;
  });
  const results = await Promise.allSettled(
    chosen.map((organization) =>
      ask([organization], { isPart: true, isSplit: true, asksAll: false }),
    ),
  );

  for (const result of results)
    if (result.status === 'rejected' && !isRefusal(result.reason, false)) throw result.reason;

  return results.some(({ status }) => status === 'fulfilled');
}
