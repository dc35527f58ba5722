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
  /** Missing in inputs of earlier releases. Then all bindings are evaluated. */
  connectionId?: number;
  /** Rounds before continue-as-new (default 500). */
  roundsPerRun?: number;
};

/** Evaluates bindings to the menus of a connection after an import. */
export const bindingEvaluationWorkflow = defineWorkflow<BindingEvaluationInput>()({
  type: 'bindingEvaluation',
  versioning: 'AUTO_UPGRADE',
  id: ({ connectionId }: { connectionId: number }) => `binding-evaluation/${connectionId}`,
});

/** A hint with the import's id. The evaluation reads the rows. */
export const menuImported = defineSignal<[number | null]>('menuImported');

export type IncidentInput = {
  incidentId: number;
  /** Reads before continue-as-new (default 500). */
  looksPerRun?: number;
};

/** Follows one incident until it is closed. */
export const incidentWorkflow = defineWorkflow<IncidentInput>()({
  type: 'incident',
  versioning: 'AUTO_UPGRADE',
  id: ({ incidentId }: { incidentId: number }) => `incident/${incidentId}`,
});

/** Signals to an incident. They are hints: the workflow reads the row. */
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
 * A decision that an operator sends as `dismissed` or `snoozed`, for example in Temporal's UI.
 * Validated like a request.
 */
export type IncidentIntent = { by: string; note: string; until?: string };

/** Creates a signal, which is only a hint without an intent (BND-21). */
export const incidentSignal = (change: IncidentChange) => defineSignal<[IncidentIntent?]>(change);

export type IncidentOutcome = {
  status: IncidentStatus;
  resolution: IncidentResolution | null;
  /** ISO 8601. */
  snoozedUntil: string | null;
};

/** Returns the update for `dismiss`, `snooze` or `rebind`. */
export const incidentUpdate = <const Move extends OperatorMove>(move: Move) =>
  defineUpdate<IncidentOutcome, [OperatorMoveInput<Move>]>(move);

export type IncidentStanding = {
  status: IncidentStatus;
  /** Null for an open incident. Missing in earlier releases. */
  resolution?: IncidentResolution | null;
  snoozeEndsInMs: number | null;
  /** Null if the incident does not exist. */
  type: IncidentType | null;
  severity: IncidentSeverity | null;
  /** Time until administrators are notified; null if never, or done. */
  escalatesInMs: number | null;
  isEscalated: boolean;
};

/** Null until the incident was read. */
export const incidentState = defineQuery<IncidentStanding | null>('state');
