import {
  MENU_IMPORTED,
  type BindingEvaluationInput,
  type IncidentChange,
  type IncidentInput,
} from '../../contracts/messages/binding.ts';
import { workflowIds } from '../../contracts/ids.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import type { EventDeps } from './event-deps.ts';

type Deps = Pick<EventDeps, 'temporal' | 'queues'>;

/** Starts the evaluation of bindings, or has the one that waits for a grace window look now. A hint: it reads every variant. */
export async function wakeBindingEvaluation({ temporal, queues }: Deps, runId: number | null): Promise<void> {
  const input: BindingEvaluationInput = {};
  await temporal.workflow.signalWithStart('bindingEvaluation', {
    workflowId: workflowIds.bindingEvaluation(),
    taskQueue: queues.workflows,
    args: [input],
    signal: MENU_IMPORTED,
    signalArgs: [runId],
    typedSearchAttributes: searchAttributes({ CarteCapability: 'binding', CarteTrigger: 'EVENT' }),
  });
}

/** Tells the workflow of an incident that its row has changed; starts it when there is none. A hint: it reads the row. */
export async function signalIncident(
  { temporal, queues }: Deps,
  incidentId: number,
  change: IncidentChange,
): Promise<void> {
  const input: IncidentInput = { incidentId };
  await temporal.workflow.signalWithStart('incident', {
    workflowId: workflowIds.incident(incidentId),
    taskQueue: queues.workflows,
    args: [input],
    signal: change,
    typedSearchAttributes: searchAttributes({ CarteCapability: 'binding', CarteTrigger: 'EVENT' }),
  });
}
