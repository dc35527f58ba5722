import { createHash, randomBytes } from 'node:crypto';

/** Target of the redirect after the sign-in, where nothing listens. */
const PAGE = 'http://127.0.0.1:4999/signed-in';

/**
 * Signs a phone in at the emulator's provider, like a storefront (authorization code with PKCE).
 * Returns the access token.
 */
export async function signInCustomer(issuer: string, phone: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const authorize = new URL(`${issuer}/auth`);
  const asked = {
    client_id: 'storefront',
    response_type: 'code',
    redirect_uri: PAGE,
    scope: 'openid phone',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };

  for (const [name, value] of Object.entries(asked)) authorize.searchParams.set(name, value);

  const cookies = new Map<string, string>();
  const visit = async (at: URL, form?: URLSearchParams): Promise<URL | null> => {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });

    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }

    await response.body?.cancel();
    const next = response.headers.get('location');

    return next === null ? null : new URL(next, at);
  };

  const form = await visit(authorize);
  if (form === null) throw new Error('The provider shows no form.');
  if ((await visit(form)) !== null) throw new Error('The form leads elsewhere.');
  let at = await visit(form, new URLSearchParams({ phone }));
  while (at !== null && at.origin === issuer) at = await visit(at);
  const code = at?.searchParams.get('code');
  if (code == null)
    throw new Error(`The sign-in ended without a code: ${at?.search ?? 'no redirect'}`);

  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: asked.client_id,
      redirect_uri: PAGE,
      code,
      code_verifier: verifier,
    }),
  });

  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`The provider gave no token: ${response.status}`);

  return token;
}
