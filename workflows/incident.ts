import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import {
  INCIDENT_CHANGES,
  incidentSignal,
  incidentState,
  type IncidentChange,
  type IncidentInput,
  type IncidentStanding,
  type IncidentIntent,
} from '../modules/binding/messages/binding.ts';
import { bindingActivities } from './support/activity-sets.ts';

const LOOKS_PER_RUN = 500;

/**
 * Tracks one incident from its opening to its end: waits for changes by staff or an import, opens
 * it again after its snooze, and notifies staff again if a critical one is not handled.
 * Replacements are searched by the evaluation after every import. Signals are hints: the row
 * decides, so a lost or repeated one changes nothing.
 */
export async function incident(input: IncidentInput): Promise<void> {
  const { incidentId, looksPerRun = LOOKS_PER_RUN } = input;
  const process = incidentProcess(input);

  for (let looks = 1; ; looks += 1) {
    const { status, snoozeEndsInMs, escalatesInMs } = await process.look();
    // No await between this check and the return: a signal after it makes the server reject the
    // completion.
    if (status === 'CLOSED' && !process.hasNews()) return;
    const isLong = looks >= looksPerRun || workflowInfo().continueAsNewSuggested;
    if (isLong && !process.hasNews()) await continueAsNew<typeof incident>(input);
    if (status === 'OPEN' && escalatesInMs === null) await condition(process.hasNews);
    else if (
      status === 'OPEN' &&
      !(await process.hasNewsWithin(escalatesInMs, 'Until administrators are notified again'))
    )
      await bindingActivities().escalateIncident({ incidentId });
    if (status === 'SNOOZED' && !(await process.hasNewsWithin(snoozeEndsInMs, 'Snooze')))
      await bindingActivities().reopenIncident({ incidentId });
  }
}

/** Checks of one execution. Changes that were requested in Temporal's UI are applied first. */
function incidentProcess({ incidentId }: IncidentInput) {
  let standing: IncidentStanding | null = null;
  let changes = 0;
  let seen = 0;
  let refusal: string | null = null;
  const intents: { change: IncidentChange; intent: IncidentIntent }[] = [];
  setHandler(incidentState, () => standing);
  for (const change of INCIDENT_CHANGES)
    setHandler(incidentSignal(change), (intent) => {
      changes += 1;
      if (intent !== undefined) intents.push({ change, intent });
    });

  const hasNews = () => changes !== seen;
  return {
    hasNews,
    /** False when that time is over without news. */
    hasNewsWithin: (ms: number | null, summary: string) => condition(hasNews, Math.max(1, ms ?? 1), { summary }),
    async look(): Promise<IncidentStanding> {
      seen = changes;
      for (const { change, intent } of intents.splice(0))
        ({ refusal } = await bindingActivities().settleIncident({ incidentId, change, intent }));
      standing = await bindingActivities().readIncidentState({ incidentId });
      setCurrentDetails(inWords(standing, refusal));
      return standing;
    },
  };
}

const STATUSES: Readonly<Record<IncidentStanding['status'], string>> = {
  OPEN: 'Open: it waits for staff, or for the return of its dish.',
  SNOOZED: 'Snoozed: it opens again at its time.',
  CLOSED: 'Closed.',
};

const inWords = ({ status, type, severity, isEscalated }: IncidentStanding, refusal: string | null): string =>
  [
    STATUSES[status],
    ...(type === null ? [] : [`${type}, ${severity}`]),
    ...(isEscalated ? ['It was not handled in time: administrators were notified again.'] : []),
    ...(refusal === null ? [] : [`The last requested change was rejected: ${refusal}`]),
  ].join('\n\n');
