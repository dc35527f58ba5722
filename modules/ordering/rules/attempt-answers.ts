import type { ErpFailureKind } from '../../../erp/failure.ts';

/** The outcomes of a call by which an order is sent. */
export const ATTEMPT_OUTCOMES = ['TAKEN', 'DUPLICATE', 'REFUSED', 'NOT_SENT', 'UNKNOWN'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** The stored answer of one call; `outcome` is null without one. */
export type StoredAnswer = { outcome: AttemptOutcome | null; kind: string | null; code: string | null };

const ANSWERS: Readonly<Record<AttemptOutcome, (answer: StoredAnswer) => string>> = {
  TAKEN: () => 'The ERP has accepted the order.',
  DUPLICATE: () => 'The ERP already had the order from an earlier call.',
  REFUSED: ({ code }) => `The ERP rejected the order with the code ${code ?? 'none'}.`,
  NOT_SENT: ({ kind }) => `The ERP did not process the order. ${reasonOf(kind)}`,
  UNKNOWN: ({ kind }) => `It is unknown whether the ERP has the order. ${reasonOf(kind)}`,
};

const REASONS: Readonly<Record<ErpFailureKind, string>> = {
  TIMEOUT: 'It did not answer in time.',
  CONNECT: 'It could not be reached.',
  SERVER: 'It answered with a server error.',
  RATE_LIMITED: 'It allows no further requests now.',
  UNAUTHORIZED: 'It rejected the token.',
  FORBIDDEN: 'The account may not create orders.',
  CLIENT: 'It rejected the request.',
  GONE: 'It no longer has the operation.',
  INVALID_ANSWER: 'Its answer was not as specified.',
  NOT_JSON: 'Its answer was not JSON.',
  CIRCUIT_OPEN: 'Earlier requests failed, so none was sent.',
  CREDENTIALS_REFUSED: 'It rejected the credentials of the account.',
  DISABLED: 'The connection is disabled, so no request was sent.',
  OWNER_INACTIVE: 'The owner of the connection is inactive, so no request was sent.',
  NO_CONNECTION: 'The connection does not exist, so no request was sent.',
};

const reasonOf = (kind: string | null): string =>
  kind !== null && Object.hasOwn(REASONS, kind) ? REASONS[kind as ErpFailureKind] : 'The reason is not recorded.';

/** The answer of the ERP to one call in words, for staff (rule ORD-172). */
export function attemptAnswer(answer: StoredAnswer): string {
  return answer.outcome === null
    ? 'No answer is recorded: the call is running, or its process ended before the answer.'
    : ANSWERS[answer.outcome](answer);
}
