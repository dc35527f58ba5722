import type { Proofs } from './mutation.ts';

export const BINDING: Proofs = {
  'test/integration/binding/at-once.test.ts': {
    'modules/binding/evaluate-bindings.ts evaluateBindings detach takeTurn':
      'parallel evaluations take turns: every loss is written, audited and reported once',
    'modules/binding/rebind-variant.ts rebindVariant drop holdEvaluations()':
      'a rebind during an evaluation is not undone',
    'modules/binding/evaluation-facts.ts holdEvaluations drop on conflict':
      'a rebind during an evaluation is not undone',
    'modules/binding/judge-bindings.ts judgeBindings drop lost.filter': 'is not missed when its import has committed',
    'modules/binding/evaluation-facts.ts holdDeletedItems drop .skipLocked':
      'a size of an uncommitted import is not missing, and the evaluation does not wait for it',
    'modules/binding/evaluation-facts.ts holdDeletedSizes drop .skipLocked':
      'a size of an uncommitted import is not missing, and the evaluation does not wait for it',
    'modules/binding/evaluate-bindings.ts lockProducts drop .forUpdate':
      'an evaluation and staff who move its products do not deadlock',
    'kernel/edits.ts holdForEdit drop lockMode:': 'a dismissal that loses against the return of the item is rejected',
    'modules/binding/rebind-variant.ts lockVariant drop .forUpdate':
      'a rebind includes a publication that commits just before it',
    'modules/catalog/variants/add-variant.ts addVariant drop deps.variantWatch.holdEvaluations()':
      'a variant that is added hides no product that has it',
    'modules/catalog/variants/remove-variant.ts removeVariant drop deps.variantWatch.holdEvaluations()':
      'a variant that is removed leaves no open incident',
  },
  'test/integration/binding/state-table.test.ts': {
    'modules/binding/evaluation-facts.ts takeTurn drop do update':
      'at the second import it is MISSING and CRITICAL, and returns with ITEM_RETURNED',
    'modules/binding/incident-rows.ts openIncidents true xmax =': 'under another name opens NAME_CHANGED once',
  },
  'test/integration/catalog/variants-at-once.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:': 'the later of two concurrent new defaults is the default',
    'kernel/edits.ts requireVersion false seen #2': 'of parallel edits with one version one is done',
    'modules/catalog/variants/remove-variant.ts removeVariant drop refuseToEmpty()':
      'a product that is published while its last variant is removed keeps it',
  },
};
