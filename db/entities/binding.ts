import { defineEntity, p } from '@mikro-orm/core';
import { edited } from './edited.ts';

export const BindingEvaluation = defineEntity({
  name: 'BindingEvaluation',
  tableName: 'binding_evaluation',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    evaluations: p.bigint('number'),
    evaluatedAt: p.datetime().nullable(),
  },
});

export const BindingHistory = defineEntity({
  name: 'BindingHistory',
  tableName: 'binding_history',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    variantId: p.bigint('number'),
    erpItemId: p.uuid(),
    erpItemSizeId: p.bigint('number'),
    erpSizeId: p.text(),
    sku: p.text().nullable(),
    name: p.text().nullable(),
    boundUntil: p.datetime().defaultRaw('now()'),
    endedBy: p.bigint('number').nullable(),
  },
});

export const BindingIncident = defineEntity({
  name: 'BindingIncident',
  tableName: 'binding_incident',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    type: p.text(),
    severity: p.text(),
    status: p.text().default('OPEN'),
    resolution: p.text().nullable(),
    productId: p.bigint('number'),
    variantId: p.bigint('number'),
    evaluation: p.bigint('number'),
    detectedAt: p.datetime().defaultRaw('now()'),
    detectedByRunId: p.bigint('number').nullable(),
    lastKnown: p.json<unknown>(),
    newName: p.text().nullable(),
    candidates: p.json<unknown>().defaultRaw(`'[]'::jsonb`),
    snoozedUntil: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
    closedBy: p.bigint('number').nullable(),
    note: p.text().nullable(),
    version: edited.version,
    removedOptionName: p.text().nullable(),
  },
});
