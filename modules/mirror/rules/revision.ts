/**
 * The conditions of a menu request in addition to the menu: after a change, the saved revision is
 * ignored.
 */
export type RequestFacts = {
  /** ERP uuids, in any order. */
  organizationErpIds: readonly string[];
  priceCategoryErpId: string | null;
  normalizerVersion: number;
};

/** The text whose digest is stored with the saved revision (rule MIR-16). */
export function fingerprintText(facts: RequestFacts): string {
  const organizations = facts.organizationErpIds.map((id) => id.toLowerCase()).toSorted();
  return JSON.stringify([facts.normalizerVersion, facts.priceCategoryErpId, organizations]);
}

/**
 * The revision to save after a run: the smallest of its batches, so that the next run requests
 * again what changed between them; null when a batch has none (strict v3 answers), and then every
 * run imports.
 */
export function revisionToSave(revisions: readonly (number | null)[]): number | null {
  let smallest: number | null = null;
  for (const revision of revisions) {
    if (revision === null) return null;
    smallest = smallest === null ? revision : Math.min(smallest, revision);
  }
  return smallest;
}
