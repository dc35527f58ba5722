/** Facts of a menu request besides the menu: if they change, the saved revision is ignored. */
export type RequestFacts = {
  /** UUIDs in any order. */
  organizationErpIds: readonly string[];
  priceCategoryErpId: string | null;
  normalizerVersion: number;
};

/** Returns the text whose digest is stored with the saved revision (MIR-16). */
export function fingerprintText(facts: RequestFacts): string {
  const organizations = facts.organizationErpIds.map((id) => id.toLowerCase()).toSorted();
  return JSON.stringify([facts.normalizerVersion, facts.priceCategoryErpId, organizations]);
}

/**
 * Returns the revision to save: the lowest of all batches, so that the next run requests changes
 * between them. Null if a batch has none (strict v3): then every run imports.
 */
export function revisionToSave(revisions: readonly (number | null)[]): number | null {
  let smallest: number | null = null;
  for (const revision of revisions) {
    if (revision === null) return null;
    smallest = smallest === null ? revision : Math.min(smallest, revision);
  }
  return smallest;
}
