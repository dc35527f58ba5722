import { eventually, startEntry } from './processes.ts';

/** The redirect URL is not served: tests send the redirect to their API. */
export const CLIENT = {
  id: 'carte',
  secret: 'the secret of the client',
  redirectUrl: 'https://admin.carte.test/api/admin/v1/auth/oidc/callback',
};

export async function startIdentityProvider(): Promise<{
  issuer: string;
  stop: () => Promise<unknown>;
}> {
  const entry = 'test/support/fixtures/identity-provider.ts';
  const started = startEntry('provider', entry, [CLIENT.id, CLIENT.secret, CLIENT.redirectUrl], {
    PATH: process.env['PATH'],
  });
  const issuer = await eventually(
    'the provider listens',
    async () => /^issuer (\S+)$/m.exec(started.output())?.[1],
  );
  return { issuer, stop: started.kill };
}

/** Follows the provider's pages until they redirect to another origin. Returns that URL. */
export async function signInAtProvider(location: string, account: string): Promise<URL> {
  const cookies = new Map([['account', encodeURIComponent(account)]]);
  const { origin } = new URL(location);
  let at = new URL(location);
  for (let hops = 0; at.origin === origin; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    const next = response.headers.get('location');
    if (next === null || hops > 10)
      throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    await response.body?.cancel();
    at = new URL(next, at);
  }
  return at;
}
