import { defineEntity, p } from '@mikro-orm/core';
import type { PausableJob, Job, RunMode, RunStatus, RunTrigger } from '../rules/jobs.ts';
import type { ImportCounters } from '../schemas/mirror.ts';
import type { Anomaly } from '../rules/anomalies.ts';
import type { WeeklyHours } from '../rules/weekly-hours.ts';
import type { Polygon } from '../rules/zone-polygon.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

export const ExternalMenuSetting = defineEntity({
  name: 'ExternalMenuSetting',
  tableName: 'external_menu_setting',
  properties: {
    externalMenuId: p.bigint('number').primary().autoincrement(false),
    isEnabled: p.boolean().default(true),
    organizationIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    priceCategoryId: p.text().nullable(),
    isAsync: p.boolean().default(false),
    priority: p.integer().default(100),
    updatedAt: p.datetime().defaultRaw('now()'),
    version: edited.version,
    dueSince: p.datetime().defaultRaw('now()'),
  },
});

export const ImportPause = defineEntity({
  name: 'ImportPause',
  tableName: 'import_pause',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    connectionId: p.bigint('number'),
    job: p.text().$type<PausableJob>(),
    externalMenuId: p.bigint('number').nullable(),
    reason: p.text(),
    until: p.datetime().nullable(),
    createdBy: p.bigint('number').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    endedBy: p.bigint('number').nullable(),
    endedAt: p.datetime().nullable(),
  },
});

export const MirrorExternalMenu = defineEntity({
  name: 'MirrorExternalMenu',
  tableName: 'mirror_external_menu',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    connectionId: p.bigint('number'),
    erpId: p.text(),
    name: p.text(),
    synchronizedAt: p.datetime(),
    inactiveAt: p.datetime().nullable(),
    revision: p.bigint('number').nullable(),
    revisionFingerprint: p.text().nullable(),
    fullDue: p.boolean().default(false),
    importedAt: p.datetime().nullable(),
    outrankedBy: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    withdrawnAt: p.datetime().nullable(),
  },
});

export const MirrorItem = defineEntity({
  name: 'MirrorItem',
  tableName: 'mirror_item',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    erpId: p.uuid(),
    role: p.text().$type<'DISH' | 'MODIFIER'>(),
    name: p.text(),
    description: p.text().nullable(),
    sku: p.text().nullable(),
    type: p.text().nullable(),
    orderItemType: p.text().nullable(),
    measureUnit: p.text().nullable(),
    productCategoryErpId: p.text().nullable(),
    allergens: p.json<readonly { code: string; name: string }[]>().defaultRaw(`'[]'::jsonb`),
    labels: p.json<unknown>().defaultRaw(`'[]'::jsonb`),
    firstSeenAt: p.datetime(),
    synchronizedAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
    lastRun: p.bigint('number').nullable(),
  },
});

export const MirrorItemMenu = defineEntity({
  name: 'MirrorItemMenu',
  tableName: 'mirror_item_menu',
  properties: {
    externalMenuId: p.bigint('number').primary().autoincrement(false),
    itemId: p.bigint('number').primary().autoincrement(false),
    name: p.text(),
    description: p.text().nullable(),
    isHidden: p.boolean().default(false),
    synchronizedRun: p.bigint('number'),
  },
});

export const MirrorItemPlacement = defineEntity({
  name: 'MirrorItemPlacement',
  tableName: 'mirror_item_placement',
  properties: {
    menuCategoryId: p.bigint('number').primary().autoincrement(false),
    itemId: p.bigint('number').primary().autoincrement(false),
    position: p.integer(),
    isHidden: p.boolean().default(false),
    synchronizedRun: p.bigint('number'),
  },
});

export const MirrorItemSize = defineEntity({
  name: 'MirrorItemSize',
  tableName: 'mirror_item_size',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    itemId: p.bigint('number'),
    erpSizeId: p.text().default(''),
    name: p.text().nullable(),
    code: p.text().nullable(),
    sku: p.text().nullable(),
    weightGrams: p.double().$type<number>().nullable(),
    nutrition: p.json<Readonly<Record<string, unknown>>>().nullable(),
    isDefault: p.boolean().default(false),
    firstSeenAt: p.datetime(),
    changedAt: p.datetime().defaultRaw('now()'),
    /** Start of the import after which no live menu lists the size. */
    deletedAt: p.datetime().nullable(),
    lastRun: p.bigint('number').nullable(),
  },
});

export const MirrorMenuCategory = defineEntity({
  name: 'MirrorMenuCategory',
  tableName: 'mirror_menu_category',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    externalMenuId: p.bigint('number'),
    erpId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    isHidden: p.boolean().default(false),
    position: p.integer(),
    /** Null: at all hours. */
    hours: p.json<WeeklyHours>().nullable(),
    synchronizedRun: p.bigint('number'),
  },
});

