import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { signInPage } from './sign-in-page.ts';

export type CustomerProvider = {
  readonly issuer: string;
  stop(): Promise<void>;
};

/** Client of pages and apps, which have no secret and use PKCE. */
const CLIENT_ID = 'storefront';
const SCOPE = 'openid phone';
/** Audience of access tokens, even if clients do not request it. */
const RESOURCE = 'urn:carte:storefront';
const HOUR = 3600;
const LONGEST_FORM = 1000;
const PHONE = /^\+[1-9]\d{6,14}$/;

/** Returns an id that is the same after a restart and does not reveal the phone. */
const toAccountId = (phone: string): string =>
  createHash('sha256').update(phone).digest('base64url').slice(0, 22);

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    ...privateKey.export({ format: 'jwk' }),
    alg: 'ES256',
    use: 'sig',
    kid: randomBytes(6).toString('hex'),
  };
}

/** Returns true for a redirect target on this machine. Others are not allowed. */
function isLoopback(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > LONGEST_FORM) throw new Error('The form is too long.');
  }

  return new URLSearchParams(text);
}

/**
 * Signs in any phone as verified. Access tokens are JWTs for `audience` that are valid for an hour
 * and signed with a key of this process. They contain `phone_number` and `phone_number_verified`.
 */
export async function startCustomerProvider(options: {
  host: string;
  port: number;
  audience: string;
}): Promise<CustomerProvider> {
  const { host, port, audience } = options;
  const phones = new Map<string, string>();
  const toClaims = (account: string | undefined): Record<string, string | boolean> => {
    const phone = phones.get(account ?? '');
    return phone === undefined ? {} : { phone_number: phone, phone_number_verified: true };
  };

  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    scopes: ['openid', 'phone'],
    claims: { openid: ['sub'], phone: ['phone_number', 'phone_number_verified'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'phone',
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: HOUR,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    ttl: {
      AccessToken: HOUR,
      IdToken: HOUR,
      AuthorizationCode: 60,
      Interaction: HOUR,
      Session: 24 * HOUR,
      Grant: 24 * HOUR,
    },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    // Skips the consent page, because a storefront gets only the phone.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        accountId: oidc.session!.accountId!,
        clientId: oidc.client!.clientId,
      });

      grant.addOIDCScope(SCOPE);
      grant.addResourceScope(RESOURCE, 'phone');
      await grant.save();

      return grant;
    },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...toClaims(accountId) }),
    }),
    extraTokenClaims: (_, token) => toClaims('accountId' in token ? token.accountId : undefined),
    clientBasedCORS: (_, origin) => isLoopback(origin),
  });

  provider.Client.prototype.redirectUriAllowed = isLoopback;

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await provider.interactionDetails(request, response);
    const typed =
      request.method === 'POST' ? ((await readForm(request)).get('phone') ?? '') : undefined;
    const phone = typed?.replace(/[\s()-]/g, '');
    if (phone === undefined || !PHONE.test(phone)) {
      response.writeHead(phone === undefined ? 200 : 422, {
        'content-type': 'text/html; charset=utf-8',
      });
      response.end(signInPage(typed));
      return;
    }

    const accountId = toAccountId(phone);
    phones.set(accountId, phone);
    await provider.interactionFinished(request, response, { login: { accountId } });
  }

  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/sign-in/') !== true) return void answer(request, response);
    void signIn(request, response).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : 'unknown';
      response
        .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
        .end(`The sign-in cannot go on: ${text}\n`);
    });
  });

  return {
    issuer,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
