/** What the secrets of second factors are encrypted for. */
export const SECOND_FACTOR_PURPOSE = 'access_second_factor.secret';
