import { INCIDENT_TYPES } from './rules/incident-states.ts';
import type { VariantWatch } from '../catalog/variant-deps.ts';
import { rememberPrevious } from './binding-history.ts';
import { holdEvaluations } from './evaluation-facts.ts';
import { closeIncidents, keepOptionName } from './incident-rows.ts';

/** What bindings do when variants come and go: evaluations wait, and a removed variant leaves its history and no open incident. */
export const BINDING_WATCH: VariantWatch = {
  holdEvaluations,
  async beforeRemoval(tx, { id, optionName, userId }) {
    await rememberPrevious(tx, id, userId);
    await keepOptionName(tx, id, optionName);
    await closeIncidents(tx, 'removeVariant', [id], INCIDENT_TYPES, userId);
  },
};
