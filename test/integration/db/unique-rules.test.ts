import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uniqueRules } from '../../../packages/dev/locks/schema-rules.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';
import { toOwnerUrl } from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';

// `npm run carte -- check:locks` drops each rule and requires that its test fails. Therefore a test
// checks which rows are accepted, not the name of the rule.

type Values = Readonly<Record<string, string>>;
type Rule = readonly [
  meaning: string,
  table: string,
  key: string,
  more?: { when?: Values; unless?: Values; other?: Values },
];

const ONGOING: Values = {
  state: `'ACCEPTED'`,
  subtotal_kopecks: '0',
  discount_kopecks: '0',
  delivery_fee_kopecks: '0',
  total_kopecks: '0',
  ended_at: 'null',
};

const FREE_RIGHT: Values = {
  status: `'GRANTED'`,
  source: `'ERP_CATEGORY'`,
  granted_by: `'SYSTEM'`,
  granted_by_user_id: 'null',
  reserved_order_id: 'null',
  reserved_at: 'null',
  redeemed_order_id: 'null',
  redeemed_at: 'null',
};

/**
 * `when` values make the rule apply to a row, `unless` values exempt a row, `other` is another
 * spelling of the key.
 */
const RULES: Readonly<Record<string, Rule>> = {
  access_api_key_secret_pkey: [
    'a prefix names one secret of a key',
    'access_api_key_secret',
    'prefix',
  ],
  access_identity_pkey: [
    'an account of a provider is one user',
    'access_identity',
    'issuer, subject',
  ],
  access_identity_user_unique: [
    'a user has one account of a provider',
    'access_identity',
    'user_id, issuer',
  ],
  access_role_code_unique: ['a code names one role', 'access_role', 'code'],
  access_second_factor_pkey: ['a user has one second factor', 'access_second_factor', 'user_id'],
  access_sign_on_pkey: ['a state belongs to one sign-on', 'access_sign_on', 'state_digest'],
  access_signing_key_current_unique: [
    'a purpose has one signing key that is not retired',
    'access_signing_key',
    'purpose',
    { unless: { retired_at: 'now()' } },
  ],
  access_signing_key_pkey: [
    'a key id names one signing key',
    'access_signing_key',
    'kid',
    { when: { retired_at: 'now()' } },
  ],
  access_user_email_unique: [
    'an e-mail belongs to one user, however it is spelt',
    'access_user',
    'email',
    {
      when: { email: `'a@b.example'` },
      other: { email: `'A@b.example'` },
      unless: { deleted_at: 'now()' },
    },
  ],
  access_user_role_pkey: ['a user has a role once', 'access_user_role', 'user_id, role_id'],
  audit_seal_entry_unique: [
    'an entry of the audit has one place in the chain',
    'audit_seal',
    'entry_id',
  ],
  audit_seal_pkey: [
    'a place in the chain over the audit is of one entry',
    'audit_seal',
    'position',
  ],
  binding_evaluation_pkey: [
    'the turn of evaluations is one row',
    'binding_evaluation',
    'only_row',
    { when: { only_row: 'true' } },
  ],
  binding_incident_open_unique: [
    'a variant has one open incident of a type',
    'binding_incident',
    'variant_id, type',
    { unless: { status: `'CLOSED'`, resolution: `'ITEM_RETURNED'`, closed_at: 'now()' } },
  ],
  cart_customer_unique: [
    'a customer has one cart',
    'cart',
    'customer_id',
    { unless: { customer_id: 'null' } },
  ],
  catalog_badge_code_unique: ['a code names one badge', 'catalog_badge', 'code'],
  catalog_category_slug_unique: ['a slug leads to one category', 'catalog_category', 'slug'],
  busy_mode_pkey: [
    'an organization has one busy mode',
    'busy_mode',
    'organization_id',
    { when: { extra_minutes: '20' } },
  ],
  catalog_category_slug_pkey: [
    'a slug has belonged to one category',
    'catalog_category_slug',
    'slug',
  ],
  catalog_item_binding_item_unique: [
    'a dish is claimed by one product',
    'catalog_item_binding',
    'item_id',
  ],
  catalog_item_triage_pkey: ['a dish is decided about once', 'catalog_item_triage', 'item_id'],
  catalog_modifier_group_profile_pkey: [
    'a modifier group has one profile',
    'catalog_modifier_group_profile',
    'group_key',
  ],
  catalog_modifier_profile_pkey: [
    'a modifier has one profile',
    'catalog_modifier_profile',
    'item_id',
  ],
  catalog_product_slug_unique: ['a slug leads to one product', 'catalog_product', 'slug'],
  catalog_product_badge_pkey: [
    'a product has a badge once',
    'catalog_product_badge',
    'product_id, badge_id',
  ],
  catalog_product_category_pkey: [
    'a product is in a category once',
    'catalog_product_category',
    'product_id, category_id',
  ],
  catalog_product_primary_category_unique: [
    'a product has one primary category',
    'catalog_product_category',
    'product_id',
    { when: { is_primary: 'true' }, unless: { is_primary: 'false' } },
  ],
  catalog_product_image_pkey: [
    'a product shows an image once',
    'catalog_product_image',
    'product_id, media_id',
  ],
  catalog_product_slug_pkey: ['a slug has belonged to one product', 'catalog_product_slug', 'slug'],
  catalog_product_visibility_pkey: [
    'a product is visible in an organization or not, once',
    'catalog_product_visibility',
    'product_id, organization_id',
  ],
  catalog_variant_default_unique: [
    'a product has one default variant',
    'catalog_variant',
    'product_id',
    { when: { is_default: 'true' }, unless: { is_default: 'false' } },
  ],
  catalog_variant_option_unique: [
    'a product has an option once',
    'catalog_variant',
    'product_id, option_id',
  ],
  catalog_variant_size_unique: [
    'a product sells a size once',
    'catalog_variant',
    'product_id, item_size_id',
  ],
  catalog_variant_axis_code_unique: ['a code names one axis', 'catalog_variant_axis', 'code'],
  catalog_variant_option_code_unique: [
    'a code names one option of an axis',
    'catalog_variant_option',
    'axis_id, code',
  ],
  client_card_pkey: ['a client has one card', 'client_card', 'client_id'],
  client_history_pkey: ['what was missed of a client is one period', 'client_history', 'client_id'],
  client_marker_pkey: [
    'a marker of a client is known once',
    'client_marker',
    'client_id, source, subject, generation',
    { when: { source: `'ERP_CATEGORY'`, is_present: 'true', gone_at: 'null' } },
  ],
  marker_clearing_pkey: ['a marker is cleared once', 'marker_clearing', 'compensation_id'],
  client_marker_right_unique: [
    'a right has one marker',
    'client_marker',
    'compensation_id',
    {
      when: { source: `'ERP_CATEGORY'`, is_present: 'true', gone_at: 'null' },
      unless: { compensation_id: 'null' },
    },
  ],
  compensation_candidate_unique: [
    'a phrase in a comment is a candidate once',
    'compensation_candidate',
    'client_id, phrase, generation',
    {
      when: {
        is_present: 'true',
        status: `'OPEN'`,
        gone_at: 'null',
        closed_at: 'null',
        compensation_id: 'null',
      },
    },
  ],
  compensation_conflict_open_unique: [
    'people decide once about a marker at a time',
    'compensation_conflict',
    'client_id, source, subject, generation',
    {
      when: {
        kind: `'SECOND_RIGHT'`,
        source: `'ERP_CATEGORY'`,
        status: `'OPEN'`,
        closed_at: 'null',
      },
      unless: { status: `'IGNORED'`, closed_at: 'now()' },
    },
  ],
  compensation_client_customer_unique: [
    'a customer of the ERP is one client of an account',
    'compensation_client',
    'connection_id, erp_customer_id',
    { unless: { erp_customer_id: 'null' } },
  ],
  compensation_client_phone_unique: [
    'a phone is one client of an account',
    'compensation_client',
    'connection_id, phone_digest',
    { unless: { phone_digest: 'null' } },
  ],
  compensation_marker_unique: [
    'a marker of the ERP grants one right',
    'compensation',
    'source, source_marker',
    { when: FREE_RIGHT, unless: { source_marker: 'null' } },
  ],
  compensation_move_pkey: [
    'a right makes one move at a time',
    'compensation_move',
    'compensation_id, version',
    { when: { from_status: `'GRANTED'` } },
  ],
  compensation_move_redeemed_unique: [
    'a right is redeemed once',
    'compensation_move',
    'compensation_id',
    {
      when: { from_status: `'RESERVED'`, to_status: `'REDEEMED'` },
      unless: { to_status: `'GRANTED'` },
    },
  ],
  delivery_zone_view_pkey: ['a zone has one view of staff', 'delivery_zone_view', 'zone_id'],
  erp_choices_pkey: ['a connection has one dictionary of the ERP', 'erp_choices', 'connection_id'],
  erp_circuit_pkey: [
    'a group of endpoints has one circuit',
    'erp_circuit',
    'connection_id, endpoint_group',
  ],
  erp_hold_pkey: [
    'an endpoint of a connection has one waiting time',
    'erp_hold',
    'connection_id, endpoint',
  ],
  erp_rate_limit_pkey: ['requests to the ERP are counted in one row', 'erp_rate_limit', 'key'],
  erp_refusal_pkey: [
    'an endpoint of a connection has one refusal',
    'erp_refusal',
    'connection_id, endpoint',
  ],
  erp_token_pkey: ['a connection has one token', 'erp_token', 'connection_id'],
  external_menu_setting_pkey: [
    'a menu has one row of settings',
    'external_menu_setting',
    'external_menu_id',
  ],
  franchisee_name_unique: ['a name belongs to one franchisee', 'franchisee', 'name'],
  guest_notice_code_unique: ['a code names one notice', 'guest_notice', 'code'],
  gift_reconciliation_pkey: [
    'a day of an organization has one comparison of gifts',
    'gift_reconciliation',
    'day, organization_erp_id',
  ],
  idempotency_key_pkey: ['a key of a caller is used once', 'idempotency_key', 'scope, key'],
  import_pause_open_unique: [
    'an import has one pause that has not ended, also one of all menus',
    'import_pause',
    'connection_id, job, external_menu_id',
    { when: { job: `'MENU'`, external_menu_id: 'null' }, unless: { ended_at: 'now()' } },
  ],
  legal_entity_tax_id_unique: ['a tax id belongs to one legal entity', 'legal_entity', 'tax_id'],
  media_sha256_unique: ['a content is one media', 'media', 'sha256'],
  media_claim_pkey: ['a file is claimed once', 'media_claim', 'files'],
  media_retired_pkey: [
    'a former rendition of a media is kept once',
    'media_retired',
    'media_id, rendition_set',
  ],
  mirror_external_menu_unique: [
    'a menu of a connection is one row',
    'mirror_external_menu',
    'connection_id, erp_id',
  ],
  mirror_item_erp_unique: [
    'an item of the ERP is one row in each role',
    'mirror_item',
    'erp_id, role',
  ],
  mirror_item_menu_pkey: [
    'a menu lists an item once',
    'mirror_item_menu',
    'external_menu_id, item_id',
  ],
  mirror_item_placement_pkey: [
    'a menu category lists an item once',
    'mirror_item_placement',
    'menu_category_id, item_id',
  ],
  mirror_item_size_unique: ['an item has a size once', 'mirror_item_size', 'item_id, erp_size_id'],
  mirror_menu_category_unique: [
    'a category of a menu is one row',
    'mirror_menu_category',
    'external_menu_id, erp_id',
  ],
  mirror_modifier_group_unique: [
    'a size has a modifier group once in each menu',
    'mirror_modifier_group',
    'external_menu_id, item_size_id, group_key',
  ],
  mirror_modifier_link_pkey: [
    'a group offers a modifier once',
    'mirror_modifier_link',
    'modifier_group_id, item_id',
  ],
  mirror_organization_active_unique: [
    'an organization of the ERP is active in one connection',
    'mirror_organization',
    'erp_id',
    { unless: { inactive_at: 'now()' } },
  ],
  mirror_organization_connection_erp_unique: [
    'an organization of a connection is one row',
    'mirror_organization',
    'connection_id, erp_id',
    { when: { inactive_at: 'now()' } },
  ],
  geocoder_answer_pkey: ['a question to the geocoder has one answer', 'geocoder_answer', 'key'],
  mirror_delivery_defaults_pkey: [
    'an organization has one set of delivery defaults',
    'mirror_delivery_defaults',
    'organization_id',
  ],
  mirror_delivery_zone_name_unique: [
    'a name is one zone of an organization',
    'mirror_delivery_zone',
    'organization_id, name',
  ],
  mirror_price_pkey: [
    'a size has one price in each menu and organization',
    'mirror_price',
    'external_menu_id, item_size_id, organization_id',
  ],
  mirror_price_category_unique: [
    'a price category is one row',
    'mirror_price_category',
    'connection_id, erp_id',
  ],
  mirror_product_category_unique: [
    'a product category is one row',
    'mirror_product_category',
    'erp_id',
  ],
  mirror_size_menu_pkey: [
    'a menu lists a size once',
    'mirror_size_menu',
    'external_menu_id, item_size_id',
  ],
  mirror_stop_list_pkey: [
    'a size is stopped once in each terminal group',
    'mirror_stop_list',
    'organization_id, terminal_group_erp_id, item_erp_id, erp_size_id',
  ],
  mirror_stop_list_state_pkey: [
    'an organization has one state of its stop-list',
    'mirror_stop_list_state',
    'organization_id',
  ],
  mirror_terminal_group_unique: [
    'a terminal group is one row',
    'mirror_terminal_group',
    'organization_id, erp_id',
  ],
  mirror_zone_terms_pkey: ['a rule of a zone is one row', 'mirror_zone_terms', 'zone_id, ordinal'],
  notification_member_pkey: [
    'a grouped notification has each member once',
    'notification_member',
    'notification_id, member_id',
  ],
  notification_open_unique: [
    'a subject has one open notification of a kind',
    'notification',
    'kind, subject_type, subject_id',
    { unless: { resolved_at: 'now()' } },
  ],
  erp_gift_line_pkey: [
    'an order has one count of a gift',
    'erp_gift_line',
    'gift_order_id, erp_item_id, erp_size_id',
  ],
  erp_gift_order_unique: [
    'an order at the ERP is one row',
    'erp_gift_order',
    'connection_id, erp_order_id',
  ],
  unauthorized_gift_open_unique: [
    'what people have to decide about a gift of an order is one row',
    'unauthorized_gift',
    'gift_order_id, erp_item_id, erp_size_id',
    {
      when: { kind: `'NO_RIGHT'`, status: `'OPEN'`, closed_at: 'null' },
      unless: { status: `'WITHDRAWN'`, closed_at: 'now()' },
    },
  ],
  ordering_config_pkey: [
    'an organization has one configuration of orders',
    'ordering_config',
    'organization_id',
  ],
  order_poll_pkey: [
    'a connection has one state of its polls of orders',
    'order_poll',
    'connection_id',
  ],
  order_revision_pkey: [
    'a connection has one revision of its orders',
    'order_revision',
    'connection_id',
  ],
  order_sending_pkey: [
    'a connection has one choice of what its orders name',
    'order_sending',
    'connection_id',
  ],
  ordering_schedule_pkey: [
    'an organization has one regular week',
    'ordering_schedule',
    'organization_id',
  ],
  payment_method_pkey: [
    'a way to pay is one row',
    'payment_method',
    'code',
    { when: { code: `'CASH'` } },
  ],
  refused_order_revision_pkey: [
    'an organization that is refused has one revision of its orders',
    'refused_order_revision',
    'organization_id',
  ],
  refused_organization_pkey: [
    'an import is refused an organization once',
    'refused_organization',
    'organization_id, job, external_menu_id',
  ],
  restoration_pkey: [
    'one restoration is under way',
    'restoration',
    'only_row',
    { when: { only_row: 'true' } },
  ],
  restored_order_pkey: ['an order is recorded again once', 'restored_order', 'order_id'],
  reward_category_unique: [
    'a category of clients stands for one gift',
    'reward',
    'category_id',
    { unless: { category_id: 'null' } },
  ],
  reward_code_unique: ['a code names one gift', 'reward', 'code'],
  schedule_exception_date_unique: [
    'a date has one exception of a channel, also of all channels',
    'schedule_exception',
    'organization_id, date, channel',
    {
      when: { kind: `'CLOSED'`, channel: 'null' },
      unless: { kind: `'INTAKE_STOPPED'`, date: 'null', starts_at: 'now()' },
    },
  ],
  composition_rule_role_unique: ['a role has one rule of composition', 'composition_rule', 'role'],
  customer_order_cart_unique: [
    'a cart becomes one order',
    'customer_order',
    'cart_id',
    { when: ONGOING },
  ],
  customer_order_number_unique: [
    'a number names one order of an organization and a day',
    'customer_order',
    'organization_id, day, number',
    { when: ONGOING },
  ],
  order_claim_pkey: ['an order takes one place of a key', 'order_claim', 'order_id, key'],
  order_decision_pkey: ['an order has one decision', 'order_decision', 'order_id'],
  order_line_pkey: ['an order has one line in a place', 'order_line', 'order_id, position'],
  order_quote_cart_unique: [
    'the same sums for the same terms of a cart are one quote',
    'order_quote',
    'cart_id, digest, sums_digest',
  ],
  discount_use_ordinal_unique: [
    'a use of a discount with a limit belongs to one order',
    'discount_use',
    'discount_id, ordinal',
    { unless: { ordinal: 'null' } },
  ],
  discount_use_once_unique: [
    'a customer uses a discount once that is given once',
    'discount_use',
    'discount_id, once_for',
    { unless: { once_for: 'null' } },
  ],
  discount_count_pkey: [
    'a share of a limit is counted in one row',
    'discount_count',
    'discount_id, share',
  ],
  discount_code_unique: ['a code names one discount', 'discount', 'code'],
  discount_use_pkey: ['an order uses a discount once', 'discount_use', 'discount_id, order_id'],
  promocode_code_unique: ['a promocode leads to one discount', 'promocode', 'code'],
  window_count_pkey: ['what happens in a window is counted in one row', 'window_count', 'key'],
  service_role_pkey: [
    'a role belongs to one item',
    'service_role',
    'role',
    { when: { variant_id: '1' } },
  ],
  service_role_list_pkey: [
    'all roles have one version',
    'service_role_list',
    'only_row',
    { when: { only_row: 'true' } },
  ],
  schedule_paused_elsewhere_pkey: [
    'a schedule is noted once',
    'schedule_paused_elsewhere',
    'schedule_id',
  ],
  setting_pkey: ['a setting has one value', 'setting', 'key'],
  snapshot_cause_pkey: [
    'a menu has one row for each kind of change and author',
    'snapshot_cause',
    'organization_id, source, user_id',
  ],
  snapshot_pkey: ['an organization has one published menu', 'snapshot', 'organization_id'],
  snapshot_pin_organization_unique: [
    'an organization has one pin',
    'snapshot_pin',
    'organization_id',
  ],
  snapshot_request_pkey: [
    'reasons for a rebuild are counted in one row',
    'snapshot_request',
    'organization_id',
  ],
  snapshot_revision_pkey: [
    'a revision of a menu is kept once',
    'snapshot_revision',
    'organization_id, revision',
  ],
  sync_run_execution_unique: [
    'an execution has one run',
    'sync_run',
    'workflow_id, workflow_run_id',
  ],
  sync_shrink_acceptance_open_unique: [
    'a menu has one open acceptance',
    'sync_shrink_acceptance',
    'external_menu_id',
    { unless: { ended_at: 'now()', outcome: `'USED'` } },
  ],
  terminal_alive_pkey: [
    'a terminal group is alive or not',
    'terminal_alive',
    'organization_id, terminal_group_erp_id',
  ],
  webhook_queue_pkey: [
    'a subject has one queue in each lane',
    'webhook_queue',
    'endpoint_id, is_replay, subject',
  ],
  webhook_event_key_unique: [
    'an event of a webhook is stored once',
    'webhook_event',
    'event_key, event_type',
  ],
};

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let owner: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  owner = await openDatabase({ url: toOwnerUrl(database.url) });
});
afterAll(async () => {
  await owner.close();
  await database.close();
});

