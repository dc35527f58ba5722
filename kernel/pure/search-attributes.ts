import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

/** Search attributes (all Keyword) an operator can filter by in Temporal's UI. */
export const SEARCH_ATTRIBUTES = [
  'CarteCapability',
  'CarteOrderId',
  'CarteOrderNumber',
  'CarteOrganizationId',
  'CarteOutcome',
  'CarteRunKind',
  'CarteTrigger',
] as const;

type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number];

/**
 * Typed search attributes of an execution, for its start. Values are ids and words, never personal
 * data.
 */
export function searchAttributes(
  values: Partial<Record<SearchAttributeName, string | undefined>>,
): SearchAttributePair[] {
  return SEARCH_ATTRIBUTES.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ key: defineSearchAttributeKey(name, 'KEYWORD'), value }];
  });
}

/**
 * Formats the end of work for `CarteOutcome`: a state, and the reason behind it where there is one.
 */
export const outcomeOf = (state: string, reason: string | null): string =>
  reason === null ? state : `${state} ${reason}`;
