import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { IncidentResolution, IncidentSeverity, IncidentStatus, IncidentType } from '../rules/incident-states.ts';
import type { OperatorMove, OperatorMoveInput } from '../rules/operator-moves.ts';

/** Input of bindingEvaluation. */
export type BindingEvaluationInput = {
  /** Executions of earlier releases have none: they evaluate all bindings. */
  connectionId?: number;
  /** Rounds after which the execution continues as new; 500 if absent. */
  roundsPerRun?: number;
};

/** Evaluates the bindings to the menus of a connection after an import. */
export const bindingEvaluationWorkflow = defineWorkflow<BindingEvaluationInput>()({
  type: 'bindingEvaluation',
  versioning: 'AUTO_UPGRADE',
  id: ({ connectionId }: { connectionId: number }) => `binding-evaluation/${connectionId}`,
});

/** A menu was imported, with the id of its run. A hint: the evaluation reads the rows. */
export const menuImported = defineSignal<[number | null]>('menuImported');

/** Input of incident. Everything else is in the row. */
export type IncidentInput = {
  incidentId: number;
  /** Checks of the row after which the execution continues as new; 500 if absent. */
  looksPerRun?: number;
};

/** Accompanies one incident until it is closed. */
export const incidentWorkflow = defineWorkflow<IncidentInput>()({
  type: 'incident',
  versioning: 'AUTO_UPGRADE',
  id: ({ incidentId }: { incidentId: number }) => `incident/${incidentId}`,
});

/**
 * The events of an incident; each is a signal of its workflow. Hints: the workflow
 * reads the row.
 */
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
 * A decision that an operator sends manually as `dismissed` or `snoozed`, for example from
 * Temporal's UI: the user, the reason, and the end of the snooze. The payload is validated like a
 * request.
 */
export type IncidentIntent = { by: string; note: string; until?: string };

/**
 * The signal of each change. With an intent it is no hint: the workflow carries it out (rule
 * BND-21).
 */
export const incidentSignal = (change: IncidentChange) => defineSignal<[IncidentIntent?]>(change);

/** The result of an operator's move: words and a moment only. */
export type IncidentOutcome = {
  status: IncidentStatus;
  resolution: IncidentResolution | null;
  /** ISO text. */
  snoozedUntil: string | null;
};

/** The update of an incident that applies an operator's move: `dismiss`, `snooze` or `rebind`. */
export const incidentUpdate = <const Move extends OperatorMove>(move: Move) =>
  defineUpdate<IncidentOutcome, [OperatorMoveInput<Move>]>(move);

/** The state of an incident; `snoozeEndsInMs` and `escalatesInMs` in milliseconds. */
export type IncidentStanding = {
  status: IncidentStatus;
  /** Null for an open incident; absent in results of earlier releases. */
  resolution?: IncidentResolution | null;
  snoozeEndsInMs: number | null;
  /** Null for an incident that does not exist. */
  type: IncidentType | null;
  severity: IncidentSeverity | null;
  /**
   * The time until administrators are notified that the incident is unattended; null when they are
   * not, or were.
   */
  escalatesInMs: number | null;
  isEscalated: boolean;
};

/** The incident at the workflow's last read of it; null before the first one. */
export const incidentState = defineQuery<IncidentStanding | null>('state');
