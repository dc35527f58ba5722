import type { Mutation } from './mutation.ts';

/** Name of a unique rule and what makes it one, in the line of its migration; dropping it leaves a table that takes both rows. */
type Rule = readonly [name: string, from: string, to: string];

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'Migration20261121000000_base.ts': [
    ['access_role_code_unique', 'constraint access_role_code_unique unique', ''],
    ['access_signing_key_pkey', 'kid text primary key', 'kid text not null'],
    ['access_user_role_pkey', 'primary key (user_id, role_id)', 'check (true)'],
    ['catalog_badge_code_unique', 'constraint catalog_badge_code_unique unique', ''],
    ['catalog_category_slug_unique', 'constraint catalog_category_slug_unique unique', ''],
    ['catalog_item_binding_item_unique', 'constraint catalog_item_binding_item_unique primary key', ''],
    ['catalog_product_badge_pkey', 'primary key (product_id, badge_id)', 'check (true)'],
    ['catalog_product_category_pkey', 'primary key (product_id, category_id)', 'check (true)'],
    ['catalog_product_image_pkey', 'primary key (product_id, media_id)', 'check (true)'],
    [
      'catalog_product_primary_category_unique',
      'create unique index catalog_product_primary_category_unique',
      'create index catalog_product_primary_category_unique',
    ],
    ['catalog_product_slug_unique', 'constraint catalog_product_slug_unique unique', ''],
    ['catalog_variant_axis_code_unique', 'constraint catalog_variant_axis_code_unique unique', ''],
    [
      'catalog_variant_default_unique',
      'create unique index catalog_variant_default_unique',
      'create index catalog_variant_default_unique',
    ],
    [
      'catalog_variant_option_code_unique',
      'constraint catalog_variant_option_code_unique unique (axis_id, code)',
      'check (true)',
    ],
    [
      'catalog_variant_size_unique',
      'constraint catalog_variant_size_unique unique (product_id, item_size_id)',
      'check (true)',
    ],
    ['erp_rate_limit_pkey', 'key varchar(255) primary key', 'key varchar(255)'],
    ['erp_token_pkey', 'connection_id bigint primary key', 'connection_id bigint not null'],
    ['external_menu_setting_pkey', 'external_menu_id bigint primary key', 'external_menu_id bigint not null'],
    ['franchisee_name_unique', 'constraint franchisee_name_unique unique', ''],
    ['idempotency_key_pkey', 'primary key (scope, key)', 'check (true)'],
    ['legal_entity_tax_id_unique', 'constraint legal_entity_tax_id_unique unique', ''],
    ['media_sha256_unique', 'constraint media_sha256_unique unique', ''],
    [
      'mirror_external_menu_unique',
      'constraint mirror_external_menu_unique unique (connection_id, erp_id)',
      'check (true)',
    ],
    ['mirror_item_erp_unique', 'constraint mirror_item_erp_unique unique (erp_id, role)', 'check (true)'],
    ['mirror_item_menu_pkey', 'primary key (external_menu_id, item_id)', 'check (true)'],
    ['mirror_item_placement_pkey', 'primary key (menu_category_id, item_id)', 'check (true)'],
    ['mirror_item_size_unique', 'constraint mirror_item_size_unique unique (item_id, erp_size_id)', 'check (true)'],
    [
      'mirror_menu_category_unique',
      'constraint mirror_menu_category_unique unique (external_menu_id, erp_id)',
      'check (true)',
    ],
    [
      'mirror_modifier_group_unique',
      'constraint mirror_modifier_group_unique unique (external_menu_id, item_size_id, group_key)',
      'check (true)',
    ],
    ['mirror_modifier_link_pkey', 'primary key (modifier_group_id, item_id)', 'check (true)'],
    [
      'mirror_organization_connection_erp_unique',
      'constraint mirror_organization_connection_erp_unique unique (connection_id, erp_id)',
      'check (true)',
    ],
    [
      'mirror_price_category_unique',
      'constraint mirror_price_category_unique unique (connection_id, erp_id)',
      'check (true)',
    ],
    ['mirror_price_pkey', 'primary key (external_menu_id, item_size_id, organization_id)', 'check (true)'],
    ['mirror_product_category_unique', 'constraint mirror_product_category_unique unique', ''],
    ['mirror_size_menu_pkey', 'primary key (external_menu_id, item_size_id)', 'check (true)'],
    [
      'mirror_stop_list_pkey',
      'primary key (organization_id, terminal_group_erp_id, item_erp_id, erp_size_id)',
      'check (true)',
    ],
    [
      'mirror_stop_list_state_pkey',
      ' primary key references mirror_organization (id), synchronized_at',
      ' references mirror_organization (id), synchronized_at',
    ],
    [
      'mirror_terminal_group_unique',
      'constraint mirror_terminal_group_unique unique (organization_id, erp_id)',
      'check (true)',
    ],
    ['setting_pkey', 'key text primary key', 'key text not null'],
    [
      'snapshot_pkey',
      ' primary key references mirror_organization (id), organization_erp_id',
      ' references mirror_organization (id), organization_erp_id',
    ],
    [
      'snapshot_request_pkey',
      ' primary key references mirror_organization (id), dirty_seq',
      ' references mirror_organization (id), dirty_seq',
    ],
  ],
  'Migration20261121010000_access.ts': [
    ['access_login_throttle_pkey', '(key text primary key', '(key text'],
    [
      'access_signing_key_current_unique',
      'create unique index access_signing_key_current_unique',
      'create index access_signing_key_current_unique',
    ],
  ],
  'Migration20261121040000_notifications.ts': [
    [
      'notification_open_unique',
      'create unique index notification_open_unique',
      'create index notification_open_unique',
    ],
  ],
  'Migration20261121050000_binding.ts': [
    ['binding_evaluation_pkey', 'only_row boolean primary key default true', 'only_row boolean not null default true'],
    [
      'binding_incident_open_unique',
      'create unique index binding_incident_open_unique',
      'create index binding_incident_open_unique',
    ],
  ],
  'Migration20261121060000_mirror.ts': [
    [
      'sync_shrink_acceptance_open_unique',
      'create unique index sync_shrink_acceptance_open_unique',
      'create index sync_shrink_acceptance_open_unique',
    ],
  ],
  'Migration20261121070000_connections.ts': [
    ['erp_circuit_pkey', 'connection_id bigint primary key', 'connection_id bigint not null'],
    ['erp_hold_pkey', '  primary key (connection_id, endpoint)', '  check (true)'],
    ['erp_refusal_pkey', 'default now(), primary key (connection_id, endpoint)', 'default now()'],
    [
      'mirror_organization_active_unique',
      'create unique index mirror_organization_active_unique',
      'create index mirror_organization_active_unique',
    ],
  ],
  'Migration20261121080000_snapshot_revisions.ts': [
    ['snapshot_pin_organization_unique', 'constraint snapshot_pin_organization_unique unique', ''],
    ['snapshot_revision_pkey', 'primary key (organization_id, revision)', 'check (true)'],
  ],
  'Migration20261121080001_modifier_profiles.ts': [
    ['catalog_modifier_group_profile_pkey', 'group_key text primary key', 'group_key text not null'],
    ['catalog_modifier_profile_pkey', 'item_id bigint primary key', 'item_id bigint not null'],
  ],
  'Migration20261121150000_variants.ts': [
    [
      'catalog_variant_option_unique',
      'create unique index catalog_variant_option_unique',
      'create index catalog_variant_option_unique',
    ],
  ],
  'Migration20261121140000_products.ts': [
    ['catalog_product_slug_pkey', 'slug text primary key', 'slug text not null'],
    ['catalog_category_slug_pkey', 'slug text primary key', 'slug text not null'],
    ['catalog_product_visibility_pkey', 'primary key (product_id, organization_id)', 'check (true)'],
  ],
  'Migration20261121130000_users.ts': [
    [
      'access_user_email_unique',
      'create unique index access_user_email_unique on access_user (lower(email)) where',
      'create index access_user_email_unique on access_user (lower(email)) where',
    ],
  ],
  'Migration20261121090000_webhook.ts': [
    [
      'import_pause_open_unique',
      'create unique index import_pause_open_unique',
      'create index import_pause_open_unique',
    ],
    ['schedule_paused_elsewhere_pkey', 'schedule_id text primary key', 'schedule_id text not null'],
    ['webhook_event_key_unique', 'constraint webhook_event_key_unique unique (event_key, event_type)', 'check (true)'],
  ],
  'Migration20261121160000_media.ts': [
    ['media_claim_pkey', 'files text primary key', 'files text not null'],
    ['media_retired_pkey', ', primary key (media_id, rendition_set)', ''],
  ],
  'Migration20261121120000_triage.ts': [
    ['catalog_item_triage_pkey', 'item_id bigint primary key', 'item_id bigint not null'],
  ],
  'Migration20261121170000_single_sign_on.ts': [
    ['access_sign_on_pkey', 'state_digest text primary key', 'state_digest text not null'],
    ['access_identity_pkey', 'primary key (issuer, subject)', 'check (true)'],
    ['access_identity_user_unique', 'constraint access_identity_user_unique unique (user_id, issuer)', 'check (true)'],
  ],
  'Migration20261122031000_run_of_execution.ts': [
    [
      'sync_run_execution_unique',
      'constraint sync_run_execution_unique unique (workflow_id, workflow_run_id)',
      'constraint sync_run_execution_unique check (true)',
    ],
  ],
};

/** Every unique rule of the schema: two sessions insert one key at once, and the second must be refused. */
export const UNIQUE_RULES: readonly Mutation[] = Object.entries(RULES).flatMap(([migration, rules]) =>
  rules.map(([name, from, to]) => ({
    id: `unique/${name}`,
    protects: 'one row for a key',
    file: `migrations/${migration}`,
    from,
    to,
    test: { file: 'test/integration/db/unique-rules.test.ts', title: `of two rows at once ${name} takes one` },
  })),
);
