import { randomUUID } from 'node:crypto';
import type { Account } from '../model.ts';
import type { State } from '../state.ts';
import { failure, ok } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';

function readLogin(body: Body): string | undefined {
  if (typeof body.apiLogin === 'string') return body.apiLogin;
  const complete = typeof body.appId === 'string' && typeof body.clientSecret === 'string';
  return complete && typeof body.apiKey === 'string' ? body.apiKey : undefined;
}

export function accountOfLogin(state: State, body: Body): Account | undefined {
  const login = readLogin(body);
  return state.dataset.accounts.find((account) => account.login === login);
}

/**
 * Returns a token for `{apiLogin}` or `{apiKey, appId, clientSecret}` that is valid for an hour.
 * Responds with 400 if both are missing, and with 401 to an unknown key.
 */
export function accessToken(state: State, body: Body): Answer {
  if (readLogin(body) === undefined)
    return failure(400, 'apiLogin, or apiKey with appId and clientSecret, is required.');
  const account = accountOfLogin(state, body);
  if (!account) return failure(401, 'Login is not authorized.');
  return ok({ correlationId: randomUUID(), token: state.tokens.issue(account) });
}
