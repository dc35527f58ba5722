import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createCustomerTokens,
  guestIdentities,
  type CustomerTokens,
} from '../../../modules/access/customers/customer-tokens.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { guestRoutes } from '../../support/guest-routes.ts';

// A separate identity provider: an HTTP port that serves real keys.
const AUDIENCE = 'carte-storefront';
const log = createLog({ service: 'test', level: 'silent' });
const metrics = createMetrics('api');
const published = new Map<string, { alg: string; publicKey: CryptoKey }>();
let failing = false;
let keysAsked = 0;
let provider: Server;
let issuer: string;

async function newKey(kid: string, alg: string, isPublished = true): Promise<CryptoKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  if (isPublished) published.set(kid, { alg, publicKey });
  return privateKey;
}

type Claims = {
  iss?: string;
  aud?: string;
  exp?: string | number;
  nbf?: string;
  sub?: string | null;
  [name: string]: unknown;
};
async function sign(
  kid: string,
  alg: string,
  key: CryptoKey | Uint8Array,
  claims: Claims = {},
): Promise<string> {
  const { iss = issuer, aud = AUDIENCE, exp = '5m', nbf, sub = '+79990001122', ...rest } = claims;
  const token = new SignJWT(rest).setProtectedHeader({ alg, kid }).setIssuer(iss).setAudience(aud);
  token.setExpirationTime(exp);
  if (sub !== null) token.setSubject(sub);
  if (nbf !== undefined) token.setNotBefore(nbf);
  return token.sign(key);
}

beforeAll(async () => {
  provider = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      if (request.url === '/.well-known/openid-configuration')
        return { issuer, jwks_uri: `${issuer}/keys` };
      keysAsked += 1;
      const keys = [...published].map(async ([kid, { alg, publicKey }]) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg,
      }));
      return { keys: await Promise.all(keys) };
    };
    void answer().then((body) => response.writeHead(failing ? 500 : 200).end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => provider.close(resolve)));

const tokens = (cooldownMs?: number): CustomerTokens =>
  createCustomerTokens(
    { CUSTOMER_ISSUER: issuer, CUSTOMER_AUDIENCE: AUDIENCE },
    { log, metrics },
    cooldownMs,
  )!;

describe('a token of a customer', () => {
  test.each(['RS256', 'ES256', 'EdDSA'])(
    '[CLI-1] proves the customer if it is signed with %s',
    async (alg) => {
      const key = await newKey(`good ${alg}`, alg);
      expect(await tokens().customerOf(await sign(`good ${alg}`, alg, key))).not.toBeNull();
    },
  );

  test.each<[string, (key: CryptoKey) => Promise<string>]>([
    ['of another issuer', (key) => sign('k', 'ES256', key, { iss: 'https://elsewhere.test' })],
    ['for another audience', (key) => sign('k', 'ES256', key, { aud: 'carte-admin' })],
    ['that is expired', (key) => sign('k', 'ES256', key, { exp: '-1m' })],
    ['that is not valid yet', (key) => sign('k', 'ES256', key, { nbf: '1h' })],
    ['without a subject', (key) => sign('k', 'ES256', key, { sub: null })],
    ['with an empty subject', (key) => sign('k', 'ES256', key, { sub: '' })],
    [
      'of a key that the provider does not publish',
      async () => sign('unknown', 'ES256', await newKey('unknown', 'ES256', false)),
    ],
    [
      'of another key under a published name',
      async () => sign('k', 'ES256', await newKey('k', 'ES256', false)),
    ],
    ['signed with a secret', () => sign('k', 'HS256', new TextEncoder().encode('x'.repeat(32)))],
    [
      'signed with another algorithm',
      async () => sign('k512', 'RS512', await newKey('k512', 'RS512')),
    ],
    [
      'without a signature',
      async () =>
        new UnsecuredJWT({ sub: 'anna' }).setIssuer(issuer).setAudience(AUDIENCE).encode(),
    ],
    [
      'that was changed',
      async (key) => (await sign('k', 'ES256', key)).replace(/\.([^.]{4})/, '.AAAA'),
    ],
    ['that is no token at all', async () => 'nothing'],
  ])('[CLI-1] proves nothing if it is one %s', async (_, make) => {
    const key = await newKey('k', 'ES256');
    expect(await tokens().customerOf(await make(key))).toBeNull();
  });

  test('[CLI-1] proves nothing if it never expires', async () => {
    const key = await newKey('eternal', 'ES256');
    const eternal = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: 'eternal' })
      .setIssuer(issuer)
      .setAudience(AUDIENCE)
      .setSubject('anna')
      .sign(key);
    expect(await tokens().customerOf(eternal)).toBeNull();
  });
});

