import { defineEntity, p } from '@mikro-orm/core';

/** What is known of people, encrypted and in this one place: everything else refers to it by its id. */
export const PersonalData = defineEntity({
  name: 'PersonalData',
  tableName: 'personal_data',
  properties: {
    id: p.uuid().primary(),
    purpose: p.text().$type<'ADDRESS' | 'ORDER' | 'CLIENT' | 'COMMENT'>(),
    dataEncrypted: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
