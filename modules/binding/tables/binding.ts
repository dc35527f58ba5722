import { defineEntity, p } from '@mikro-orm/core';
import type {
  IncidentResolution,
  IncidentSeverity,
  IncidentStatus,
  IncidentType,
  LostPart,
} from '../rules/incident-states.ts';
import type { LastKnown, StoredCandidate } from '../rules/replacement.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

export const BindingEvaluation = defineEntity({
  name: 'BindingEvaluation',
  tableName: 'binding_evaluation',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    evaluations: p.bigint('number'),
    /** Last evaluation of all bindings. */
    evaluatedAt: p.datetime().nullable(),
    /** Last evaluation by connection id. */
    connections: p.json<Record<string, string>>().defaultRaw(`'{}'::jsonb`),
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
    reason: p.text().nullable(),
  },
});

export const BindingIncident = defineEntity({
  name: 'BindingIncident',
  tableName: 'binding_incident',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    type: p.text().$type<IncidentType>(),
    severity: p.text().$type<IncidentSeverity>(),
    status: p.text().$type<IncidentStatus>().default('OPEN'),
    resolution: p.text().$type<IncidentResolution>().nullable(),
    productId: p.bigint('number'),
    variantId: p.bigint('number'),
    evaluation: p.bigint('number'),
    detectedAt: p.datetime().defaultRaw('now()'),
    detectedByRunId: p.bigint('number').nullable(),
    lastKnown: p.json<LastKnown>(),
    newName: p.text().nullable(),
    lost: p.text().$type<LostPart>().nullable(),
    candidates: p.json<StoredCandidate[]>().defaultRaw(`'[]'::jsonb`),
    snoozedUntil: p.datetime().nullable(),
    /** Detection, or end of the last snooze. */
    openedAt: p.datetime().defaultRaw('now()'),
    escalatedAt: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
    closedBy: p.bigint('number').nullable(),
    note: p.text().nullable(),
    version: edited.version,
    removedOptionName: p.text().nullable(),
  },
});
