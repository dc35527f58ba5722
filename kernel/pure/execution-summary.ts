/** Temporal's limit is 400 bytes, and a character may have four. */
const SUMMARY_CHARACTERS = 100;

/** Joins a summary for Temporal's UI (OPS-32, OPS-109), cut to Temporal's limit. */
export const executionSummary = (...parts: (string | undefined)[]): string =>
  Array.from(parts.filter((part) => part !== undefined).join(', '))
    .slice(0, SUMMARY_CHARACTERS)
    .join('');
