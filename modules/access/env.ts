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

/** Variables of staff and customers. */
export const ACCESS_VARIABLES = group('Access', {
  ADMIN_EMAIL: define(
    'admin@carte.local',
    text,
    'E-mail of the first administrator. It is used only while no user can manage users',
  ),
  ADMIN_PASSWORD: define('', optional, 'Password of the first administrator; generated when empty', {
    secret: true,
    production: LONG_PASSWORD,
  }),
  SECOND_FACTOR_FOR_ADMINISTRATORS: define(
    'off',
    flag,
    'Requires users with the permission users.manage who sign in with a password to set up a second factor first',
  ),
  OIDC_DEFAULT_ROLE: define(
    '',
    optional,
    'Code of the role that new users get at their first sign-on. When it is empty, only existing users may sign in',
  ),
  OIDC_EMAIL_DOMAINS: define(
    '',
    (input) => list(input.toLowerCase()),
    'Domains of e-mails whose owners get OIDC_DEFAULT_ROLE, separated by commas. Required in production if OIDC_DEFAULT_ROLE is set',
  ),
  CUSTOMER_ISSUER: define(
    '',
    optionalIssuer,
    'Issuer of the OpenID Connect provider that customers of the storefront sign in with. When it is empty, there are only guests',
    { production: HTTPS },
  ),
  CUSTOMER_AUDIENCE: define('', optional, 'Audience that the access tokens of customers name'),
});

export type AccessEnv = ValuesOf<typeof ACCESS_VARIABLES>;

/** Conditions among these variables and others. */
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
