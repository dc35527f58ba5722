/** None, one, or one by the value of a field of the body. */
export type Need =
  | string
  | null
  | { readonly field: string; readonly needs: Readonly<Record<string, string>> };

/**
 * Returns the missing permission, or null. `choice`: the value of the deciding field; without it,
 * any permission is enough.
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