export const MirrorModifierGroup = defineEntity({
  name: 'MirrorModifierGroup',
  tableName: 'mirror_modifier_group',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    externalMenuId: p.bigint('number'),
    itemSizeId: p.bigint('number'),
    groupKey: p.text(),
    erpId: p.text().nullable(),
    name: p.text(),
    sku: p.text().nullable(),
    position: p.integer(),
    isHidden: p.boolean().default(false),
    minQuantity: p.integer(),
    maxQuantity: p.integer(),
    freeQuantity: p.integer(),
    defaultQuantity: p.integer(),
    hasChildRestrictions: p.boolean().default(true),
    synchronizedRun: p.bigint('number'),
  },
});

export const MirrorModifierLink = defineEntity({
  name: 'MirrorModifierLink',
  tableName: 'mirror_modifier_link',
  properties: {
    modifierGroupId: p.bigint('number').primary().autoincrement(false),
    itemId: p.bigint('number').primary().autoincrement(false),
    position: p.integer(),
    name: p.text(),
    isHidden: p.boolean().default(false),
    weightGrams: p.double().$type<number>().nullable(),
    minQuantity: p.integer(),
    maxQuantity: p.integer(),
    freeQuantity: p.integer(),
    defaultQuantity: p.integer(),
    changedAt: p.datetime().defaultRaw('now()'),
  },
});

export const MirrorOrganization = defineEntity({
  name: 'MirrorOrganization',
  tableName: 'mirror_organization',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    connectionId: p.bigint('number'),
    erpId: p.uuid(),
    name: p.text(),
    code: p.text().nullable(),
    address: p.text().nullable(),
    latitude: p.double().$type<number>().nullable(),
    longitude: p.double().$type<number>().nullable(),
    timeZone: p.text().nullable(),
    raw: p.json<unknown>(),
    synchronizedAt: p.datetime(),
    inactiveAt: p.datetime().nullable(),
  },
});

export const MirrorPrice = defineEntity({
  name: 'MirrorPrice',
  tableName: 'mirror_price',
  properties: {
    externalMenuId: p.bigint('number').primary().autoincrement(false),
    itemSizeId: p.bigint('number').primary().autoincrement(false),
    organizationId: p.bigint('number').primary().autoincrement(false),
    priceKopecks: p.bigint('number'),
    lostAt: p.datetime().nullable(),
    changedAt: p.datetime(),
  },
});

export const MirrorPriceCategory = defineEntity({
  name: 'MirrorPriceCategory',
  tableName: 'mirror_price_category',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    connectionId: p.bigint('number'),
    erpId: p.text(),
    name: p.text(),
    synchronizedAt: p.datetime(),
    inactiveAt: p.datetime().nullable(),
  },
});

export const MirrorProductCategory = defineEntity({
  name: 'MirrorProductCategory',
  tableName: 'mirror_product_category',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    erpId: p.text(),
    name: p.text(),
    isDeleted: p.boolean().default(false),
    changedAt: p.datetime().defaultRaw('now()'),
  },
});

export const MirrorSizeMenu = defineEntity({
  name: 'MirrorSizeMenu',
  tableName: 'mirror_size_menu',
  properties: {
    externalMenuId: p.bigint('number').primary().autoincrement(false),
    itemSizeId: p.bigint('number').primary().autoincrement(false),
    isHidden: p.boolean().default(false),
    synchronizedRun: p.bigint('number'),
  },
});

export const MirrorStopList = defineEntity({
  name: 'MirrorStopList',
  tableName: 'mirror_stop_list',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    terminalGroupErpId: p.text().primary().default(''),
    itemErpId: p.uuid().primary(),
    erpSizeId: p.text().primary().default(''),
    balance: p.double().$type<number>(),
    sku: p.text().nullable(),
    addedAt: p.datetime().nullable(),
    synchronizedRun: p.bigint('number'),
  },
});

export const MirrorStopListState = defineEntity({
  name: 'MirrorStopListState',
  tableName: 'mirror_stop_list_state',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    synchronizedAt: p.datetime().nullable(),
    dirtyAt: p.datetime().nullable(),
    dirtySeq: p.bigint('number').default(0),
  },
});

export const MirrorTerminalGroup = defineEntity({
  name: 'MirrorTerminalGroup',
  tableName: 'mirror_terminal_group',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: p.bigint('number'),
    erpId: p.uuid(),
    name: p.text(),
    timeZone: p.text().nullable(),
    isAsleep: p.boolean().default(false),
    synchronizedAt: p.datetime(),
    inactiveAt: p.datetime().nullable(),
  },
});

