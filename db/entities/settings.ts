import { defineEntity, p } from '@mikro-orm/core';
import { edited } from './edited.ts';

export const Setting = defineEntity({
  name: 'Setting',
  tableName: 'setting',
  properties: {
    key: p.text().primary(),
    value: p.json<unknown>(),
    updatedAt: p.datetime().defaultRaw('now()'),
    updatedBy: p.bigint('number').nullable(),
    version: edited.version,
  },
});
