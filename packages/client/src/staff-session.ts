import { AdminApi, type Credentials } from './generated/admin.ts';
import type { TransportOptions } from './transport.ts';

/** A signed-in member of staff in a browser. */
export type StaffSession = {
  /** Calls with the access token of the session; an expired one is replaced first. */
  readonly api: AdminApi;
  signIn(credentials: Credentials): Promise<void>;
  signOut(): Promise<void>;
};

/**
 * A session of staff that replaces its access token as needed. Calls that fail at the same time
 * share one refresh. The refresh token is a cookie of the browser, so a page that is reloaded stays
 * signed in; a program without cookies uses a key of the API instead. Calls throw ProblemError with
 * the kind `unauthorized` without a session.
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
