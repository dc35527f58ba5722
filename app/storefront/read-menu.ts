import { invalidField, Problem } from '../../contracts/problem.ts';
import type { SnapshotDeps } from '../snapshot/build-snapshot.ts';
import { readDocuments, type Documents } from './documents.ts';
import { createEnsureSnapshot } from './ensure-snapshot.ts';
import { readServedOrganizations } from './served-organizations.ts';

/** The refusal of a request that names no organization while there is not exactly one to mean (rule STO-2). */
export const organizationRequired = (): Problem => invalidField('organization_id', 'required', 'is required');

/** The refusal of a uuid that no active organization has. */
export const organizationNotFound = (): Problem =>
  new Problem('not-found', { detail: 'No active organization has this id.' });

/**
 * What is published for one organization, straight from the tables; built when nothing is stored. The storefront reads
 * buffers instead (`createMenuStore`); this is for doors without them.
 */
export async function readMenu(deps: SnapshotDeps, erpId: string | undefined): Promise<Documents> {
  const served = await readServedOrganizations(deps.db, erpId ?? null);
  const [organization] = served;
  if (erpId === undefined && served.length !== 1) throw organizationRequired();
  if (organization === undefined) throw organizationNotFound();
  const stored = await readDocuments(deps.db, organization.organizationId);
  if (stored !== null) return stored;
  await createEnsureSnapshot(deps)(organization.organizationId);
  return (await readDocuments(deps.db, organization.organizationId)) ?? menuUnavailable();
}

/** Throws the refusal of a menu that could not be built; the cause is in the log of the build. */
export function menuUnavailable(): never {
  throw new Problem('unavailable', { detail: 'The menu could not be built.', headers: { 'Retry-After': '30' } });
}
