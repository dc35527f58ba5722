import { parseTrustedProxies } from '../trusted-proxies.ts';
import {
  constant,
  define,
  group,
  duration,
  flag,
  integer,
  list,
  oneOf,
  optionalUrl,
  rate,
  text,
  not,
  type ProductionRule,
} from './variables.ts';

/** Browsers never send origins with a path or a capital. */
const origins = (input: string) => {
  const wrong = list(input).filter(
    (entry) => entry !== '*' && !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\sA-Z]+$/.test(entry),
  );
  if (wrong.length > 0)
    throw new Error('must list origins such as https://shop.example, in small letters and no path');

  return list(input);
};

/** Empty, or one URL (RFC 9116). */
const contact = (input: string) => {
  if (input !== '' && !/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+\S+)$/.test(input))
    throw new Error('must be a URL with mailto:, https: or tel:');
  return input;
};

const NAMED_ORIGINS: ProductionRule = {
  isBroken: (value) => list(value).includes('*'),
  must: 'must name every origin',
};

export const HTTP_VARIABLES = {
  ...group('Process', {
    HOST: define('127.0.0.1', text, 'Address that the port of the API listens on'),
    PORT: define('8080', integer(0, 65535), 'Port of the storefront API and the admin API'),
    DOCS_SITE: define(
      'off',
      flag,
      'Serves the docs site at `/docs`. It must have been built; `npm start` builds it and switches this on',
    ),
    SHUTDOWN_DRAIN: define(
      '1s',
      duration,
      'Part of SHUTDOWN_GRACE during which a stopping API still answers but is not ready, so that a balancer removes it first',
    ),
  }),
  ...group('HTTP', {
    PUBLIC_ORIGINS: define('*', origins, 'Origins whose pages may call the storefront API'),
    ADMIN_ORIGINS: define('', origins, 'Origins whose pages may call the admin API', {
      production: NAMED_ORIGINS,
    }),
    TRUST_PROXY: define(
      'off',
      parseTrustedProxies,
      'Proxies trusted for the client address (X-Forwarded-For): off, their number (on is one), or their addresses and networks, separated by commas. `private` means all private networks',
    ),
    COOKIE_SECURE: define(
      'on',
      flag,
      'Secure attribute of the refresh cookie. Switch it off only for tests over plain HTTP',
      { production: not('off') },
    ),
    STREAM_LISTENERS: define(
      '10000',
      integer(0, 100_000),
      'Maximum number of open event streams of one API process. Each takes about 10 KB',
    ),
    STREAMS_PER_ADDRESS: define(
      '100',
      integer(1, 100_000),
      'Maximum number of open event streams of one client address at one API process',
    ),
    RATE_LIMIT_MENU: define(
      '60',
      rate,
      'Requests per minute from one client address to /menu of one API process, or off',
    ),
    RATE_LIMIT_PUBLIC: define(
      '600',
      rate,
      'Requests per minute from one client address to other public URLs of one API process, or off',
    ),
    RATE_LIMIT_SEARCH: define(
      '600',
      rate,
      'Requests per minute from one client address to /search of one API process, or off',
    ),
    RATE_LIMIT_MEDIA: define(
      '1200',
      rate,
      'Requests per minute from one client address to /media and the docs site of one API process, or off. A file that does not exist counts as 25',
    ),
    RATE_LIMIT_DOCUMENTS: constant(
      '60',
      rate,
      'Requests per minute from one client address to /docs, /problems, /codes and descriptions of the API of one API process, or off',
    ),
    RATE_LIMIT_ADDRESSES: define(
      '60',
      rate,
      'Requests per minute from one client address to resolve and suggest addresses at one API process, or off',
    ),
    RATE_LIMIT_ORDERING: define(
      '120',
      rate,
      'Requests per minute that change a cart or an order, from one client address and for one cart, to all API processes together, or off',
    ),
    RATE_LIMIT_NEW_CARTS: define(
      '500',
      rate,
      'Guest carts that one client address can create in 24 hours at all API processes together, or off',
    ),
    RATE_LIMIT_SIGN_IN: define(
      '60',
      rate,
      'Requests per minute from one client address to sign in, sign on and replace tokens, to all API processes together, or off',
    ),
    RATE_LIMIT_ADMIN: define(
      '600',
      rate,
      'Requests per minute from one user to the admin API of one API process, or off, also for API keys',
    ),
    RATE_LIMIT_KEY: define(
      '3000',
      integer(1, 1_000_000),
      'Requests per minute with one API key of the class STANDARD to one API process, unless the limit that it replaces is off (RATE_LIMIT_ADMIN, or that of a storefront read)',
    ),
    RATE_LIMIT_KEY_HIGH: define('30000', integer(1, 1_000_000), 'The same for the class HIGH'),
    RATE_LIMIT_WEBHOOK: define(
      '3000',
      rate,
      'Requests per minute from one client address to the ERP webhook of one API process, or off',
    ),
    API_DOCS: define(
      'all',
      oneOf('all', 'storefront', 'none'),
      'Public API descriptions, with their pages under /docs, also those of the docs site',
    ),
    SECURITY_CONTACT: define(
      '',
      contact,
      'URL at which vulnerabilities are reported, such as mailto:security@shop.example, served as `/.well-known/security.txt`',
    ),
    PUBLIC_URL: define('', optionalUrl, 'URL under which clients reach the API'),
  }),
};
