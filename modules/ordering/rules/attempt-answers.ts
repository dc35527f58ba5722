import type { ErpFailureKind } from '../../../erp/failure.ts';
import { EN } from '../../../kernel/pure/messages/en.ts';
import { createMessage, type Message } from '../../../kernel/pure/messages/message.ts';

export const ATTEMPT_OUTCOMES = ['TAKEN', 'DUPLICATE', 'REFUSED', 'NOT_SENT', 'UNKNOWN'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** `outcome` is null without a response. */
export type StoredAnswer = {
  outcome: AttemptOutcome | null;
  kind: string | null;
  code: string | null;
};

/** An earlier release may have stored another kind. */
function describeReason(kind: string | null): Message {
  const key = `attempt.reason.${kind ?? ''}`;
  return createMessage(
    Object.hasOwn(EN, key)
      ? (key as `attempt.reason.${ErpFailureKind}`)
      : 'attempt.reason.NOT_RECORDED',
  );
}

/** Describes the ERP's response for staff (rule ORD-172). */
export function attemptMessages({ outcome, kind, code }: StoredAnswer): Message[] {
  switch (outcome) {
    case null:
      return [createMessage('attempt.NONE')];
    case 'REFUSED':
      return [
        code === null
          ? createMessage('attempt.REFUSED_WITHOUT_CODE')
          : createMessage('attempt.REFUSED', { code }),
      ];
    case 'NOT_SENT':
    case 'UNKNOWN':
      return [createMessage(`attempt.${outcome}`), describeReason(kind)];
    case 'TAKEN':
    case 'DUPLICATE':
      return [createMessage(`attempt.${outcome}`)];
  }
}
