import { generateKeyPair, jwtVerify, SignJWT } from 'jose';
import type { GuestIdentities } from '../../modules/access/customers/customer-tokens.ts';
import { guestAccess } from '../../modules/ordering/cart/cart-access.ts';
import { testSecrets } from './connection.ts';
import type { Database } from './text-database.ts';

export async function testCustomers(): Promise<{
  guestsOf: (db: Database) => GuestIdentities;
  tokenOf: (
    customerId: string,
    verifiedPhone?: string,
    name?: string,
    lifetime?: string,
  ) => Promise<string>;
}> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return {
    guestsOf: (db) => ({
      customerOf: (token) =>
        jwtVerify(token, publicKey, { algorithms: ['ES256'] }).then(
          ({ payload: { sub, exp = 0, phone_number: phone, name } }) => {
            const text = (claim: unknown): string | null =>
              typeof claim === 'string' ? claim : null;
            const expiresAt = new Date(exp * 1_000);
            return sub === undefined
              ? null
              : { id: sub, verifiedPhone: text(phone), name: text(name), expiresAt };
          },
          () => null,
        ),
      ...guestAccess(db, testSecrets),
    }),
    tokenOf: (customerId, verifiedPhone, name, lifetime = '5m') =>
      new SignJWT({ phone_number: verifiedPhone, name })
        .setProtectedHeader({ alg: 'ES256' })
        .setSubject(customerId)
        .setExpirationTime(lifetime)
        .sign(privateKey),
  };
}
