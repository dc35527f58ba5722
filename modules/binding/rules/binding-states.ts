import type { BindingState } from '../../catalog/rules/states.ts';
import { graceHasPassed, type Absence, type Grace } from './grace.ts';

export type BindingCondition =
  | 'ITEM_LIVE'
  | 'NAME_CHANGED'
  | 'WITHIN_GRACE'
  | 'GRACE_PASSED'
  | 'CANDIDATES_FOUND'
  /** No variant of the product is OK. */
  | 'NO_LIVE_VARIANT';

export type BindingEffect =
  | 'REFRESH_LAST_SEEN'
  | 'CLOSE_AS_RETURNED'
  | 'OPEN_NAME_CHANGED'
  | 'OPEN_ITEM_MISSING'
  | 'OFFER_REPLACEMENT'
  | 'UNPUBLISH';

/**
 * The state table of a binding (BND-8 to BND-13). Rows apply from top to bottom, each to the state
 * that the previous rows left. The row for a return must precede the row for a live item, which
 * leads to OK from both states.
 */
export const BINDING_RULES = [
  { from: ['MISSING'], when: 'ITEM_LIVE', to: 'OK', effects: ['CLOSE_AS_RETURNED'] },
  { from: ['OK', 'MISSING'], when: 'ITEM_LIVE', to: 'OK', effects: ['REFRESH_LAST_SEEN'] },
  { from: ['OK'], when: 'NAME_CHANGED', to: 'OK', effects: ['OPEN_NAME_CHANGED'] },
  { from: ['OK'], when: 'WITHIN_GRACE', to: 'OK', effects: [] },
  { from: ['OK'], when: 'GRACE_PASSED', to: 'MISSING', effects: ['OPEN_ITEM_MISSING'] },
  { from: ['MISSING'], when: 'CANDIDATES_FOUND', to: 'MISSING', effects: ['OFFER_REPLACEMENT'] },
  { from: ['MISSING'], when: 'NO_LIVE_VARIANT', to: 'MISSING', effects: ['UNPUBLISH'] },
] as const satisfies readonly {
  from: readonly BindingState[];
  when: BindingCondition;
  to: BindingState;
  effects: readonly BindingEffect[];
}[];

export type BindingDecision = { state: BindingState; effects: BindingEffect[] };

export function decideBinding(
  state: BindingState,
  conditions: readonly BindingCondition[],
): BindingDecision {
  const decision: BindingDecision = { state, effects: [] };

  for (const rule of BINDING_RULES) {
    if (
      !conditions.includes(rule.when) ||
      !(rule.from as readonly BindingState[]).includes(decision.state)
    )
      continue;
    decision.state = rule.to;
    decision.effects.push(...rule.effects);
  }

  return decision;
}

export type ItemFacts = {
  name: string;
  /** Null if never seen. A first name is not a change. */
  lastSeenName: string | null;
  /** Null while the item is live. */
  absence: Absence | null;
};

/** Returns conditions of the item alone. `now` is in ms, from the clock that wrote the absence. */
export function itemConditions(item: ItemFacts, grace: Grace, now: number): BindingCondition[] {
  if (item.absence !== null)
    return [graceHasPassed(item.absence, grace, now) ? 'GRACE_PASSED' : 'WITHIN_GRACE'];
  const isRenamed = item.lastSeenName !== null && item.lastSeenName !== item.name;
  return ['ITEM_LIVE', ...(isRenamed ? (['NAME_CHANGED'] as const) : [])];
}
