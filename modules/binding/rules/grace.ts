/** Grace period of a vanished item: whichever ends first (setting `binding.missing_grace`). */
export type Grace = { imports: number; minutes: number };

export type Absence = {
  /** Start of the first import without the item, ms. */
  deletedAt: number;
  /** Later successful imports of its menus, except skipped ones. */
  imports: number;
};

const MINUTE_MS = 60_000;

/**
 * Returns true if the grace period is over (BND-10). The first import without the item counts.
 * `now` in ms.
 */
export function graceHasPassed(absence: Absence, grace: Grace, now: number): boolean {
  return 1 + absence.imports >= grace.imports || now >= graceEndsAt(absence, grace);
}

/** Returns the end of the grace period if no further import comes, ms. */
export function graceEndsAt(absence: Absence, grace: Grace): number {
  return absence.deletedAt + grace.minutes * MINUTE_MS;
}
