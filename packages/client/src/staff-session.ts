import { AdminApi, type Credentials } from './generated/admin.ts';
import type { TransportOptions } from './transport.ts';

export type StaffSession = {
  /** Calls with the session's access token, and renews an expired one. */
  readonly api: AdminApi;
  signIn(credentials: Credentials): Promise<void>;
  signOut(): Promise<void>;
};

/**
 * Creates a session that renews its access token. The refresh token is a cookie, so a reloaded page
 * stays signed in; programs without cookies use an API key instead. If there is no session, calls
 * throw ProblemError `unauthorized`.
 */
export function staffSession(options: Omit<TransportOptions, 'accessToken'>): StaffSession {
  const anonymous = new AdminApi(options);
  let token: string | null = null;
  let refreshing: Promise<string> | null = null;
  const refresh = async (): Promise<string> =>
    (token = (await anonymous.refresh()).data.accessToken);
  const accessToken = (refused: string | null): string | Promise<string> =>
    token !== null && token !== refused
      ? token
      : (refreshing ??= refresh().finally(() => (refreshing = null)));

  const api = new AdminApi({ ...options, accessToken });

  return {
    api,
    async signIn(credentials) {
      token = (await anonymous.login(credentials)).data.accessToken;
    },
    async signOut() {
      await api.logout().finally(() => (token = null));
    },
  };
}
