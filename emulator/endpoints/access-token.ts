import { randomUUID } from 'node:crypto';
import type { State } from '../state.ts';
import { failure, ok } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';

/** Returns a one-hour token for `{apiLogin}` or for `{apiKey, appId, clientSecret}`; 400 for neither, 401 for an unknown key. */
export function accessToken(state: State, body: Body): Answer {
  const threeFields = typeof body.appId === 'string' && typeof body.clientSecret === 'string';
  const login = typeof body.apiLogin === 'string' ? body.apiLogin : threeFields ? body.apiKey : undefined;
  if (typeof login !== 'string') return failure(400, 'apiLogin, or apiKey with appId and clientSecret, is required.');
  const account = state.world.accounts.find((entry) => entry.login === login);
  if (!account) return failure(401, 'Login is not authorized.');
  return ok({ correlationId: randomUUID(), token: state.tokens.issue(account) });
}
