/** Any change of these facts invalidates the saved revision. */
export type RequestFacts = {
  /** UUIDs whose order does not matter. */
  organizationErpIds: readonly string[];
  priceCategoryErpId: string | null;
  normalizerVersion: number;
};

/** Returns a text whose digest is stored with the saved revision (MIR-16). */
export function fingerprintText(facts: RequestFacts): string {
  const organizations = facts.organizationErpIds.map((id) => id.toLowerCase()).toSorted();
  return JSON.stringify([facts.normalizerVersion, facts.priceCategoryErpId, organizations]);
}

/**
 * Returns the lowest revision: the next run then requests changes between batches. Null if a batch
 * has none (strict v3): then every run imports.
 */
export function revisionToSave(revisions: readonly (number | null)[]): number | null {
  let smallest: number | null = null;
  for (const revision of revisions) {
    if (revision === null) return null;
    smallest = smallest === null ? revision : Math.min(smallest, revision);
  }

  return smallest;
}
