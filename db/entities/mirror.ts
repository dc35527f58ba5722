import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { edited } from './edited.ts';

/** The settings staff keep for an external menu; `organizationIds` null means every active organization of the connection. */
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
    /** Since when its imports are due without a break: alerts count an import that has not succeeded since from here. */
    dueSince: p.datetime().defaultRaw('now()'),
    updatedAt: edited.updatedAt,
    version: edited.version,
  },
});
export type ExternalMenuSetting = InferEntity<typeof ExternalMenuSetting>;
