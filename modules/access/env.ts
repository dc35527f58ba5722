import {
  define,
  group,
  flag,
  list,
  optional,
  optionalIssuer,
  text,
  HTTPS,
  type ValuesOf,
  type Demand,
  type ProductionRule,
} from '../../platform/env/variables.ts';

const PASSWORD_LENGTH = 12;

const LONG_PASSWORD: ProductionRule = {
  isBroken: (value) => value.length < PASSWORD_LENGTH,
  must: `must have at least ${PASSWORD_LENGTH} characters`,
};

export const ACCESS_VARIABLES = group('Access', {
  ADMIN_EMAIL: define(
    'admin@carte.local',
    text,
    'Email of the first administrator, used only while no user can manage users',
  ),
  ADMIN_PASSWORD: define('', optional, 'Password of the first administrator; generated if empty', {
    secret: true,
    production: LONG_PASSWORD,
  }),
  SECOND_FACTOR_FOR_ADMINISTRATORS: define(
    'off',
    flag,
    'Second factor required for users with users.manage who sign in with a password',
  ),
  OIDC_DEFAULT_ROLE: define(
    '',
    optional,
    'Code of the role of new users at their first sign-on. If empty, only existing users may sign in',
  ),
  OIDC_EMAIL_DOMAINS: define(
    '',
    (input) => list(input.toLowerCase()),
    'Email domains of users who get OIDC_DEFAULT_ROLE, separated by commas. Required with it in production',
  ),
  CUSTOMER_ISSUER: define(
    '',
    optionalIssuer,
    'Issuer of the OpenID Connect provider of customers. If empty, there are only guests',
    { production: HTTPS },
  ),
  CUSTOMER_AUDIENCE: define('', optional, 'Audience of the access tokens of customers'),
});

export type AccessEnv = ValuesOf<typeof ACCESS_VARIABLES>;

export const ACCESS_DEMANDS: readonly Demand[] = [
  {
    when: ({ OIDC_ISSUER: issuer, OIDC_DEFAULT_ROLE: role }) => Boolean(issuer) && role === 'ADMIN',
    problem: 'OIDC_DEFAULT_ROLE must not be ADMIN: every new user could manage users',
  },
  {
    when: ({ OIDC_ISSUER: issuer, OIDC_DEFAULT_ROLE: role }, isProduction) =>
      isProduction && Boolean(issuer) && Boolean(role),
    needs: ['OIDC_EMAIL_DOMAINS'],
    because: 'OIDC_DEFAULT_ROLE is set',
  },
  {
    when: ({ CUSTOMER_ISSUER: issuer }) => Boolean(issuer),
    needs: ['CUSTOMER_AUDIENCE'],
    because: 'CUSTOMER_ISSUER is set',
  },
];
