/** Whichever ends first (setting `binding.missing_grace`). */
export type Grace = { imports: number; minutes: number };

export type Absence = {
  /** Start of the first import without the item, ms. */
  deletedAt: number;
  /** Later successful imports of its menus, except skipped ones. */
  imports: number;
};

const MINUTE_MS = 60_000;

/** Counts the first import without the item (BND-10). `now` in ms. */
export function graceHasPassed(absence: Absence, grace: Grace, now: number): boolean {
  return 1 + absence.imports >= grace.imports || now >= graceEndsAt(absence, grace);
}

/** Returns the end in ms if no further import comes. */
export function graceEndsAt(absence: Absence, grace: Grace): number {
  return absence.deletedAt + grace.minutes * MINUTE_MS;
}
