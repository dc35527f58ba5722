import {
  define,
  group,
  optional,
  optionalIssuer,
  optionalUrl,
  HTTPS,
  type ValuesOf,
  type Demand,
  type Source,
} from './variables.ts';

const isConfigured = (source: Source) => Boolean(source['OIDC_ISSUER']);

export const IDENTITY_PROVIDER_VARIABLES = group('Access', {
  OIDC_ISSUER: define(
    '',
    optionalIssuer,
    'Issuer of the OpenID Connect provider of staff. If empty, staff sign in with email and password',
    { production: HTTPS },
  ),
  OIDC_CLIENT_ID: define('', optional, 'Client id at the provider'),
  OIDC_CLIENT_SECRET: define('', optional, 'Client secret at the provider', { secret: true }),
  OIDC_REDIRECT_URL: define(
    '',
    optionalUrl,
    'Public URL of `/api/admin/v1/auth/oidc/callback`, registered at the provider',
  ),
});

export type IdentityProviderEnv = ValuesOf<typeof IDENTITY_PROVIDER_VARIABLES>;

export const IDENTITY_PROVIDER_DEMANDS: readonly Demand[] = [
  {
    when: isConfigured,
    needs: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_REDIRECT_URL', 'ADMIN_ORIGINS'],
    because: 'OIDC_ISSUER is set',
  },
  {
    when: (source) => isConfigured(source) && source['ADMIN_ORIGINS']?.includes('*') === true,
    problem:
      'ADMIN_ORIGINS must name origins: OIDC_ISSUER is set, and browsers are sent back to one of them',
  },
];
