import type { Proofs } from './mutation.ts';

/** Evaluations of bindings, incidents, variants and rebinding. */
export const BINDING: Proofs = {
  'test/integration/binding/at-once.test.ts': {
    'app/binding/evaluate-bindings.ts evaluateBindings detach takeTurn': 'evaluations at once take turns',
    'app/binding/rebind-variant.ts rebindVariant drop holdEvaluations()': 'a rebind during an evaluation is not undone',
    'app/binding/evaluation-facts.ts holdEvaluations drop on conflict': 'a rebind during an evaluation is not undone',
    'app/binding/judge-bindings.ts judgeBindings drop lost.filter': 'is not missed when its import has committed',
    'app/binding/evaluation-facts.ts holdDeletedItems drop .skipLocked':
      'is not missed while its import has not committed',
    'app/binding/evaluate-bindings.ts lockProducts drop .forUpdate':
      'an evaluation and staff who move its products do not deadlock',
    'app/edits.ts holdForEdit drop lockMode:': 'a dismissal that loses against the return of the item is refused',
    'app/binding/rebind-variant.ts lockVariant drop .forUpdate':
      'a rebind learns of a publication that commits just before it',
    'app/catalog/add-variant.ts addVariant drop deps.variantWatch.holdEvaluations()':
      'a variant that is added hides no product that has it',
    'app/catalog/remove-variant.ts removeVariant drop deps.variantWatch.holdEvaluations()':
      'a variant that is removed leaves no open incident',
  },
  'test/integration/binding/state-table.test.ts': {
    'app/binding/evaluation-facts.ts takeTurn drop do update': 'beyond two further imports becomes MISSING',
    'app/binding/incident-rows.ts openIncidents true xmax =': 'under another name opens NAME_CHANGED once',
  },
  'test/integration/catalog/variants-at-once.test.ts': {
    'app/edits.ts holdForEdit drop lockMode:': 'of two new defaults at once the later one is the default',
    'app/edits.ts requireVersion false seen #2': 'of parallel edits with one version one is done',
    'app/catalog/remove-variant.ts removeVariant drop refuseToEmpty()':
      'a product that is published while its last variant is removed keeps it',
  },
};
