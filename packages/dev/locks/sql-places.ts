/** `left` replaces the part. */
export type Part = {
  operator: string;
  subject: string;
  start: number;
  end: number;
  left: string;
  isLock?: boolean;
};

const END =
  /\b(and|or|then|else|end|returning|order by|group by|limit|for (no key )?update|for (key )?share|on conflict|union|do|set|(?<!distinct )from|join|as|on|where|select|values)\b|[,;]/y;
const COMPARISON = /(?:<>|<=|>=|=|<|>|~|\?|\b(?:is|in)\b)/;

/**
 * Returns removable parts: clauses that lock, claim or order, and conditions. `masked` is `raw`
 * with masked values between `${` and `}`.
 */
export function sqlParts(raw: string, masked: string): Part[] {
  const parts: Part[] = [];
  const entry = (
    pattern: RegExp,
    make: (found: RegExpExecArray) => Omit<Part, 'start'> & { start?: number },
  ): void => {
    for (const found of masked.matchAll(pattern))
      parts.push({ start: found.index, ...make(found) });
  };

  const drop = (subject: string, end: number, isLock = false): Omit<Part, 'start'> => ({
    operator: 'drop',
    subject,
    end,
    left: '',
    isLock,
  });

  const findEnd = (found: RegExpExecArray): number => found.index + found[0].length;

  entry(/\bfor (?:(?:no key )?update|(?:key )?share)\b(?: of \w+)?(?: skip locked)?/g, (found) =>
    drop(found[0].replace(/ (of|skip) .*/, ''), findEnd(found), true),
  );
  entry(/ skip locked\b/g, (found) => drop('skip locked', findEnd(found), true));
  entry(/\bpg_(?:try_)?advisory_(?:xact_)?lock\b/g, (found) => ({
    ...drop(found[0], findEnd(found), true),
    left: 'abs',
  }));

  entry(/\block table \w+ in [\w ]+ mode\b/g, (found) => ({
    ...drop('lock table', findEnd(found), true),
    left: 'select 1',
  }));

  entry(/\bon conflict\b/g, (found) =>
    drop('on conflict', clauseEnd(masked, findEnd(found), /\breturning\b/y), true),
  );
  entry(/\bdo update\b/g, (found) => ({
    ...drop('do update', clauseEnd(masked, findEnd(found), /\breturning\b/y)),
    left: 'do nothing ',
  }));

  entry(/\border by\b/g, (found) =>
    drop(
      'order by',
      clauseEnd(
        masked,
        findEnd(found),
        /\b(?:limit|for (?:no key )?(?:update|share)|on conflict|returning|union)\b/y,
      ),
    ),
  );

  entry(/\+ 1\b/g, (found) => drop('+ 1', findEnd(found)));
  entry(/\bgreatest\(\w+, (.*?)\)/g, (found) => ({
    ...drop('greatest', findEnd(found)),
    left: raw.slice(findEnd(found) - 1 - found[1]!.length, findEnd(found) - 1),
  }));

  entry(/\bisolation level (?:repeatable read|serializable)\b/g, (found) =>
    drop('isolation level', findEnd(found)),
  );
  entry(/\bjoin (\w+) using \((\w+(?:, \w+)*), (\w+)\)/g, (found) => {
    const [, table = '', columns = '', last = ''] = found;
    return {
      ...drop(`using ${last}`, findEnd(found)),
      left: `join (select ${columns} from ${table}) ${table} using (${columns})`,
    };
  });

  return [...parts, ...conditions(raw, masked)];
}

function conditions(raw: string, masked: string): Part[] {
  const starts = masked.matchAll(/^\s*|\b(?:where|and|or|when|not|select|returning)\b\s*|[(,]\s*/g);
  return starts
    .flatMap((found) => {
      const start = found.index + found[0].length;
      const end = start + masked.slice(start, clauseEnd(masked, start, END)).trimEnd().length;
      const text = masked.slice(start, end);
      const compared = COMPARISON.exec(text);
      const table = /^(?:not )?exists \(\s*select .*? from (\w+)/s.exec(text);
      const isJoined =
        /^(?:where|and|or|when|not)/.test(found[0]) || /^\s*(?:and|or)\b/.test(masked.slice(end));
      if (text === '' || text.startsWith('(') || (compared === null && table === null && !isJoined))
        return [];

      const upTo = compared === null ? end : start + compared.index + compared[0].length;
      const subject =
        table === null ? raw.slice(start, upTo).replaceAll(/\s+/g, ' ') : `exists ${table[1]!}`;

      return ['true', 'false'].map((left) => ({ operator: left, subject, start, end, left }));
    })
    .toArray();
}

/**
 * Returns the end of a clause: before one of the words, an unmatched parenthesis, or the end of
 * the text.
 */
function clauseEnd(text: string, from: number, words: RegExp): number {
  let depth = 0;

  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && --depth < 0) return at;
    words.lastIndex = at;
    if (depth === 0 && words.test(text)) return at;
  }

  return text.length;
}
