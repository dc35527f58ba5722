import { byId, h, show, tell } from './dom.ts';

// The code flow with PKCE of OpenID Connect, for a page that can keep no secret. The token lives as
// long as the tab.

const TOKEN = 'carte.token';
const PENDING = 'carte.sign-in';
type Pending = { state: string; verifier: string };
type Discovery = { authorization_endpoint: string; token_endpoint: string };

const issuer = document.querySelector<HTMLMetaElement>('meta[name=sign-in]')?.content ?? '';
const CLIENT = 'storefront';
const redirect = `${location.origin}/`;

/** The token of the customer; null for a guest, also when it has run out. */
export function accessToken(): string | null {
  const [token = '', until = '0'] = (sessionStorage.getItem(TOKEN) ?? '').split(' ');
  return Number(until) > Date.now() ? token : null;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function discover(): Promise<Discovery> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  return (await answer.json()) as Discovery;
}

/** True if the shop has a provider of customers. */
export const canSignIn = issuer !== '';

/** Redirects to the provider, which redirects back to this page. */
export async function signIn(): Promise<void> {
  const pending: Pending = { state: random(), verifier: random() };
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
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

/** Finishes a sign-in that has led back here, and shows who is asking. */
export async function startAccount(): Promise<void> {
  const query = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null') as Pending | null;
  const code = query.get('code');
  if (pending !== null && code !== null) {
    sessionStorage.removeItem(PENDING);
    history.replaceState(null, '', '/');
    if (query.get('state') === pending.state) await redeem(code, pending.verifier);
    else tell('messages', 'Вход не завершён: ответ пришёл не на тот запрос.');
  }
  showAccount();
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
  if (!answer.ok) return tell('messages', 'Вход не завершён. Попробуйте ещё раз.');
  const { access_token: token, expires_in: seconds } = (await answer.json()) as {
    access_token: string;
    expires_in: number;
  };
  sessionStorage.setItem(TOKEN, `${token} ${Date.now() + seconds * 1000}`);
}

function showAccount(): void {
  if (issuer === '') return;
  const isKnown = accessToken() !== null;
  const leave = () => {
    // Until the page has gone it still asks about the cart of this customer.
    addEventListener('pagehide', () => sessionStorage.removeItem(TOKEN), { once: true });
    location.assign('/');
  };
  show(
    byId('account'),
    isKnown ? h('span', {}, 'Вы вошли. ') : null,
    h('button', { type: 'button', onclick: () => (isKnown ? leave() : void signIn()) }, isKnown ? 'Выйти' : 'Войти'),
  );
}
