import { defineEntity, p } from '@mikro-orm/core';
import { edited } from '../../../kernel/tables/kernel.ts';

export const Franchisee = defineEntity({
  name: 'Franchisee',
  tableName: 'franchisee',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    name: p.text(),
    isActive: p.boolean().default(true),
    ...edited,
  },
});

export const LegalEntity = defineEntity({
  name: 'LegalEntity',
  tableName: 'legal_entity',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    franchiseeId: p.bigint('number'),
    name: p.text(),
    taxId: p.text().nullable(),
    isActive: p.boolean().default(true),
    ...edited,
  },
});
