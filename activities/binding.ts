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

/** Short database activities of bindings and their incidents. */
export type BindingActivities = ReturnType<typeof createBindingActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createBindingActivities(deps: BindingDeps) {
  return {
    /**
     * Evaluates the bindings of a connection, or all of them, in one transaction. A second call
     * finds the states of the first and does nothing again.
     */
    evaluateBindings: (input: EvaluationScope) => evaluateBindings(deps, input),

    /** Status of an incident and how long its snooze lasts; a read. */
    readIncidentState: ({ incidentId }: { incidentId: number }) =>
      readIncidentState(deps.db, incidentId),

    /**
     * Applies the move that an operator requested with an update. `refusal` contains the reason if
     * it was rejected. A second call finds it done.
     */
    moveIncident: (input: RequestedMove) => moveIncident(deps, input),

    /** The same for a signal. A second call finds it done. */
    settleIncident: (input: IntendedMove) => carryOutIntent(deps, input),

    /** Notifies staff of an incident that was not handled. A second call finds it done. */
    escalateIncident: ({ incidentId }: { incidentId: number }) =>
      escalateIncident(deps.db, incidentId),

    /**
     * Opens an incident again whose snooze is over. A second call finds it open and changes
     * nothing.
     */
    reopenIncident: ({ incidentId }: { incidentId: number }) => reopenIncident(deps.db, incidentId),
  };
}
