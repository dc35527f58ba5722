import type { Sql } from '../../platform/db/database.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import type { Listeners } from '../../kernel/events/listeners.ts';
import { signalIncidents, wakeBindingEvaluation } from './wake-bindings.ts';

export const BINDING_LISTENERS = {
  ErpMenuImported: ({ connectionId, runId }, deps) =>
    wakeBindingEvaluation(deps, connectionId, runId),
  BindingIncidentsChanged: ({ incidentIds, change }, deps) =>
    signalIncidents(deps, incidentIds, change),
} satisfies Listeners<TemporalDeps & { db: Sql }>;
