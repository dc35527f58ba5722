import { defineEntity, p } from '@mikro-orm/core';
import type { CarteSettings, SettingKey } from '../schemas/settings.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

export const Setting = defineEntity({
  name: 'Setting',
  tableName: 'setting',
  properties: {
    key: p.text().$type<SettingKey>().primary(),
    value: p.json<CarteSettings[SettingKey]>(),
    updatedAt: p.datetime().defaultRaw('now()'),
    updatedBy: p.bigint('number').nullable(),
    version: edited.version,
  },
});
