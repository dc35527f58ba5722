import type { Check, Rule } from './rule.ts';

const LONGEST_URL = 2_000;

/** Names and addresses of servers, as a page policy can name them. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** A text of at least one visible character. */
export function text(most: number): Rule {
  const check: Check = (value, field) => {
    if (typeof value !== 'string') return [{ field, code: 'type', message: 'must be a text' }];
    if (value.trim() === '') return [{ field, code: 'min_length', message: 'must not be empty' }];
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
  httpUrl(({ search, hash, href }) => search === '' && hash === '' && !/[?#{}]/.test(href));

/** An absolute URL of HTTP without a user, if `isValid` accepts it. */
function httpUrl(isValid: (url: URL) => boolean): Rule {
  const { check: checkText, schema } = text(LONGEST_URL);
  const isHttpUrl = (value: string): boolean => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || /[\s\p{Cc}]/u.test(value)) return false;
    const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    return isPlain && HOST.test(url.hostname) && isValid(url);
  };
  const check: Check = (value, field) => {
    const errors = checkText(value, field);
    if (errors.length > 0) return errors;
    return isHttpUrl(value as string) ? [] : [{ field, code: 'format', message: 'must be a URL of HTTP or HTTPS' }];
  };
  return { check, schema: { ...schema, format: 'uri' } };
}
