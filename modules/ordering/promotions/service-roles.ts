import { isDeepStrictEqual } from 'node:util';
import type { ServiceRoles, ServiceRolesEdit } from '../schemas/requests.ts';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';
import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { requireVersion, saveKeyed, commitEdit } from '../../../kernel/edits.ts';
import { readPage, type Paging } from '../../../kernel/pages.ts';
import { markAllDirty } from '../../menus/rebuilds/mark-dirty.ts';

type Role = { role: string; erpItemId: string | null; variantId: number | null };

/** Lists roles with their common version. */
export async function listServiceRoles(sql: Sql, paging: Paging): Promise<ServiceRoles> {
  const page = await readPage(
    sql.db
      .selectFrom('service_role as role')
      .leftJoin('catalog_variant as variant', 'variant.id', 'role.variantId')
      .leftJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
      .leftJoin('mirror_item as item', (join) =>
        join.on((eb) =>
          eb('item.erpId', '=', eb.ref('role.erpItemId')).or('item.id', '=', eb.ref('size.itemId')),
        ),
      )
      .select(['role.role', 'role.erpItemId', 'role.variantId', 'item.name'])
      .orderBy('role.role'),
    paging,
  );

  return { ...page, version: await readVersion(sql) };
}

async function readVersion({ db }: Sql): Promise<number> {
  return (
    (await db.selectFrom('service_role_list').select('version').executeTakeFirst())?.version ?? 0
  );
}

/** Replaces all roles. Items and roles match one to one. Problems: validation, version-conflict. */
export function replaceServiceRoles(
  deps: { db: Database },
  actor: Actor,
  { items, version }: ServiceRolesEdit,
  paging: Paging,
): Promise<ServiceRoles> {
  const roles = items.map(({ role, erpItemId, variantId }): Role => ({
    role,
    erpItemId: erpItemId?.toLowerCase() ?? null,
    variantId: variantId ?? null,
  }));

  return commitEdit(deps, async (tx) => {
    const currentVersion = await readVersion(tx);
    requireVersion(currentVersion, version);
    const errors = [...shapeErrors(roles), ...(await unknownErrors(tx, roles))];
    if (errors.length > 0) throw new Problem('validation', { errors });
    const before = await tx.db.selectFrom('service_role').selectAll().orderBy('role').execute();
    const after = roles.toSorted((a, b) => (a.role < b.role ? -1 : 1));
    if (!isDeepStrictEqual(before, after)) {
      await saveKeyed(
        tx,
        { table: 'service_role_list', key: 'onlyRow', of: true, seen: currentVersion },
        {},
      );

      await tx.db.deleteFrom('service_role').execute();
      if (after.length > 0) await tx.db.insertInto('service_role').values(after).execute();
      // Removes delivery fees from menus.
      await markAllDirty(tx, 'service-roles', actor);
      await recordAudit(tx, actor, {
        entityType: 'service-roles',
        entityId: 'all',
        action: 'update',
        before: { items: before },
        after: { items: after },
      });
    }

    return listServiceRoles(tx, paging);
  });
}

function shapeErrors(roles: readonly Role[]): FieldError[] {
  const keys = { role: new Set<unknown>(), item: new Set<unknown>() };
  return roles.flatMap(({ role, erpItemId, variantId }, at): FieldError[] => {
    const errors: FieldError[] = [];
    if ((erpItemId === null) === (variantId === null))
      errors.push(fieldError(`items.${at}`, 'invalid', 'Name either `erpItemId` or `variantId`.'));
    if (keys.role.has(role))
      errors.push(fieldError(`items.${at}.role`, 'duplicate', 'The role is named twice.'));
    const item = erpItemId ?? variantId;
    if (item !== null && keys.item.has(item))
      errors.push(fieldError(`items.${at}`, 'duplicate', 'The item has a role already.'));
    keys.role.add(role);
    keys.item.add(item);

    return errors;
  });
}

async function unknownErrors({ db }: Tx, roles: readonly Role[]): Promise<FieldError[]> {
  const itemIds = roles.flatMap((role) => role.erpItemId ?? []);
  const variantIds = roles.flatMap((role) => role.variantId ?? []);
  const items = await db
    .selectFrom('mirror_item')
    .select('erpId')
    .where('erpId', '=', anyOf(itemIds, 'uuid'))
    .execute();

  const variants = await db
    .selectFrom('catalog_variant')
    .select('id')
    .where('id', '=', anyOf(variantIds))
    .execute();

  const known = new Set<unknown>([
    ...items.map((item) => item.erpId),
    ...variants.map((variant) => variant.id),
  ]);

  return roles.flatMap(({ erpItemId, variantId }, at) => {
    if (erpItemId !== null && !known.has(erpItemId))
      return [fieldError(`items.${at}.erpItemId`, 'not_found', 'No such item.')];
    return variantId !== null && !known.has(variantId)
      ? [fieldError(`items.${at}.variantId`, 'not_found', 'No such variant.')]
      : [];
  });
}
