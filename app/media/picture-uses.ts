import type { MediaUsage } from '../../contracts/media.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/**
 * One way in which something shows a picture. Whoever shows pictures states it as data, so that media knows nobody:
 * `from` selects `id`, `name` of what shows the picture `$1`.
 */
export type UsageKind = { kind: string; entityType: string; from: string };

/** Everybody who shows pictures: what staff edit, and menus that were published. */
export type PictureUses = {
  kinds: readonly UsageKind[];
  /** True while a published menu that is kept shows the picture. */
  isPublished: (sql: Sql, mediaId: number) => Promise<boolean>;
};

/** Something that shows a picture. The id of an entity of the external system is its uuid. */
export type Usage = MediaUsage;

/** One page of what shows a picture now: products and other entities in any state, archived ones too. */
export function listUsages(sql: Sql, { kinds }: PictureUses, mediaId: number, paging: Paging): Promise<Page<Usage>> {
  const each = kinds.map(
    ({ kind, entityType, from }, at) =>
      `select ${at} as rank, '${kind}' as kind, '${entityType}' as entity_type, used.id::text as entity_id, used.name from (${from}) used (id, name)`,
  );
  return readPageOfText<Usage>(sql, paging, {
    columns: 'kind, entity_type as "entityType", entity_id as "entityId", name',
    from: `(${each.join(' union all ')}) usage`,
    order: 'rank, length(entity_id), entity_id',
    params: [mediaId],
  });
}