describe('the identity of a customer', () => {
  test('[CLI-2] uses an id that reveals nothing of the subject and is the same for every token', async () => {
    const key = await newKey('id', 'ES256');
    const one = await tokens().customerOf(await sign('id', 'ES256', key));
    const again = await tokens().customerOf(await sign('id', 'ES256', key, { exp: '1h' }));
    const other = await tokens().customerOf(
      await sign('id', 'ES256', key, { sub: '+79990001123' }),
    );

    expect(one!.id).toMatch(/^[\w-]{22}$/);
    expect(again!.id).toBe(one!.id);
    expect(again!.expiresAt.getTime()).toBeGreaterThan(one!.expiresAt.getTime());
    expect(other!.id).not.toBe(one!.id);
  });

  test.each<[Claims, string | null]>([
    [{ phone_number: '+79990001122', phone_number_verified: true }, '+79990001122'],
    [{ phone_number: '+79990001122', phone_number_verified: false }, null],
    [{ phone_number: '+79990001122' }, null],
    [{ phone_number: '+79990001122', phone_number_verified: 'true' }, '+79990001122'],
    [{ phone_number: '8 999 000-11-22', phone_number_verified: true }, '+79990001122'],
    [{ phone_number_verified: true }, null],
  ])('[CLI-2] includes a phone only if the provider has verified it: %j', async (claims, phone) => {
    const key = await newKey('phone', 'ES256');
    expect(
      (await tokens().customerOf(await sign('phone', 'ES256', key, claims)))!.verifiedPhone,
    ).toBe(phone);
  });
});

describe('the provider of tokens', () => {
  test('[CLI-3] may introduce a new key, which is accepted', async () => {
    const verifier = tokens(0);
    const first = await newKey('first', 'ES256');
    expect(await verifier.customerOf(await sign('first', 'ES256', first))).not.toBeNull();

    const second = await newKey('second', 'ES256');
    expect(await verifier.customerOf(await sign('second', 'ES256', second))).not.toBeNull();
  });

  test('receives no request for each token with an unknown key', async () => {
    const verifier = tokens();
    await verifier.customerOf(await sign('first', 'ES256', await newKey('first', 'ES256')));
    const before = keysAsked;
    for (let i = 0; i < 5; i += 1) {
      const unknown = await newKey(`unknown ${i}`, 'ES256', false);
      expect(await verifier.customerOf(await sign(`unknown ${i}`, 'ES256', unknown))).toBeNull();
    }
    expect(keysAsked).toBe(before);
  });

  test('[CLI-3] causes 503 if it does not answer, and is retried', async () => {
    const verifier = tokens();
    const key = await newKey('down', 'ES256');
    const token = await sign('down', 'ES256', key);
    failing = true;
    await expect(verifier.customerOf(token)).rejects.toMatchObject({ kind: 'unavailable' });
    failing = false;
    expect(await verifier.customerOf(token)).not.toBeNull();
  });

  test('loses trust if its metadata describes another issuer', async () => {
    const other = createCustomerTokens(
      { CUSTOMER_ISSUER: `${issuer}/`, CUSTOMER_AUDIENCE: AUDIENCE },
      { log, metrics },
    )!;
    const key = await newKey('slash', 'ES256');
    await expect(other.customerOf(await sign('slash', 'ES256', key))).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  test('identifies no customer if none is configured', () => {
    expect(
      createCustomerTokens({ CUSTOMER_ISSUER: null, CUSTOMER_AUDIENCE: null }, { log, metrics }),
    ).toBeNull();
  });
});

describe('a route for customers', () => {
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  let api: TestApi;
  beforeAll(async () => {
    database = await migratedDatabase();
    api = await startTestApi({
      database,
      routes: guestRoutes,
      deps: {
        guests: guestIdentities(tokens(), {
          mayUseCart: async () => false,
          mayUseOrder: async () => false,
        }),
      },
    });
  });
  afterAll(async () => {
    await api?.stop();
    await database?.close();
  });
  const ask = async (token: string) => {
    const response = await fetch(`${api.url}/api/v1/orders`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('identifies the customer and rejects other tokens with 401', async () => {
    const key = await newKey('route', 'EdDSA');
    const existing = await ask(await sign('route', 'EdDSA', key));
    expect(existing).toMatchObject({ status: 200, body: { type: 'CUSTOMER' } });
    expect(JSON.stringify(existing.body)).not.toContain('79990001122');
    expect((await ask(await sign('route', 'EdDSA', key, { exp: '-1m' }))).status).toBe(401);
  });
});
