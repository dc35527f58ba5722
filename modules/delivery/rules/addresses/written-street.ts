import { streetKinds } from './address-kinds.ts';
import { parseHouse } from './house-number.ts';
import { plainWord } from './plain-word.ts';

const KINDS = streetKinds(plainWord);

export type WrittenStreet = { name: string; house: string | null };

/**
 * Removes remarks in parentheses, and a house after a comma, or after a blank if it is `house`
 * (FUL-75).
 */
export function withoutHouse(street: string, house?: string): WrittenStreet {
  const plain = street
    .replaceAll(/\(([^()]*)\)/g, (brackets, remark: string) => (namesKind(remark) ? brackets : ' '))
    .trim();
  if (!/[\p{L}\p{N}]/u.test(plain)) return { name: street, house: null };

  const parts = plain.split(/[,;]/);

  for (let at = 1; at < parts.length; at += 1) {
    const written = parseHouse(parts.slice(at).join(','));
    if (written !== null) return { name: parts.slice(0, at).join(','), house: written };
  }

  const [, name, number] = /^(.*\p{L}.*?)\s+((?:д(?:ом)?[.\s]\s*)?\p{N}\S*)$/iu.exec(plain) ?? [];
  if (name === undefined || number === undefined || house === undefined)
    return { name: plain, house: null };

  return parseHouse(number) === house ? { name, house } : { name: plain, house: null };
}

const namesKind = (text: string): boolean =>
  (text.match(/\p{L}[\p{L}/-]+/gu) ?? []).some((word) => KINDS.has(plainWord(word)));
