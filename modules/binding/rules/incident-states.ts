import type { BindingEffect } from './binding-states.ts';

export const INCIDENT_TYPES = ['ITEM_MISSING', 'NAME_CHANGED', 'POSSIBLE_REPLACEMENT'] as const;
export type IncidentType = (typeof INCIDENT_TYPES)[number];

export const INCIDENT_SEVERITIES = ['CRITICAL', 'INFO'] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

/** Rules BND-9, BND-11, BND-13. */
export const SEVERITY_OF: Readonly<Record<IncidentType, IncidentSeverity>> = {
  ITEM_MISSING: 'CRITICAL',
  NAME_CHANGED: 'INFO',
  POSSIBLE_REPLACEMENT: 'INFO',
};

/** Incidents closed when the item returns. A changed name is left to staff. */
export const ENDED_BY_RETURN: readonly IncidentType[] = ['ITEM_MISSING', 'POSSIBLE_REPLACEMENT'];

export const INCIDENT_OF = {
  OPEN_ITEM_MISSING: 'ITEM_MISSING',
  OPEN_NAME_CHANGED: 'NAME_CHANGED',
  OFFER_REPLACEMENT: 'POSSIBLE_REPLACEMENT',
} as const satisfies Partial<Record<BindingEffect, IncidentType>>;

export const INCIDENT_STATUSES = ['OPEN', 'SNOOZED', 'CLOSED'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const INCIDENT_RESOLUTIONS = [
  'DISMISSED',
  'REBOUND',
  'ITEM_RETURNED',
  'VARIANT_REMOVED',
] as const;

export type IncidentResolution = (typeof INCIDENT_RESOLUTIONS)[number];

/** Moves of an incident (BND-15). */
export const INCIDENT_MOVES = {
  dismiss: { from: ['OPEN', 'SNOOZED'], to: 'CLOSED', resolution: 'DISMISSED' },
  snooze: { from: ['OPEN', 'SNOOZED'], to: 'SNOOZED', resolution: null },
  reopen: { from: ['SNOOZED'], to: 'OPEN', resolution: null },
  rebind: { from: ['OPEN', 'SNOOZED'], to: 'CLOSED', resolution: 'REBOUND' },
  itemReturns: { from: ['OPEN', 'SNOOZED'], to: 'CLOSED', resolution: 'ITEM_RETURNED' },
  removeVariant: { from: ['OPEN', 'SNOOZED'], to: 'CLOSED', resolution: 'VARIANT_REMOVED' },
} as const satisfies Record<
  string,
  { from: readonly IncidentStatus[]; to: IncidentStatus; resolution: IncidentResolution | null }
>;

export type IncidentMove = keyof typeof INCIDENT_MOVES;

/** A variant has at most one such incident of each type. */
export const UNSETTLED = INCIDENT_STATUSES.filter((status) => status !== 'CLOSED');

/** `already`: closed by the same move. The end of a snooze can always be changed. */
export function decideIncidentMove(
  incident: { status: IncidentStatus; resolution: IncidentResolution | null },
  move: IncidentMove,
): 'moves' | 'already' | 'refused' {
  const { from, resolution } = INCIDENT_MOVES[move];
  if ((from as readonly IncidentStatus[]).includes(incident.status)) return 'moves';
  return resolution !== null && incident.resolution === resolution ? 'already' : 'refused';
}

/** The ERP can delete the dish, or only the bound size. */
export const LOST_PARTS = ['ITEM', 'SIZE'] as const;
export type LostPart = (typeof LOST_PARTS)[number];
