import { condition, setHandler } from '@temporalio/workflow';
import { INCIDENT_CHANGES, incidentSignal, type IncidentInput } from '../contracts/messages/binding.ts';
import { bindingActivities } from './activity-sets.ts';

/**
 * Accompanies one incident from its opening to its end: waits for what staff or an import does to it, and opens it again when its
 * snooze is over. Replacements are searched by the evaluation after every import. Signals are hints: the row decides, so a lost
 * or repeated one changes nothing.
 */
export async function incident({ incidentId }: IncidentInput): Promise<void> {
  let changes = 0;
  for (const change of INCIDENT_CHANGES) setHandler(incidentSignal(change), () => void (changes += 1));
  const { readIncidentState, reopenIncident } = bindingActivities();

  for (;;) {
    const seen = changes;
    const { status, snoozeEndsInMs } = await readIncidentState({ incidentId });
    // No await between this check and the return: a signal after it makes the server refuse the completion.
    if (status === 'CLOSED' && changes === seen) return;
    if (status === 'OPEN') await condition(() => changes !== seen);
    if (status === 'SNOOZED' && !(await condition(() => changes !== seen, Math.max(1, snoozeEndsInMs ?? 1))))
      await reopenIncident({ incidentId });
  }
}
