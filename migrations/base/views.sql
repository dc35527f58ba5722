-- Rules that several readers share: which connections are imported, which organizations are served, which menus count,
-- and what guests never buy. Each is stated once, with its meaning in the comment.

create view importable_connection as
select connection.id, connection.created_at
  from connection
  join legal_entity on legal_entity.id = connection.legal_entity_id and legal_entity.is_active
  join franchisee on franchisee.id = legal_entity.franchisee_id and franchisee.is_active
 where connection.status = 'ACTIVE';

create view served_organization as
select id, connection_id, erp_id, name, address, latitude, longitude
  from mirror_organization
 where inactive_at is null;

create view enabled_menu as
select menu.id as external_menu_id, menu.connection_id, menu.erp_id, setting.priority, setting.organization_ids,
       setting.due_since, menu.full_due, menu.inactive_at is null as is_listed, menu.withdrawn_at is null as is_sold
  from mirror_external_menu menu
  join external_menu_setting setting on setting.external_menu_id = menu.id
 where setting.is_enabled;

create view live_menu as
select menu.external_menu_id, menu.connection_id, menu.erp_id, menu.priority, menu.organization_ids, menu.due_since,
       menu.full_due, importable.id is not null as is_importable
  from enabled_menu menu
  join connection on connection.id = menu.connection_id and connection.status = 'ACTIVE'
  left join importable_connection importable on importable.id = menu.connection_id
 where menu.is_listed;

-- Ranked by withdrawal and not by the last list: every change of a rank has its mark (decision 40).
create view menu_of_organization as
select organization.id as organization_id, menu.external_menu_id, menu.is_sold,
       row_number() over (
         partition by organization.id order by not menu.is_sold, menu.priority, menu.external_menu_id) as rank
  from mirror_organization organization
  join enabled_menu menu on menu.connection_id = organization.connection_id
   and (menu.organization_ids is null or organization.id = any (menu.organization_ids));

create view unsold_item as
select item.id as item_id, 'DELIVERY_FEE' as why
  from service_role role
  join mirror_item item on item.erp_id = role.erp_item_id
 where role.role = 'DELIVERY_FEE'
 union
select size.item_id, 'DELIVERY_FEE' as why
  from service_role role
  join catalog_variant variant on variant.id = role.variant_id
  join mirror_item_size size on size.id = variant.item_size_id
 where role.role = 'DELIVERY_FEE'
 union
select item.id, 'REWARD'
  from reward
  join mirror_item item on item.erp_id = reward.erp_item_id
 where reward.is_active;

comment on view importable_connection is
  'Connections that may be imported: switched on, and their legal entity and its franchisee are active.';
comment on view served_organization is
  'Organizations that the storefront API serves: the ERP''s last list contains them. Neither a disabled connection nor an inactive owner closes them; what was imported is still shown.';
comment on view enabled_menu is
  'External menus that staff have not switched off, of every connection. is_listed: the ERP''s last list contains it, so it is imported. is_sold: the ERP has not withdrawn it; one list without the menu only ends its imports, the second one ends its sale.';
comment on view live_menu is
  'Enabled menus that the ERP lists, of connections that are switched on: they name items, keep them alive and have schedules. is_importable: the owner is active as well, so a run would ask the ERP now. The menus of an inactive owner keep their say, because nothing of theirs was withdrawn.';
comment on view menu_of_organization is
  'Enabled menus that speak for an organization, whatever the state of its connection: those of its connection that are meant for all organizations or name this one. rank 1 sets the price: sold menus come first, then the lower priority, then the lower id. The prices of a menu that is not sold are only the last ones.';
comment on view unsold_item is
  'Items that no guest buys, whoever has published them: those with the role DELIVERY_FEE, which the server adds to an order by itself, and those that active rewards give as gifts. why: DELIVERY_FEE or REWARD; an item may be both.';
