import type { Sql } from '../../db/database.ts';
import type { TemporalDeps } from '../../platform/start-workflow.ts';
import type { Listeners } from '../events/listeners.ts';
import { signalIncidents, wakeBindingEvaluation } from './wake-bindings.ts';

/** What bindings and their incidents do about events. */
export const BINDING_LISTENERS = {
  ErpMenuImported: ({ runId }, deps) => wakeBindingEvaluation(deps, runId),
  BindingIncidentsChanged: ({ incidentIds, change }, deps) => signalIncidents(deps, incidentIds, change),
} satisfies Listeners<TemporalDeps & { db: Sql }>;
