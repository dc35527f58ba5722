import { textErrors } from '../../kernel/pure/required-texts.ts';
import { optionalBaseUrl } from '../../platform/env/variables.ts';
import type { Check, Rule } from './rule.ts';

const LONGEST_URL = 2_000;

/** Hosts that a content security policy can contain. Its grammar has no IPv6. */
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** Requires visible characters and rejects control and invisible ones. */
export function text(most: number): Rule {
  const check: Check = (value, field) =>
    typeof value === 'string'
      ? textErrors({ [field]: value }, { [field]: most }, 'name')
      : [{ field, code: 'type', message: 'must be a text' }];

  return {
    check,
    schema: { type: 'string', minLength: 1, maxLength: most, pattern: String.raw`[^\p{C}\p{Z}]` },
  };
}

export function nullable({ check, schema }: Rule): Rule {
  return {
    check: (value, field) => (value === null ? [] : check(value, field)),
    schema: { ...schema, type: [schema['type'], 'null'] },
  };
}

/** Requires a host that a content security policy can contain. */
export const tilesUrl = (): Rule => httpUrl(({ hostname }) => HOST.test(hostname));

/** Accepts a URL to which paths can be appended. */
export const baseUrl = (): Rule =>
  httpUrl((_url, value) => {
    try {
      return optionalBaseUrl(value) !== null;
    } catch {
      return false;
    }
  });

/** Accepts HTTP URLs without a user. `isValid` also receives the text, which parsing changes. */
function httpUrl(isValid: (url: URL, value: string) => boolean): Rule {
  const { check: checkText, schema } = text(LONGEST_URL);
  const isHttpUrl = (value: string): boolean => {
    if (!/^https?:\/\//i.test(value) || /[\s\\]/.test(value) || !URL.canParse(value)) return false;
    const url = new URL(value);
    return url.username === '' && url.password === '' && isValid(url, value);
  };

  const check: Check = (value, field) => {
    const errors = checkText(value, field);
    if (errors.length > 0) return errors;
    return isHttpUrl(value as string)
      ? []
      : [{ field, code: 'format', message: 'must be a URL of HTTP or HTTPS' }];
  };

  return { check, schema: { ...schema, format: 'uri' } };
}
