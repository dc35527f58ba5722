import { Type } from 'typebox';
import type { Endpoint } from '../call.ts';
import { checkOf } from '../schemas/check.ts';

/** Obtains a token for `{ apiLogin }`; anything but visible ASCII could not be sent in a header. */
export const accessToken: Endpoint<{ token: string }> = {
  path: '/api/v2/access_token',
  isUrgent: true,
  check: checkOf(Type.Object({ token: Type.String({ pattern: '^[\\x21-\\x7e]+$' }) })),
};