export const RefusedOrganization = defineEntity({
  name: 'RefusedOrganization',
  tableName: 'refused_organization',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    job: p.text().$type<Job | 'ORDERS'>().primary(),
    externalMenuId: p.bigint('number').primary().autoincrement(false).default(0),
    endpoint: p.text(),
    status: p.smallint().nullable(),
    refusedAt: p.datetime().defaultRaw('now()'),
    askedAt: p.datetime().defaultRaw('now()'),
  },
});

export const SchedulePausedElsewhere = defineEntity({
  name: 'SchedulePausedElsewhere',
  tableName: 'schedule_paused_elsewhere',
  properties: {
    scheduleId: p.text().primary(),
    note: p.text(),
    seenAt: p.datetime().defaultRaw('now()'),
  },
});

export const SyncRun = defineEntity({
  name: 'SyncRun',
  tableName: 'sync_run',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    job: p.text().$type<Job>(),
    connectionId: p.bigint('number'),
    externalMenuId: p.bigint('number').nullable(),
    mode: p.text().$type<RunMode>().nullable(),
    trigger: p.text().$type<RunTrigger>(),
    status: p.text().$type<RunStatus>(),
    reason: p.text().nullable(),
    detail: p.text().nullable(),
    requestedBy: p.bigint('number').nullable(),
    canceledBy: p.bigint('number').nullable(),
    organizationId: p.bigint('number').nullable(),
    workflowId: p.text().nullable(),
    workflowRunId: p.text().nullable(),
    startedAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    organizations: p.integer().default(0),
    batches: p.integer().default(0),
    payloadBytes: p.bigint('number').default(0),
    revisionFrom: p.bigint('number').nullable(),
    revisionTo: p.bigint('number').nullable(),
    categories: p
      .json<ImportCounters['categories']>()
      .defaultRaw(`'{"created": 0, "updated": 0}'::jsonb`),
    items: p
      .json<ImportCounters['items']>()
      .defaultRaw(`'{"created": 0, "deleted": 0, "updated": 0}'::jsonb`),
    prices: p
      .json<ImportCounters['prices']>()
      .defaultRaw(`'{"upserted": 0, "unchanged": 0}'::jsonb`),
    modifiers: p
      .json<ImportCounters['modifiers']>()
      .defaultRaw(`'{"links": 0, "global": 0, "groups": 0}'::jsonb`),
    result: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    anomalies: p.json<Anomaly[]>().defaultRaw(`'[]'::jsonb`),
  },
});

export const SyncShrinkAcceptance = defineEntity({
  name: 'SyncShrinkAcceptance',
  tableName: 'sync_shrink_acceptance',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    externalMenuId: p.bigint('number'),
    refusedRunId: p.bigint('number'),
    runId: p.bigint('number'),
    percent: p.double().$type<number>(),
    vanished: p.integer(),
    before: p.integer(),
    organizationIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    reason: p.text(),
    acceptedBy: p.bigint('number').nullable(),
    acceptedAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    endedRunId: p.bigint('number').nullable(),
    outcome: p.text().nullable(),
  },
});

export const MirrorDeliveryDefaults = defineEntity({
  name: 'MirrorDeliveryDefaults',
  tableName: 'mirror_delivery_defaults',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    useSameDuration: p.boolean(),
    durationMinutes: p.integer(),
    selfServiceMinutes: p.integer(),
    useSameMinSum: p.boolean(),
    minSumKopecks: p.bigint('number').nullable(),
    useSameInterval: p.boolean(),
    fromMinute: p.integer().nullable(),
    toMinute: p.integer().nullable(),
    useSameWeek: p.boolean(),
    revision: p.bigint('number').default(1),
  },
});

export const MirrorDeliveryZone = defineEntity({
  name: 'MirrorDeliveryZone',
  tableName: 'mirror_delivery_zone',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: p.bigint('number'),
    name: p.text(),
    polygon: p.json<Polygon>().nullable(),
    changedAt: p.datetime().defaultRaw('now()'),
    inactiveAt: p.datetime().nullable(),
  },
});

export const MirrorZoneTerms = defineEntity({
  name: 'MirrorZoneTerms',
  tableName: 'mirror_zone_terms',
  properties: {
    zoneId: p.bigint('number').primary().autoincrement(false),
    ordinal: p.integer().primary().autoincrement(false),
    weekMap: p.integer(),
    fromMinute: p.integer().nullable(),
    toMinute: p.integer().nullable(),
    priority: p.integer(),
    minSumKopecks: p.bigint('number').nullable(),
    durationMinutes: p.integer(),
    terminalGroupErpId: p.uuid().nullable(),
  },
});

/** Has one row. */
export const MirrorReconciled = defineEntity({
  name: 'MirrorReconciled',
  tableName: 'mirror_reconciled',
  properties: {
    id: p.smallint().primary().default(1),
    at: p.datetime(),
    installationId: p.uuid().defaultRaw('gen_random_uuid()'),
  },
});
