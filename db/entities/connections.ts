import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { edited } from './edited.ts';

/** An account of the ERP. `apiLoginEncrypted` never leaves `app/connections` (spec 2, Connection). */
export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connection',
  properties: {
    id: p.bigint('number').primary(),
    legalEntityId: p.bigint('number').nullable(),
    name: p.text(),
    apiLoginEncrypted: p.text().hidden(),
    status: p.text().$type<'ACTIVE' | 'DISABLED'>().default('ACTIVE'),
    ...edited,
  },
});
export type Connection = InferEntity<typeof Connection>;
