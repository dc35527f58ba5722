import { Type, type Static } from 'typebox';
import {
  Id,
  Named,
  Nullable,
  NullableText,
  Timestamp,
  Words,
} from '../../../kernel/pure/schemas.ts';

export const SECURITY_EVENTS = {
  SIGN_IN_REFUSED: 'A sign-in with a wrong password or an unknown e-mail.',
  SIGN_IN_THROTTLED: 'A sign-in after too many wrong ones.',
  SIGN_IN_NEW_BROWSER: 'A sign-in in a browser in which the account had not signed in before.',
  SIGN_ON_REFUSED: 'A sign-on through the identity provider that matched no user.',
  PASSWORD_REFUSED: 'A wrong present password at the change of a password.',
  SECOND_FACTOR_REFUSED: 'A wrong code, or one that was used before, after the right password.',
  SECOND_FACTOR_REMOVED: 'A second factor that was removed by its user or an administrator.',
  RECOVERY_CODE_USED: 'A sign-in with a recovery code.',
  TOKEN_REUSED: 'An old refresh token that was used again. Its session was ended.',
  API_KEY_UNKNOWN: 'A request with an API key that does not exist.',
  API_KEY_EXPIRED: 'A request with an API key after its end, or with a secret that was replaced.',
  API_KEY_REVOKED: 'A request with a revoked API key.',
  FORBIDDEN: 'A request without the permission, or from a page of a foreign origin.',
  WEBHOOK_REFUSED: 'A call of the webhook without its secret.',
} as const;

export type SecurityEventKind = keyof typeof SECURITY_EVENTS;
export const SECURITY_EVENT_KINDS = Object.keys(SECURITY_EVENTS) as SecurityEventKind[];

export const SecurityEvent = Named(
  'SecurityEvent',
  Type.Object({
    id: Id,
    kind: Type.Unsafe<SecurityEventKind>({
      ...Words(SECURITY_EVENT_KINDS),
      description: Object.entries(SECURITY_EVENTS)
        .map(([kind, text]) => `${kind}: ${text}`)
        .join(' '),
    }),
    occurredAt: Timestamp,
    userId: Type.Unsafe<number | null>({
      ...Nullable(Id),
      description: 'Account that the event refers to, if any.',
    }),
    userName: NullableText,
    network: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Irreversible digest of the client address. Equal for equal addresses.',
    }),
    requestId: Type.Unsafe<string | null>({ ...NullableText, description: 'As in the log.' }),
  }),
);

export type SecurityEvent = Static<typeof SecurityEvent>;
