/**
 * Log fields of an execution that failed for a business reason, such as a rejected import. Not a
 * bug.
 */
export type BusinessFailure = { businessReason: string; detail: string };
