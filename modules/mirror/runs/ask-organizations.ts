import { askApart, type Parts } from '../../../erp/apart.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import { inBatches } from '../../../kernel/pure/lists.ts';
import type { Database } from '../../../platform/db/database.ts';
import {
  recordRefusedOrganizations,
  refusedOrganizations,
  type RefusedImport,
} from './refused-organizations.ts';

/**
 * `isPart`: a rejection proves nothing about the connection. `isSplit`: a 5xx proves nothing about
 * the service.
 */
export type Ask<T> = (organizationErpIds: string[], options: AskOptions) => Promise<T>;
type AskOptions = { isPart: boolean; isSplit: boolean };

const ASKED_AGAIN = 10;

/**
 * Requests organizations, `perCall` in each call, so that a rejected one does not block others
 * (MIR-67).
 * @throws ErpFailure if all organizations fail: then the connection is refused
 */
export async function askOrganizations<Organization extends { id: number; erpId: string }, T>(
  deps: { db: Database },
  of: RefusedImport,
  {
    organizations,
    perCall,
    isLastTry = false,
  }: { organizations: readonly Organization[]; perCall: number; isLastTry?: boolean },
  ask: Ask<T>,
): Promise<{ answers: T[]; organizations: Organization[] }> {
  const whole = (): Promise<T> =>
    ask(
      organizations.slice(0, perCall).map(({ erpId }) => erpId),
      { isPart: false, isSplit: false },
    );

  if (organizations.length === 1)
    return { answers: [await whole()], organizations: [...organizations] };

  const before = await refusedOrganizations(deps.db, of);
  const byId = new Map(organizations.map((organization) => [organization.id, organization]));
  const apart = before.flatMap((id) => byId.get(id) ?? []);
  const together = organizations.filter((organization) => !apart.includes(organization));
  const batches = inBatches(together, perCall);
  const results = [
    ...(await Promise.all(batches.map((batch) => requestParts(batch, ask, { isLastTry })))),
    ...(await Promise.all(
      apart.slice(0, ASKED_AGAIN).map((organization) => alone(organization, ask)),
    )),
  ];

  const answers = results.flatMap((result) => result.answers);
  const byErpId = new Map(organizations.map((organization) => [organization.erpId, organization]));
  const refused = results
    .flatMap((result) => result.refused)
    .map(({ organizationId, failure }) => ({ id: byErpId.get(organizationId)!.id, failure }));
  await recordRefusedOrganizations(deps.db, of, refused, { notifies: answers.length > 0 });
  // The whole connection failed.
  if (answers.length === 0)
    return { answers: [await whole()], organizations: organizations.slice(0, perCall) };
  const unread = new Set([
    ...refused.map(({ id }) => id),
    ...apart.slice(ASKED_AGAIN).map(({ id }) => id),
  ]);

  return { answers, organizations: organizations.filter(({ id }) => !unread.has(id)) };
}

async function requestParts<T>(
  batch: readonly { erpId: string }[],
  ask: Ask<T>,
  options: { isLastTry: boolean },
): Promise<Parts<T>> {
  const erpIds = batch.map(({ erpId }) => erpId);
  try {
    return await askApart(
      erpIds,
      (ids, { isSplit }) => ask(ids, { isPart: true, isSplit }),
      options,
    );
  } catch (error) {
    if (!isErpFailure(error) || (error.kind !== 'FORBIDDEN' && error.kind !== 'CLIENT'))
      throw error;
    return {
      answers: [],
      refused: erpIds.map((organizationId) => ({ organizationId, failure: error })),
    };
  }
}

/** A failure keeps the organization rejected. */
async function alone<T>({ erpId }: { erpId: string }, ask: Ask<T>): Promise<Parts<T>> {
  try {
    return { answers: [await ask([erpId], { isPart: true, isSplit: true })], refused: [] };
  } catch (error) {
    if (!isErpFailure(error)) throw error;
    return { answers: [], refused: [{ organizationId: erpId, failure: error }] };
  }
}
