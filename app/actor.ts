/** Who does something: a signed-in member of staff, or the product itself. Goes into every audit row. */
export type Actor =
  { type: 'USER'; userId: number; requestId: string | null } | { type: 'SYSTEM'; name: string; requestId: null };

/** The product acting on its own, named after the process that acts, for example `menu-import`. */
export function systemActor(name: string): Actor {
  return { type: 'SYSTEM', name, requestId: null };
}
