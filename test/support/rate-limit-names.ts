/** The settings that limit requests: `createRateLimits` needs all of them. */
export const RATE_LIMIT_NAMES = [
  'RATE_LIMIT_MENU',
  'RATE_LIMIT_PUBLIC',
  'RATE_LIMIT_SEARCH',
  'RATE_LIMIT_SIGN_IN',
  'RATE_LIMIT_MEDIA',
  'RATE_LIMIT_DOCUMENTS',
  'RATE_LIMIT_ORDERING',
  'RATE_LIMIT_NEW_CARTS',
  'RATE_LIMIT_ADDRESSES',
  'RATE_LIMIT_ADMIN',
  'RATE_LIMIT_WEBHOOK',
] as const;
