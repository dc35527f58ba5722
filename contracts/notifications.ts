/**
 * What administrators are told without asking (rule NOT-1). `severity` is that of the notice, `when` says what
 * has happened; each kind has an entry in the runbook.
 */
export const NOTIFICATIONS = {
  SUSPICIOUS_SHRINK: {
    severity: 'CRITICAL',
    title: 'A full import would delete too many items',
    when: 'A full menu import was refused by the shrink guard; nothing was deleted.',
  },
  SNAPSHOT_TOO_LARGE: {
    severity: 'CRITICAL',
    title: 'A menu is too large to be published',
    when: 'A new menu exceeds the size limit; the previous one stays.',
  },
  CREDENTIALS_REFUSED: {
    severity: 'CRITICAL',
    title: 'The external system refuses a connection',
    when: 'A connection is refused (401 with a fresh token, or 403): its apiLogin is wrong, revoked or lacks a right.',
  },
  EMPTY_LIST: {
    severity: 'CRITICAL',
    title: 'The external system lists no restaurants any more',
    when: 'The list of organizations of a connection is suddenly empty; the first one is not believed, the next one is.',
  },
  MENU_WITHDRAWN: {
    severity: 'CRITICAL',
    title: 'The external system no longer lists a menu',
    when: 'Two lists in a row lacked an external menu that restaurants sell from; its dishes are shown and cannot be ordered.',
  },
  BINDING_MISSING: {
    severity: 'CRITICAL',
    title: 'Products have lost their items',
    when: 'An import opened incidents ITEM_MISSING; one notice per import.',
  },
} as const satisfies Record<string, { severity: 'CRITICAL' | 'INFO'; title: string; when: string }>;

export type NotificationKind = keyof typeof NOTIFICATIONS;

/** Texts of a kind; one that only a newer version knows is told by its name. */
export function notificationTexts(kind: string): { title: string; when: string } {
  const known: Readonly<Record<string, { title: string; when: string }>> = NOTIFICATIONS;
  return known[kind] ?? { title: kind, when: kind };
}
