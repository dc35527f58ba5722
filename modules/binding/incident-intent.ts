import type { IncidentChange, IncidentIntent, IncidentOutcome } from './messages/binding.ts';
import { Problem } from '../../kernel/problem.ts';
import { answerOperator, temporalActor } from '../../kernel/answer-operator.ts';
import type { Answer } from '../../kernel/pure/rejection.ts';
import type { CatalogDeps } from '../catalog/commit-edit.ts';
import type { Incident } from './schemas/binding.ts';
import {
  operatorMoveErrors,
  type OperatorMove,
  type OperatorMoveInput,
} from './rules/operator-moves.ts';
import { dismissIncident, rebindIncident, snoozeIncident } from './settle-incident.ts';

export type RequestedMove = { incidentId: number; move: OperatorMove; input: OperatorMoveInput };

/** Requested by a signal. The payload is not validated yet. */
export type IntendedMove = { incidentId: number; change: IncidentChange; intent: IncidentIntent };

const MOVES: Partial<Record<IncidentChange, OperatorMove>> = {
  dismissed: 'dismiss',
  snoozed: 'snooze',
};

/**
 * Applies an operator's move like the API (BND-21). Does nothing in the requested state. Returns an
 * error for an invalid or impossible move.
 */
export function moveIncident(
  deps: CatalogDeps,
  { incidentId, move, input }: RequestedMove,
): Promise<Answer<IncidentOutcome>> {
  return answerOperator(async () => {
    const errors = operatorMoveErrors(move, input, Date.now());
    if (errors.length > 0) throw new Problem('validation', { errors });
    const { status, resolution, snoozedUntil } = await (COMMANDS[move] as Command)(
      deps,
      incidentId,
      input as never,
    );

    return {
      status,
      resolution,
      snoozedUntil: snoozedUntil === null ? null : new Date(snoozedUntil).toISOString(),
    };
  });
}

export function carryOutIntent(
  deps: CatalogDeps,
  { incidentId, change, intent }: IntendedMove,
): Promise<Answer<IncidentOutcome>> {
  const move = MOVES[change];
  if (move !== undefined) return moveIncident(deps, { incidentId, move, input: intent });

  return answerOperator(() => {
    throw new Problem('validation', {
      detail: `The signal ${change} cannot request a change. Use dismissed or snoozed, or an update.`,
    });
  });
}

type Command = (deps: CatalogDeps, incidentId: number, input: never) => Promise<Incident>;

const COMMANDS = {
  dismiss: (deps, id, { by, note }: OperatorMoveInput<'dismiss'>) =>
    dismissIncident(deps, temporalActor(by), id, { note }),
  snooze: (deps, id, { by, note, until }: OperatorMoveInput<'snooze'>) =>
    snoozeIncident(deps, temporalActor(by), id, { note: note.trim(), until }),
  rebind: (deps, id, { by, note, erpItemSizeId }: OperatorMoveInput<'rebind'>) =>
    rebindIncident(deps, temporalActor(by), id, { reason: note, erpItemSizeId }),
} as const satisfies Record<OperatorMove, Command>;
