import type { IncidentChange, IncidentIntent } from './messages/binding.ts';
import { isProblem, Problem } from '../../kernel/problem.ts';
import { systemActor, type Actor } from '../../kernel/actor.ts';
import type { CatalogDeps } from '../catalog/commit-edit.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { dismissIncident, snoozeIncident } from './settle-incident.ts';

export type IntendedMove = { incidentId: number; change: IncidentChange; intent: IncidentIntent };

/** Characters: of a name in the audit, and of the reason. */
const LIMITS = { by: 100, note: 1_000 };

/**
 * Applies a change that an operator requested with a signal, like the command of the API, in the
 * name from the signal (rule BND-21). Never throws for an invalid request: `refusal` is a sentence
 * for people.
 */
export async function carryOutIntent(
  deps: CatalogDeps,
  { incidentId, change, intent }: IntendedMove,
): Promise<{ refusal: string | null }> {
  try {
    // The payload of a signal is unvalidated: values that are not texts are ignored.
    const given = Object(intent) as Record<keyof IncidentIntent, unknown>;
    const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
    const { by, note } = requiredTexts({ by: textOf(given.by), note: textOf(given.note) }, LIMITS, 'words');
    await move(deps, systemActor(`Temporal: ${by}`), { incidentId, change, note, until: textOf(given.until) });
    return { refusal: null };
  } catch (error) {
    if (!isProblem(error)) throw error;
    const { detail, errors = [] } = error.details;
    return {
      refusal: [detail, ...errors.map(({ field, message }) => `${field}: ${message}.`)].filter(Boolean).join(' '),
    };
  }
}

type Wanted = { incidentId: number; change: IncidentChange; note: string; until: string };

async function move(deps: CatalogDeps, actor: Actor, { incidentId, change, note, until }: Wanted): Promise<void> {
  if (change === 'dismissed') await dismissIncident(deps, actor, incidentId, { note });
  else if (change === 'snoozed') await snoozeIncident(deps, actor, incidentId, { until, note });
  else
    throw new Problem('validation', {
      detail: `The change ${change} cannot be requested. Use dismissed or snoozed.`,
    });
}
