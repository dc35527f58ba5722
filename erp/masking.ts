const SECRET_FIELDS = ['apiLogin', 'apiKey', 'clientSecret', 'token', 'authToken', 'password'];

const FIELD_PATTERN = new RegExp(
  `("(?:${SECRET_FIELDS.join('|')})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`,
  'gi',
);

const BEARER = /\bBearer\s+[\w.~+/=-]+/gi;
const JWT = /\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;
const PHONE = /\+\d{8,15}\b/g;

const MASK = '[masked]';

/**
 * Masks `secrets` (also JSON-escaped), values of secret JSON fields, bearer tokens, JWTs and
 * phone numbers. For text that is written or thrown.
 */
export function maskText(text: string, secrets: readonly string[]): string {
  let masked = text;

  for (const secret of secrets) {
    if (secret === '') continue;
    masked = masked.replaceAll(secret, MASK).replaceAll(JSON.stringify(secret).slice(1, -1), MASK);
  }

  return masked
    .replace(FIELD_PATTERN, `$1"${MASK}"`)
    .replace(BEARER, `Bearer ${MASK}`)
    .replace(JWT, MASK)
    .replace(PHONE, MASK);
}
