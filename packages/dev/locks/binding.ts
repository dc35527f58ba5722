import type { Proofs } from './mutation.ts';

export const BINDING: Proofs = {
  'test/integration/binding/at-once.test.ts': {
    'modules/binding/evaluate-bindings.ts evaluateBindings detach takeTurn':
      'parallel evaluations take turns, so every loss is written, audited and reported once',
    'modules/binding/rebind-variant.ts rebindVariant drop holdEvaluations()':
      'an evaluation does not undo a concurrent rebind',
    'modules/binding/evaluation-facts.ts holdEvaluations drop on conflict':
      'an evaluation does not undo a concurrent rebind',
    'modules/binding/judge-bindings.ts judgeBindings drop lost.filter':
      'stays bound if its import has committed',
    'modules/binding/evaluation-facts.ts holdDeletedItems drop .skipLocked':
      'a size of an uncommitted import is not missing, and the evaluation does not wait for it',
    'modules/binding/evaluation-facts.ts holdDeletedSizes drop .skipLocked':
      'a size of an uncommitted import is not missing, and the evaluation does not wait for it',
    'modules/binding/evaluate-bindings.ts lockProducts drop .forUpdate':
      'an evaluation and a concurrent move of its products by staff do not deadlock',
    'kernel/edits.ts holdForEdit drop lockMode:':
      'a dismissal after the return of the item is rejected and changes nothing',
    'modules/binding/rebind-variant.ts lockVariant drop .forUpdate':
      'a rebind detects a publication that commits just before it',
    'modules/catalog/variants/add-variant.ts addVariant drop deps.variantWatch.holdEvaluations()':
      'adds a variant without hiding a product that has it',
    'modules/catalog/variants/remove-variant.ts removeVariant drop deps.variantWatch.holdEvaluations()':
      'removes a variant and leaves no open incident',
  },
  'test/integration/binding/state-table.test.ts': {
    'modules/binding/evaluation-facts.ts takeTurn drop do update':
      'becomes MISSING and CRITICAL at the second import, and returns with ITEM_RETURNED',
    'modules/binding/incident-rows.ts openIncidents true xmax =':
      'under another name opens NAME_CHANGED once',
  },
  'test/integration/catalog/variants-at-once.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:':
      'the later of two concurrent new defaults is the default',
    'kernel/edits.ts requireVersion false seen #2':
      'one of several parallel edits with one version succeeds',
    'modules/catalog/variants/remove-variant.ts removeVariant drop refuseToEmpty()':
      'a product keeps its last variant if it is published while the variant is removed',
  },
};
