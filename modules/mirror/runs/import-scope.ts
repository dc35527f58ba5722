import type { NewRun } from '../schemas/mirror.ts';
import { invalidField, isProblem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { getConnection } from '../../connections/connection-view.ts';

export type ImportTarget = {
  connectionId: number;
  externalMenuId?: number;
  organizationId?: number;
};

/**
 * Resolves the scope of `POST /sync/run`: the ERP's menu id for MENU, with `connectionId` if two
 * accounts share it; otherwise our connection id. Problem: validation.
 */
export async function resolveScope(sql: Sql, request: Omit<NewRun, 'mode'>): Promise<ImportTarget> {
  if (request.job !== 'MENU') {
    const connectionId = await requireConnection(sql, request.scope);
    if (request.connectionId !== undefined && request.connectionId !== connectionId)
      throw invalidField('connectionId', 'invalid', 'The scope names another connection');
    return { connectionId };
  }

  let query = sql.db
    .selectFrom('mirror_external_menu as menu')
    .innerJoin('connection', 'connection.id', 'menu.connectionId')
    .select(['menu.id', 'menu.connectionId'])
    .where('connection.legalEntityId', 'is not', null)
    .where('menu.erpId', '=', request.scope);

  if (request.connectionId !== undefined)
    query = query.where('menu.connectionId', '=', request.connectionId);
  const menus = await query.execute();
  const [menu] = menus;
  if (menu === undefined)
    throw invalidField('scope', 'not_found', 'No such external menu of this connection');
  if (menus.length > 1)
    throw invalidField(
      'connectionId',
      'required',
      'Several connections have this external menu: name one',
    );

  const target = { connectionId: menu.connectionId, externalMenuId: menu.id };
  const { organizationId } = request;
  if (organizationId === undefined) return target;
  if (!(await organizationsOfMenu(sql, menu.id)).includes(organizationId))
    throw invalidField(
      'organizationId',
      'not_found',
      'The menu is not imported for this restaurant',
    );

  return { ...target, organizationId };
}

export async function organizationsOfMenu({ db }: Sql, externalMenuId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('menu_of_organization')
    .select('organizationId')
    .where('externalMenuId', '=', externalMenuId)
    .execute();

  return rows.map(({ organizationId }) => organizationId);
}

async function requireConnection(sql: Sql, scope: string): Promise<number> {
  if (!/^\d{1,15}$/.test(scope))
    throw invalidField('scope', 'invalid', 'The scope of this job is the id of a connection');
  try {
    return (await getConnection(sql, Number(scope))).id;
  } catch (error) {
    if (isProblem(error) && error.kind === 'not-found')
      throw invalidField('scope', 'not_found', 'No such connection');
    throw error;
  }
}
