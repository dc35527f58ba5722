import { defineEntity, p } from '@mikro-orm/core';

/** Migrations create the views; only the types of columns are here. Every module may read them. */
const BY_MIGRATION = { view: true, expression: '-- made by a migration' } as const;

export const ImportableConnection = defineEntity({
  ...BY_MIGRATION,
  name: 'ImportableConnection',
  tableName: 'importable_connection',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    createdAt: p.datetime(),
  },
});

export const ServedOrganization = defineEntity({
  ...BY_MIGRATION,
  name: 'ServedOrganization',
  tableName: 'served_organization',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    connectionId: p.bigint('number'),
    erpId: p.uuid(),
    name: p.text(),
    address: p.text().nullable(),
    latitude: p.double().$type<number>().nullable(),
    longitude: p.double().$type<number>().nullable(),
  },
});

export const AnsweredOrganization = defineEntity({
  ...BY_MIGRATION,
  name: 'AnsweredOrganization',
  tableName: 'answered_organization',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    connectionId: p.bigint('number'),
    erpId: p.uuid(),
  },
});

export const EnabledMenu = defineEntity({
  ...BY_MIGRATION,
  name: 'EnabledMenu',
  tableName: 'enabled_menu',
  properties: {
    externalMenuId: p.bigint('number').primary().autoincrement(false),
    connectionId: p.bigint('number'),
    erpId: p.text(),
    priority: p.integer(),
    organizationIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    dueSince: p.datetime(),
    fullDue: p.boolean(),
    isListed: p.boolean(),
    isSold: p.boolean(),
  },
});

export const LiveMenu = defineEntity({
  ...BY_MIGRATION,
  name: 'LiveMenu',
  tableName: 'live_menu',
  properties: {
    externalMenuId: p.bigint('number').primary().autoincrement(false),
    connectionId: p.bigint('number'),
    erpId: p.text(),
    priority: p.integer(),
    organizationIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    dueSince: p.datetime(),
    fullDue: p.boolean(),
    isImportable: p.boolean(),
  },
});

export const MenuOfOrganization = defineEntity({
  ...BY_MIGRATION,
  name: 'MenuOfOrganization',
  tableName: 'menu_of_organization',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    externalMenuId: p.bigint('number').primary().autoincrement(false),
    isSold: p.boolean(),
    /** From 1. The menu with the lowest rank that prices a size sets its price. */
    rank: p.bigint('number'),
  },
});

/** The time zone of staff, else that of the ERP. */
export const OrganizationClock = defineEntity({
  ...BY_MIGRATION,
  name: 'OrganizationClock',
  tableName: 'organization_clock',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    timeZone: p.text().nullable(),
  },
});

export const ServiceItem = defineEntity({
  ...BY_MIGRATION,
  name: 'ServiceItem',
  tableName: 'service_item',
  properties: {
    itemId: p.bigint('number').primary().autoincrement(false),
  },
});

export const UnsoldItem = defineEntity({
  ...BY_MIGRATION,
  name: 'UnsoldItem',
  tableName: 'unsold_item',
  properties: {
    itemId: p.bigint('number').primary().autoincrement(false),
    why: p.text().$type<'DELIVERY_FEE' | 'REWARD'>().primary(),
  },
});
