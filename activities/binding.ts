import {
  evaluateBindings,
  type BindingDeps,
  type EvaluationScope,
} from '../modules/binding/evaluate-bindings.ts';
import {
  carryOutIntent,
  moveIncident,
  type IntendedMove,
  type RequestedMove,
} from '../modules/binding/incident-intent.ts';
import {
  escalateIncident,
  readIncidentState,
  reopenIncident,
} from '../modules/binding/incident-timers.ts';

export type BindingActivities = ReturnType<typeof createBindingActivities>;

/** The worker calls this once. */
export function createBindingActivities(deps: BindingDeps) {
  return {
    /** Evaluates one or all connections in one transaction. Idempotent. */
    evaluateBindings: (input: EvaluationScope) => evaluateBindings(deps, input),

    readIncidentState: ({ incidentId }: { incidentId: number }) =>
      readIncidentState(deps.db, incidentId),

    /** Applies an update of an operator. `refusal`: the reason of a rejection. Idempotent. */
    moveIncident: (input: RequestedMove) => moveIncident(deps, input),

    settleIncident: (input: IntendedMove) => carryOutIntent(deps, input),

    /** Notifies staff of an unattended incident. Idempotent. */
    escalateIncident: ({ incidentId }: { incidentId: number }) =>
      escalateIncident(deps.db, incidentId),

    /** Reopens an incident after its snooze. Idempotent. */
    reopenIncident: ({ incidentId }: { incidentId: number }) => reopenIncident(deps.db, incidentId),
  };
}