type Column = { name: string; type: string; isNeeded: boolean; allowed: string | null };

/** Columns of a table, with the first allowed value if a column has a list of words. */
const readColumns = (table: string): Promise<Column[]> =>
  database.db.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type,
            attnotnull and not atthasdef and attidentity = '' as "isNeeded",
            (select substring(pg_get_constraintdef(oid) from '''([^'']*)''::text') from pg_constraint
              where conrelid = attrelid and contype = 'c' and conkey = array[attnum] limit 1) as allowed
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );

const VALUES: Readonly<Record<string, (seed: number) => string>> = {
  date: (seed) => `'2026-01-0${seed}'`,
  uuid: (seed) => `'00000000-0000-4000-8000-00000000000${seed}'`,
  json: () => `'{}'`,
  jsonb: () => `'{}'`,
  boolean: () => 'false',
  bytea: () => `'\\x00'`,
  'text[]': () => `'{}'`,
  'timestamp with time zone': () => 'now()',
};

/** An insert with the common key, unless `apart` is one of its columns. */
async function buildInsert(
  [, table, keys, { when = {} } = {}]: Rule,
  row: number,
  { apart, values = {} }: { apart?: string; values?: Values | undefined } = {},
): Promise<string> {
  const key = keys.split(', ');
  const stated = { ...when, ...values };
  const columns = (await readColumns(table)).filter(
    (column) => column.isNeeded || key.includes(column.name) || column.name in stated,
  );
  const texts = columns.map(({ name, type, allowed }) => {
    const seed = key.includes(name) && name !== apart ? 9 : row;
    const made = (VALUES[type] ?? String)(seed);
    return name === apart ? made : (stated[name] ?? (allowed === null ? made : `'${allowed}'`));
  });
  return `insert into ${table} (${columns.map((column) => column.name).join(', ')}) values (${texts.join(', ')})`;
}

/** Runs statements in a separate session without checks of foreign keys. */
const inSession = (...statements: readonly string[]): Promise<unknown> =>
  owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    for (const statement of statements) await tx.query(statement);
  });

const waiting = () =>
  owner.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );

test('every unique rule of the schema is tested here', async () => {
  const rules = await uniqueRules(fileURLToPath(new URL('../../..', import.meta.url)));
  expect(Object.keys(RULES).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
});

const TABLE = Object.entries(RULES).map(([name, rule]) => ({ name, meaning: rule[0], rule }));

test.each(TABLE)('$meaning ($name)', async ({ rule }) => {
  const [, table, , { other } = {}] = rule;
  const [first, second] = [
    await buildInsert(rule, 1),
    await buildInsert(rule, 2, { values: other }),
  ];
  const competing = Promise.withResolvers<unknown>();
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`delete from ${table}`);
    await tx.query(first);
    void inSession(second).then(() => competing.resolve('taken'), competing.resolve);
    await Promise.race([
      competing.promise,
      eventually('the second waits', async () => ((await waiting()).length > 0 ? true : undefined)),
    ]);
  });
  expect(await competing.promise).toMatchObject({ code: '23505' });
  expect(await database.db.query(`select from ${table}`)).toHaveLength(1);
});

test.each(TABLE)('rows may differ in one column of the rule: $meaning', async ({ rule }) => {
  const [, table, keys, { unless } = {}] = rule;
  const first = await buildInsert(rule, 1);
  const columns = await readColumns(table);
  // Columns with a list of words or a constant cannot get another value.
  const free = keys
    .split(', ')
    .filter((key) =>
      columns.some(
        ({ name, type, allowed }) => name === key && allowed === null && type !== 'boolean',
      ),
    );
  const others = await Promise.all(free.map((apart, at) => buildInsert(rule, 3 + at, { apart })));
  if (unless !== undefined) others.push(await buildInsert(rule, 8, { values: unless }));
  for (const statement of others) {
    await inSession(`delete from ${table}`, first, statement);
    expect(await database.db.query(`select from ${table}`)).toHaveLength(2);
  }
});
