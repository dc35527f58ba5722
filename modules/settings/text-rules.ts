import type { Check, Rule } from './rule.ts';

const LONGEST_URL = 2_000;

/** Names and addresses of servers, as a page policy can name them. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** A text with at least one letter or digit, and without control and invisible characters. */
export function text(most: number): Rule {
  const check: Check = (value, field) => {
    if (typeof value !== 'string') return [{ field, code: 'type', message: 'must be a text' }];
    if (!/[\p{L}\p{N}]/u.test(value))
      return [{ field, code: 'min_length', message: 'must have at least one letter or digit' }];
    if (/\p{C}/u.test(value)) return [{ field, code: 'invalid', message: 'must not have invisible characters' }];
    if (value.length > most) return [{ field, code: 'max_length', message: `must have at most ${most} characters` }];
    return [];
  };
  return { check, schema: { type: 'string', minLength: 1, maxLength: most } };
}

/** A value of the rule, or null for none. */
export function nullable({ check, schema }: Rule): Rule {
  return {
    check: (value, field) => (value === null ? [] : check(value, field)),
    schema: { ...schema, type: [schema['type'], 'null'] },
  };
}

/** The URL of map tiles or of a map style. */
export const tilesUrl = (): Rule => httpUrl(() => true);

/** A URL that paths are appended to. */
export const baseUrl = (): Rule =>
  httpUrl(({ search, hash }, value) => search === '' && hash === '' && !/[?#{}]/.test(value));

/** An absolute URL of HTTP without a user, if `isValid` accepts it. */
function httpUrl(isValid: (url: URL, value: string) => boolean): Rule {
  const { check: checkText, schema } = text(LONGEST_URL);
  const isHttpUrl = (value: string): boolean => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !/^https?:\/\//i.test(value) || /[\s\\]/.test(value)) return false;
    const isPlain = url.username === '' && url.password === '';
    return isPlain && HOST.test(url.hostname) && isValid(url, value);
  };
  const check: Check = (value, field) => {
    const errors = checkText(value, field);
    if (errors.length > 0) return errors;
    return isHttpUrl(value as string) ? [] : [{ field, code: 'format', message: 'must be a URL of HTTP or HTTPS' }];
  };
  return { check, schema: { ...schema, format: 'uri' } };
}
