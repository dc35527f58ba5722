import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  type SearchAttributeType,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';

/**
 * On PostgreSQL, a namespace allows 10 attributes of type KEYWORD, and 3 each of INT and
 * KEYWORD_LIST.
 */
export const SEARCH_ATTRIBUTES = {
  CarteCapability: 'KEYWORD',
  CarteConnectionId: 'INT',
  CarteOrderId: 'KEYWORD',
  CarteOrderNumber: 'KEYWORD',
  CarteOrganizationId: 'KEYWORD',
  CarteOutcome: 'KEYWORD',
  /** Absent if none: an empty list is not null. */
  CartePaused: 'KEYWORD_LIST',
  CarteRunKind: 'KEYWORD',
  /** The change that made the menu outdated, for a rebuild. */
  CarteTrigger: 'KEYWORD',
} as const satisfies Record<string, SearchAttributeType>;

export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;

export const SEARCH_ATTRIBUTE_NAMES = Object.keys(SEARCH_ATTRIBUTES) as SearchAttributeName[];

type ValueOf = { KEYWORD: string; INT: number; KEYWORD_LIST: readonly string[] };
type Values<Absent> = {
  [Name in SearchAttributeName]?: ValueOf[(typeof SEARCH_ATTRIBUTES)[Name]] | Absent;
};

/** Attributes of a start. Never personal data. */
export const searchAttributes = (values: Values<undefined>): SearchAttributePair[] =>
  typedPairs<SearchAttributePair>(values);

/** Updates attributes. Null removes one. */
export const searchAttributeUpdates = (
  values: Values<undefined | null>,
): SearchAttributeUpdatePair[] => typedPairs<SearchAttributeUpdatePair>(values);

function typedPairs<Pair extends SearchAttributeUpdatePair>(
  values: Values<undefined | null>,
): Pair[] {
  return SEARCH_ATTRIBUTE_NAMES.flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [{ key: defineSearchAttributeKey(name, SEARCH_ATTRIBUTES[name]), value } as Pair];
  });
}

/** Formats `CarteOutcome`. */
export const formatOutcome = (state: string, reason: string | null): string =>
  reason === null ? state : `${state} ${reason}`;
