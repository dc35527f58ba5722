/**
 * Reasons of SKIPPED runs that ended before they asked the ERP: what they left is as old as before, so they are no success for
 * `/sync/status` nor for the alerts.
 */
export const NOT_ASKED: readonly string[] = ['DISABLED', 'OWNER_INACTIVE', 'PAUSED', 'MENU_INACTIVE', 'MENU_DISABLED'];
