/** The permission of an operation: none, one, or one by the value of a field of its body. */
export type Need =
  | string
  | null
  | { readonly field: string; readonly needs: Readonly<Record<string, string>> };

/**
 * The permission that a person lacks for an operation, or null if they may call it. Where the body
 * decides, `choice` is the value of its field; without one, any of its permissions is enough.
 */
export function lackingPermission(
  need: Need,
  permissions: readonly string[],
  choice?: string,
): string | null {
  if (need === null) return null;
  if (typeof need === 'string') return permissions.includes(need) ? null : need;
  const needs = choice === undefined ? Object.values(need.needs) : [need.needs[choice] ?? ''];
  return needs.some((permission) => permissions.includes(permission)) ? null : (needs[0] ?? '');
}
