/**
 * Fields of the log line about an execution that has failed for a reason of the business, such as a
 * rejected import. It is no fault of the program.
 */
export type BusinessFailure = { businessReason: string; detail: string };
