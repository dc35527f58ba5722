import { update } from './store.ts';
import { t } from './texts.ts';

// OpenID Connect's code flow with PKCE, because a page cannot keep a secret. The token is stored
// until the tab is closed.

const TOKEN = 'carte.token';
const PENDING = 'carte.sign-in';
const CLIENT = 'storefront';
type Pending = { state: string; verifier: string };
type Discovery = { authorization_endpoint: string; token_endpoint: string };

const issuer = document.querySelector<HTMLMetaElement>('meta[name=sign-in]')?.content ?? '';
const redirect = `${location.origin}/`;

export const canSignIn = issuer !== '';

/** The customer's token; null for a guest and for an expired token. */
export function accessToken(): string | null {
  const [token = '', until = '0'] = (sessionStorage.getItem(TOKEN) ?? '').split(' ');
  return Number(until) > Date.now() ? token : null;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function discover(): Promise<Discovery> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  return (await answer.json()) as Discovery;
}

/** Redirects to the provider, which redirects back to the menu. */
export async function signIn(): Promise<void> {
  const pending: Pending = { state: random(), verifier: random() };
  const challenge = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(pending.verifier),
  );
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const url = new URL((await discover()).authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: CLIENT,
    response_type: 'code',
    scope: 'openid phone',
    redirect_uri: redirect,
    state: pending.state,
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
  }).toString();
  location.assign(url);
}

export function signOut(): void {
  // Until the guest leaves the page, the cart still needs the token.
  addEventListener('pagehide', () => sessionStorage.removeItem(TOKEN), { once: true });
  location.assign('/');
}

export async function completeSignIn(): Promise<void> {
  const query = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null') as Pending | null;
  const code = query.get('code');
  if (pending === null || code === null) return;
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', '/');
  if (query.get('state') === pending.state) await redeem(code, pending.verifier);
  else update({ message: t('signIn.outdated') });
}

async function redeem(code: string, verifier: string): Promise<void> {
  const answer = await fetch((await discover()).token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      redirect_uri: redirect,
      code,
      code_verifier: verifier,
    }),
  });
  if (!answer.ok) return update({ message: t('signIn.failed') });
  const { access_token: token, expires_in: seconds } = (await answer.json()) as {
    access_token: string;
    expires_in: number;
  };
  sessionStorage.setItem(TOKEN, `${token} ${Date.now() + seconds * 1000}`);
}
