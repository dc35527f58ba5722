import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import {
  createCustomerTokens,
  type CustomerTokens,
} from '../../modules/access/customers/customer-tokens.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { signInCustomer } from '../../packages/demo/seed/sign-in-customer.ts';
import { startCustomerProvider } from '../support/customer-provider.ts';

let provider: Awaited<ReturnType<typeof startCustomerProvider>>;
let issuer: string;
let tokens: CustomerTokens;

beforeAll(async () => {
  provider = await startCustomerProvider();
  issuer = provider.issuer;
  tokens = createCustomerTokens(provider.env, {
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('api'),
  })!;
});
afterAll(() => provider.stop());

describe('the sign-in of customers', () => {
  it('issues a valid token for any phone, and the same customer for the same phone', async () => {
    const [one, again, other] = await Promise.all(
      ['+79990001122', '+7 (999) 000-11-22', '+79990003344'].map(async (phone) =>
        tokens.customerOf(await signInCustomer(issuer, phone)),
      ),
    );

    const expiresAt = expect.any(Date);
    expect(one).toEqual({
      id: expect.any(String),
      verifiedPhone: '+79990001122',
      name: null,
      expiresAt,
    });
    expect(again).toEqual({ ...one, expiresAt });
    expect(other?.id).not.toBe(one?.id);
    expect(JSON.stringify(one?.id)).not.toContain('999');
  });

  test.each(['12', 'abc', '', '89990001122'])('shows the form again for %j', async (phone) => {
    await expect(signInCustomer(issuer, phone)).rejects.toThrow('ended without a code');
  });

  it('leads to no page of another machine', async () => {
    const asked = {
      client_id: 'storefront',
      response_type: 'code',
      redirect_uri: 'https://elsewhere.test/',
      scope: 'openid',
    };
    const response = await fetch(`${issuer}/auth?${new URLSearchParams(asked).toString()}`, {
      redirect: 'manual',
    });

    expect(response.status).toBe(400);
    expect(await response.text()).toContain('redirect_uri');
  });

  it('ends cleanly on request', async () => {
    expect(await provider.stop()).toBe(0);
  });
});
