-- Which menus need a rebuild.

create table snapshot_request (
  organization_id bigint primary key references mirror_organization (id),
  dirty_seq bigint not null default 0,
  built_seq bigint not null default 0,
  dirty_at timestamptz,
  reason text,
  too_large_bytes int,
  too_large_parts jsonb,
  -- A failed build is repeated only after a further change.
  failed_seq bigint,
  failed_at timestamptz,
  failure text,
  -- The last sequence number a rebuild was signaled for: one signal each.
  asked_seq bigint not null default 0
);
