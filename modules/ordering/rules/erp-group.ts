/** The ERP's id of a modifier group, by the key under which the mirror keeps it; null for a group without one. */
export function erpGroupId(groupKey: string): string | null {
  return groupKey.startsWith('~') ? null : groupKey.replace(/#\d+$/, '');
}
