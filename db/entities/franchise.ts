import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { edited } from './edited.ts';

export const Franchisee = defineEntity({
  name: 'Franchisee',
  tableName: 'franchisee',
  properties: { id: p.bigint('number').primary(), name: p.text(), isActive: p.boolean().default(true), ...edited },
});
export type Franchisee = InferEntity<typeof Franchisee>;

export const LegalEntity = defineEntity({
  name: 'LegalEntity',
  tableName: 'legal_entity',
  properties: {
    id: p.bigint('number').primary(),
    franchiseeId: p.bigint('number'),
    name: p.text(),
    taxId: p.text().nullable(),
    isActive: p.boolean().default(true),
    ...edited,
  },
});
export type LegalEntity = InferEntity<typeof LegalEntity>;
