import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  INCIDENT_CHANGES,
  incidentSignal,
  incidentState,
  incidentUpdate,
  type IncidentChange,
  type IncidentInput,
  type IncidentStanding,
  type IncidentIntent,
} from '../modules/binding/messages/binding.ts';
import { decideIncidentMove } from '../modules/binding/rules/incident-states.ts';
import {
  closedSentence,
  OPERATOR_MOVES,
  operatorMoveErrors,
  type OperatorMove,
  type OperatorMoveInput,
} from '../modules/binding/rules/operator-moves.ts';
import { bindingActivities } from './support/activity-sets.ts';
import { executionDetails } from './support/details.ts';
import { rejection, rejectInvalid, unwrapResult } from './support/updates.ts';

const LOOKS_PER_RUN = 500;

/**
 * Waits for changes, reopens the incident after a snooze, and notifies staff again of an unattended
 * critical incident. The row contains the state, signals are hints, and operators send updates
 * (BND-21).
 */
export async function incident(input: IncidentInput): Promise<void> {
  const { incidentId, looksPerRun = LOOKS_PER_RUN } = input;
  const process = incidentProcess(input);

  for (let looks = 1; ; looks += 1) {
    const { status, snoozeEndsInMs, escalatesInMs } = await process.look();
    // No await before the return: the server rejects a completion after a new signal.
    if (status === 'CLOSED' && process.isIdle()) return;
    const isLong = looks >= looksPerRun || workflowInfo().continueAsNewSuggested;
    if (isLong && process.isIdle()) await continueAsNew<typeof incident>(input);
    // A running update counts as a change when it ends.
    if (status === 'CLOSED' || (status === 'OPEN' && escalatesInMs === null))
      await condition(process.hasNews);
    else if (
      status === 'OPEN' &&
      !(await process.hasNewsWithin(escalatesInMs, 'Until administrators are notified again'))
    )
      await bindingActivities().escalateIncident({ incidentId });

    if (status === 'SNOOZED' && !(await process.hasNewsWithin(snoozeEndsInMs, 'Snooze')))
      await bindingActivities().reopenIncident({ incidentId });
  }
}

/** Applies changes requested in Temporal's UI first. */
function incidentProcess({ incidentId }: IncidentInput) {
  let standing: IncidentStanding | null = null;
  let changes = 0;
  let seen = 0;
  const details = executionDetails();
  const intents: { change: IncidentChange; intent: IncidentIntent }[] = [];
  setHandler(incidentState, () => standing);

  for (const change of INCIDENT_CHANGES)
    setHandler(incidentSignal(change), (intent) => {
      changes += 1;
      if (intent !== undefined) intents.push({ change, intent });
    });

  for (const move of Object.keys(OPERATOR_MOVES) as OperatorMove[])
    setHandler(incidentUpdate(move), (input) => apply(move, input), {
      validator: (input) => validate(move, input),
      description: DESCRIPTIONS[move],
    });

  details.rejectUnknownSignals();

  function validate(move: OperatorMove, input: unknown): void {
    rejectInvalid(operatorMoveErrors(move, input, Date.now()));
    if (standing === null) return;
    const { status, resolution = null } = standing;
    if (decideIncidentMove({ status, resolution }, move) === 'refused')
      throw rejection({ refusal: closedSentence(resolution), kind: 'invalid-transition' });
  }

  async function apply(move: OperatorMove, input: OperatorMoveInput) {
    try {
      const result = unwrapResult(
        await bindingActivities().moveIncident({ incidentId, move, input }),
      );
      details.accept();
      return result;
    } finally {
      changes += 1;
    }
  }

  const hasNews = () => changes !== seen;

  return {
    hasNews,
    /** No news and no running update. */
    isIdle: () => !hasNews() && allHandlersFinished(),
    /** Returns false if the time passes without a change. */
    hasNewsWithin: (ms: number | null, summary: string) =>
      condition(hasNews, Math.max(1, ms ?? 1), { summary }),
    async look(): Promise<IncidentStanding> {
      seen = changes;

      for (const { change, intent } of intents.splice(0)) {
        const { refusal } = await bindingActivities().settleIncident({
          incidentId,
          change,
          intent,
        });

        if (refusal === null) details.accept();
        else details.reject(change, `The last requested change was rejected: ${refusal}`);
      }

      standing = await bindingActivities().readIncidentState({ incidentId });
      details.show(inWords(standing));

      return standing;
    },
  };
}

const DESCRIPTIONS: Readonly<Record<OperatorMove, string>> = {
  dismiss: 'Closes the incident. Input: {"by": "Anna", "note": "No longer on the menu"}',
  snooze:
    'Opens the incident again at that time. Input: {"by": "Anna", "note": "Delivery on Friday", "until": "2026-12-01T12:00:00Z"}',
  rebind:
    'Binds the variant to another size and closes the incident. Input: {"by": "Anna", "note": "New card in the ERP", "erpItemSizeId": 17}',
};

const STATUSES: Readonly<Record<IncidentStanding['status'], string>> = {
  OPEN: 'Open: it waits for staff, or for the return of its dish.',
  SNOOZED: 'Snoozed: it opens again at its time.',
  CLOSED: 'Closed.',
};

const inWords = ({ status, type, severity, isEscalated }: IncidentStanding): string =>
  [
    STATUSES[status],
    ...(type === null ? [] : [`${type}, ${severity}`]),
    ...(isEscalated ? ['It was not handled in time: administrators were notified again.'] : []),
  ].join('\n\n');
