-- Batches of an import before they are applied. Unlogged: a crash empties the tables. The apply step then counts too few rows and fetches again.

create unlogged table stage_product_category (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  erp_id text not null,
  name text not null,
  is_deleted boolean not null
);
create index stage_product_category_run on stage_product_category (run_id);

create unlogged table stage_menu_category (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  erp_id text not null,
  name text not null,
  description text,
  is_hidden boolean not null,
  position int not null
);
create index stage_menu_category_run on stage_menu_category (run_id);

create unlogged table stage_item (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  erp_id uuid not null,
  role text not null,
  name text not null,
  description text,
  sku text,
  type text,
  order_item_type text,
  measure_unit text,
  product_category_erp_id text,
  allergens jsonb not null,
  labels jsonb not null,
  is_hidden boolean not null
);
create index stage_item_run on stage_item (run_id);

create unlogged table stage_placement (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  category_erp_id text not null,
  item_erp_id uuid not null,
  position int not null,
  is_hidden boolean not null
);
create index stage_placement_run on stage_placement (run_id);

create unlogged table stage_size (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  item_erp_id uuid not null,
  role text not null,
  erp_size_id text not null,
  name text,
  code text,
  sku text,
  weight_grams double precision,
  nutrition jsonb,
  is_default boolean not null,
  is_hidden boolean not null
);
create index stage_size_run on stage_size (run_id);

create unlogged table stage_price (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  item_erp_id uuid not null,
  role text not null,
  erp_size_id text not null,
  organization_id bigint not null,
  price_kopecks bigint
);
create index stage_price_run on stage_price (run_id);

create unlogged table stage_group (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  item_erp_id uuid not null,
  group_key text not null,
  erp_id text,
  name text not null,
  sku text,
  position int not null,
  is_hidden boolean not null,
  min_quantity int not null,
  max_quantity int not null,
  free_quantity int not null,
  default_quantity int not null,
  has_child_restrictions boolean not null
);
create index stage_group_run on stage_group (run_id);

create unlogged table stage_link (
  run_id bigint not null,
  batch int not null,
  attempt int not null,
  item_erp_id uuid not null,
  group_key text not null,
  modifier_erp_id uuid not null,
  position int not null,
  name text not null,
  is_hidden boolean not null,
  weight_grams double precision,
  min_quantity int not null,
  max_quantity int not null,
  free_quantity int not null,
  default_quantity int not null
);
create index stage_link_run on stage_link (run_id);
