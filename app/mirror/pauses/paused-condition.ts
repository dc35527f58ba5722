/**
 * SQL condition that an import is paused now, from SQL expressions for its job, connection and external menu: the one place of the
 * rule. A pause of MENU without a menu is one of all menus of the connection; one whose `until` is over pauses nothing.
 */
export function pausedCondition(of: { job: string; connectionId: string; externalMenuId: string }): string {
  return `exists (
    select 1 from import_pause pause
     where pause.ended_at is null and (pause.until is null or pause.until > now()) and pause.job = ${of.job}
       and pause.connection_id = ${of.connectionId}
       and (pause.external_menu_id is null or pause.external_menu_id = ${of.externalMenuId}))`;
}
