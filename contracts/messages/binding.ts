import { defineSignal } from '@temporalio/workflow';

/** Input of bindingEvaluation; durations in milliseconds. */
export type BindingEvaluationInput = {
  /** Rounds after which the history starts anew; 500 when absent. */
  roundsPerRun?: number;
};

/** A menu was imported, with the id of its run. A hint: the evaluation reads every variant. */
export const menuImported = defineSignal<[number | null]>('menuImported');

/** Input of incident. Everything else is in the row. */
export type IncidentInput = { incidentId: number };

/** What may have happened to an incident; each is a signal of its workflow. Hints: the workflow reads the row. */
export const INCIDENT_CHANGES = [
  'opened',
  'dismissed',
  'snoozed',
  'rebound',
  'itemReturned',
  'variantRemoved',
] as const;
export type IncidentChange = (typeof INCIDENT_CHANGES)[number];

/** The signal of each change. */
export const incidentSignal = (change: IncidentChange) => defineSignal(change);
