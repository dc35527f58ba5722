-- Settings that staff edit.

create table setting (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  version int not null default 1
);
