import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type {
  IncidentResolution,
  IncidentSeverity,
  IncidentStatus,
  IncidentType,
} from '../rules/incident-states.ts';
import type { OperatorMove, OperatorMoveInput } from '../rules/operator-moves.ts';

export type BindingEvaluationInput = {
  /** Executions of earlier releases have none: they evaluate all bindings. */
  connectionId?: number;
  /** Rounds before continue-as-new, default 500. */
  roundsPerRun?: number;
};

/** Evaluates the bindings to the menus of a connection after an import. */
export const bindingEvaluationWorkflow = defineWorkflow<BindingEvaluationInput>()({
  type: 'bindingEvaluation',
  versioning: 'AUTO_UPGRADE',
  id: ({ connectionId }: { connectionId: number }) => `binding-evaluation/${connectionId}`,
});

/** A menu was imported (run id). A hint: the evaluation reads the rows. */
export const menuImported = defineSignal<[number | null]>('menuImported');

export type IncidentInput = {
  incidentId: number;
  /** Checks of the row before continue-as-new, default 500. */
  looksPerRun?: number;
};

/** Follows one incident until it is closed. */
export const incidentWorkflow = defineWorkflow<IncidentInput>()({
  type: 'incident',
  versioning: 'AUTO_UPGRADE',
  id: ({ incidentId }: { incidentId: number }) => `incident/${incidentId}`,
});

/** Events of an incident, each a signal. Hints: the workflow reads the row. */
export const INCIDENT_CHANGES = [
  'opened',
  'dismissed',
  'snoozed',
  'rebound',
  'itemReturned',
  'variantRemoved',
] as const;
export type IncidentChange = (typeof INCIDENT_CHANGES)[number];

/**
 * A decision that an operator sends as `dismissed` or `snoozed`, for example in Temporal's UI:
 * user, reason, end of the snooze. Validated like a request.
 */
export type IncidentIntent = { by: string; note: string; until?: string };

/**
 * Returns the signal of a change. With an intent the workflow applies it (BND-21), otherwise it is
 * a hint.
 */
export const incidentSignal = (change: IncidentChange) => defineSignal<[IncidentIntent?]>(change);

export type IncidentOutcome = {
  status: IncidentStatus;
  resolution: IncidentResolution | null;
  /** ISO 8601. */
  snoozedUntil: string | null;
};

/** Returns the update that applies an operator's move: `dismiss`, `snooze` or `rebind`. */
export const incidentUpdate = <const Move extends OperatorMove>(move: Move) =>
  defineUpdate<IncidentOutcome, [OperatorMoveInput<Move>]>(move);

/** State of an incident. `snoozeEndsInMs` and `escalatesInMs` in milliseconds. */
export type IncidentStanding = {
  status: IncidentStatus;
  /** Null for an open incident; missing in results of earlier releases. */
  resolution?: IncidentResolution | null;
  snoozeEndsInMs: number | null;
  /** Null for an incident that does not exist. */
  type: IncidentType | null;
  severity: IncidentSeverity | null;
  /** Time until administrators are notified of an unattended incident; null if never, or done. */
  escalatesInMs: number | null;
  isEscalated: boolean;
};

/** The incident at the workflow's last read, null before the first one. */
export const incidentState = defineQuery<IncidentStanding | null>('state');
