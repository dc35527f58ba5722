/** Search attributes (all Keyword) an operator can filter by in Temporal's UI. */
export const SEARCH_ATTRIBUTES = ['CarteCapability', 'CarteOrganizationId', 'CarteRunKind', 'CarteTrigger'] as const;
