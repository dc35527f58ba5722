import { Migration } from '@mikro-orm/migrations';

/** Ranks menus by their withdrawal and no longer by the last list: every change of a rank has its mark (decision 40). */
export class Migration20261122060000_rank_of_menus extends Migration {
  override up(): void {
    this.rankBy('not menu.is_sold', 'sold menus come first, then the lower priority, then the lower id.');
    this.rebuildShared();
  }

  override down(): void {
    this.rankBy('not menu.is_listed', 'listed menus come first, then the lower priority, then the lower id.');
    this.rebuildShared();
  }

  private rankBy(last: string, order: string): void {
    this.addSql(`
      create or replace view menu_of_organization as
      select organization.id as organization_id, menu.external_menu_id, menu.is_sold,
             row_number() over (partition by organization.id order by ${last}, menu.priority, menu.external_menu_id) as rank
        from mirror_organization organization
        join enabled_menu menu on menu.connection_id = organization.connection_id
         and (menu.organization_ids is null or organization.id = any (menu.organization_ids))`);
    this.addSql(
      `comment on view menu_of_organization is 'Enabled menus that speak for an organization, whatever the state of its connection: those of its connection that are meant for all organizations or name this one. rank 1 sets the price: ${order} The prices of a menu that is not sold are only the last ones.'`,
    );
  }

  /** Marks organizations with several menus: a rank has changed for them now, or has changed before without a mark. */
  private rebuildShared(): void {
    this.addSql(`
      insert into snapshot_request (organization_id, dirty_seq, dirty_at, reason)
      select organization.id, 1, now(), 'external-menu-update' from served_organization organization
       where exists (select 1 from menu_of_organization menu where menu.organization_id = organization.id and menu.rank > 1)
       order by organization.id
      on conflict (organization_id) do update
        set dirty_seq = snapshot_request.dirty_seq + 1,
            dirty_at = case when snapshot_request.dirty_seq > snapshot_request.built_seq then snapshot_request.dirty_at else now() end,
            reason = excluded.reason`);
  }
}
