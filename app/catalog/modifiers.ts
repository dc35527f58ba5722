import { invalidField, Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import { containsText, searchedText } from '../contains-text.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { writeProfile } from './write-profile.ts';

type Profile = { displayName: string | null; imageId: number | null; position: number | null; isHidden: boolean };

/** A modifier of the external system and what staff say about it, in whatever group it is. */
export type ModifierView = Profile & {
  erpItemId: string;
  name: string;
  sku: string | null;
  isDeleted: boolean;
  /** 0 while staff have said nothing. */
  version: number;
};

/** Fields that are left out stay; null clears. */
export type ModifierEdit = Partial<Profile> & { version: number };

const COLUMNS = `item.id, item.erp_id as "erpItemId", item.name, item.sku, item.deleted_at is not null as "isDeleted",
  profile.display_name as "displayName", profile.image_id as "imageId", profile.position,
  coalesce(profile.is_hidden, false) as "isHidden", coalesce(profile.version, 0) as version`;
const TABLES = `mirror_item item left join catalog_modifier_profile profile on profile.item_id = item.id`;

/** One page of modifiers by name; `q` is a part of a name or sku, `groupKey` keeps those of one group. */
export async function listModifiers(
  sql: Sql,
  input: Paging & { q?: string | undefined; groupKey?: string | undefined },
): Promise<Page<ModifierView>> {
  const page = await readPageOfText<ModifierRow>(sql, input, {
    columns: COLUMNS,
    from: `${TABLES} where item.role = 'MODIFIER'
      and ($1::text is null or ${containsText(`concat_ws(' ', item.name, item.sku, profile.display_name)`, '$1')})
      and ($2::text is null or exists (select 1 from mirror_modifier_link link
        join mirror_modifier_group known on known.id = link.modifier_group_id where link.item_id = item.id and known.group_key = $2))`,
    order: 'item.name, item.id',
    params: [searchedText(input.q), input.groupKey ?? null],
  });
  return { ...page, items: page.items.map(viewOf) };
}

/**
 * Changes how a modifier is shown in every menu. An edit that changes nothing writes nothing.
 * Problems: not-found, version-conflict, validation (a picture that does not exist).
 */
export function editModifier(
  deps: CatalogDeps,
  actor: Actor,
  erpItemId: string,
  { version, ...edit }: ModifierEdit,
): Promise<ModifierView> {
  return commitEdit(deps, async (tx) => {
    const before = await getModifier(tx, erpItemId);
    if (before.version !== version)
      throw new Problem('version-conflict', { extra: { currentVersion: before.version } });
    const name = edit.displayName?.trim();
    const after = { ...before, ...edit, ...(name === undefined ? {} : { displayName: name === '' ? null : name }) };
    if (JSON.stringify(said(before)) === JSON.stringify(said(after))) return viewOf(before);
    if (after.imageId !== null) {
      const media = await tx.query('select 1 from media where id = $1', [after.imageId]);
      if (media.length === 0) throw invalidField('imageId', 'not_found', 'No such media.');
    }
    await writeProfile(tx, {
      table: 'catalog_modifier_profile',
      keyColumn: 'item_id',
      key: String(before.id),
      version,
      columns: {
        display_name: after.displayName,
        image_id: after.imageId,
        position: after.position,
        is_hidden: after.isHidden,
      },
    });
    await recordEdit(tx, actor, {
      entityType: 'modifier',
      entityId: erpItemId,
      action: 'update',
      before: said(before),
      after: said(after),
      outdates: 'modifier-update',
    });
    return viewOf(await getModifier(tx, erpItemId));
  });
}

type ModifierRow = ModifierView & { id: number };

async function getModifier(tx: Sql, erpItemId: string): Promise<ModifierRow> {
  const [row] = await tx.query<ModifierRow>(
    `select ${COLUMNS} from ${TABLES} where item.role = 'MODIFIER' and item.erp_id = $1`,
    [erpItemId],
  );
  if (row === undefined) throw new Problem('not-found', { detail: 'No such modifier.' });
  return row;
}

function viewOf({ id: _id, ...view }: ModifierRow): ModifierView {
  return view;
}

function said({ displayName, imageId, position, isHidden }: Profile): Record<string, unknown> {
  return { displayName, imageId, position, isHidden };
}
