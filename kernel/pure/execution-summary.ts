/** Temporal rejects summaries of more than 400 bytes, and a character may have four. */
const SUMMARY_CHARACTERS = 100;

/**
 * Summary of an execution for Temporal's UI (rules OPS-32, OPS-109): the parts in one line, cut to
 * the length that Temporal accepts.
 */
export const executionSummary = (...parts: (string | undefined)[]): string =>
  Array.from(parts.filter((part) => part !== undefined).join(', '))
    .slice(0, SUMMARY_CHARACTERS)
    .join('');
