/** The limit that is reached first ends the grace period (setting `binding.missing_grace`). */
export type Grace = { imports: number; minutes: number };

export type Absence = {
  /** Start of the first import without the item, in ms. */
  deletedAt: number;
  /** Later successful imports of the item's menus, without skipped imports. */
  imports: number;
};

const MINUTE_MS = 60_000;

/** The first import without the item counts too (BND-10). `now` in ms. */
export function graceHasPassed(absence: Absence, grace: Grace, now: number): boolean {
  return 1 + absence.imports >= grace.imports || now >= graceEndsAt(absence, grace);
}

/** Returns the end in ms, if no further import comes. */
export function graceEndsAt(absence: Absence, grace: Grace): number {
  return absence.deletedAt + grace.minutes * MINUTE_MS;
}
