/** The grace period of a vanished item: whichever comes first (setting `binding.missing_grace`). */
export type Grace = { imports: number; minutes: number };

/** The absence of an item. */
export type Absence = {
  /** The start of the first import that no longer contained it; milliseconds. */
  deletedAt: number;
  /** Successful imports of its menus after that one; an import that was skipped is none. */
  imports: number;
};

const MINUTE_MS = 60_000;

/**
 * True if the grace time for the return of the item is over (rule BND-10). The import that first
 * lacked the item counts. `now` in milliseconds.
 */
export function graceHasPassed(absence: Absence, grace: Grace, now: number): boolean {
  return 1 + absence.imports >= grace.imports || now >= graceEndsAt(absence, grace);
}

/** Returns the end of the window if no further import comes; milliseconds. */
export function graceEndsAt(absence: Absence, grace: Grace): number {
  return absence.deletedAt + grace.minutes * MINUTE_MS;
}
