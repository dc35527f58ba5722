import type { LeftOut } from '../rules/snapshot/fit-menu.ts';

/** What a menu leaves out, as the column `snapshot.left_out` keeps it: a text, because only some readers of a menu want it. */
export function leftOutBytes(leftOut: LeftOut | null): Buffer | null {
  return leftOut === null ? null : Buffer.from(JSON.stringify(leftOut));
}

/** What a stored menu leaves out; null when it has everything. */
export function readLeftOut(stored: Buffer | null): LeftOut | null {
  return stored === null ? null : (JSON.parse(stored.toString('utf8')) as LeftOut);
}
