// Takes out of generated types what repeats itself, so that a person can read the client from one end to the other.

const PAGING = [
  '  /** Number of the page, from 1. */',
  '  page?: number;',
  '  /** Number of items on a page. */',
  '  size?: number;',
]
  .map((line) => `${line}\n`)
  .join('');
const PAGE =
  /^export interface (\w+) \{\n {2}items: (\w+)\[\];\n {2}page: number;\n {2}size: number;\n[^\n]*\n {2}total: number;\n\}$/gm;
const WIDTH = 120;
/** A field with its comment that is read at one glance. */
const SHORT = 80;

/** The same types in fewer lines: comments on one line, pages and their parameters by name, equal parameters once. */
export function folded(code: string): string {
  return besideFields(
    equalParamsOnce(
      shortComments(code)
        .replace(PAGE, 'export type $1 = Page<$2>;')
        .replace(/^export interface (\w+Params) \{$[^}]*^\}$/gm, paging),
    ),
  );
}

/** Names that a file imports or exports stand beside each other, not below. */
export const namesOnLines = (code: string): string =>
  code.replace(
    /^((?:import|export)(?: type)? \{)\n([^}]*)\n(\} from)/gm,
    (_, start: string, names: string, end: string) => {
      const lines: string[] = [];
      for (const name of names.split('\n').map((each) => each.trim())) {
        const last = lines.at(-1);
        if (last !== undefined && `  ${last} ${name}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${name}`;
        else lines.push(name);
      }
      return [start, ...lines.map((line) => `  ${line}`), end].join('\n');
    },
  );

/** A short comment stands before its field, on its line; limits stand there as long as there is room. */
const besideFields = (code: string): string =>
  code.replace(/^( +\/\*\* (@?)[^\n]*\*\/)\n *(\w[^\n]*)/gm, (both, comment: string, limit: string, field: string) =>
    `${comment} ${field}`.length <= (limit === '' ? SHORT : WIDTH) ? `${comment} ${field}` : both,
  );

/** A comment that fits on a line is on one line; formats and money are told by the names of types. */
function shortComments(code: string): string {
  return code
    .replace(/^( *)\/\*\*\n([^]*?)\n *\*\/$/gm, (comment, indent: string, inside: string) => {
      const lines = inside.split('\n').map((line) => line.replace(/^ *\* ?/, '').trim());
      const told = lines.filter((line) => !/^(@format (uuid|date-time|money))?$/.test(line));
      const short = `${indent}/** ${told.join(' ')} */`;
      return told.length === 0 ? '' : short.length <= WIDTH ? short : comment;
    })
    .replace(/^ *\/\*\* (@format (uuid|date-time|money)|Roubles \(RUB\) with two decimals\.) \*\/\n/gm, '')
    .replace(/^ *\n(?= {2})/gm, '');
}

const paging = (params: string, name: string): string =>
  params
    .replace(PAGING, '')
    .replace(name, params.includes(PAGING) ? `${name} extends Paging` : name)
    .replace(/^export interface (\w+) extends Paging \{\n\}$/, 'export type $1 = Paging;');

/** Parameters of several operations are declared with the first of them; the others are other names of them. */
function equalParamsOnce(code: string): string {
  const first = new Map<string, string>();
  return code
    .replace(
      /^export interface (\w+Params)( extends Paging)? (\{$[^}]*^\})$/gm,
      (params, name: string, base = '', body: string) => {
        const known = first.get(base + body);
        first.set(base + body, known ?? name);
        return known === undefined ? params : `export type ${name} = ${known};`;
      },
    )
    .replace(/^(export type \w+Params = \w+;)\n+(?=export type \w+Params = \w+;)/gm, '$1\n');
}

const DECLARATION =
  /^(?:\/\*\*[^\n]*\*\/\n)?export (?:interface (\w+)(?: extends \w+)? \{\n[^]*?^\}|type (\w+) =[^;]*;)\n*/gm;

/**
 * `code` without the types that `other` declares in the same words: they are imported from there when the rest names them, and exported as
 * its own. Parameters stay, because each belongs to its operation.
 */
export function sharedWith(code: string, other: string, from: string): string {
  const declared = new Map([...other.matchAll(DECLARATION)].map((each) => [each[1] ?? each[2] ?? '', each[0].trim()]));
  const shared: string[] = [];
  const rest = code.replace(DECLARATION, (text, one?: string, two?: string) => {
    const name = one ?? two ?? '';
    if (name.endsWith('Params') || declared.get(name) !== text.trim()) return text;
    shared.push(name);
    return '';
  });
  if (shared.length === 0) return code;
  const used = shared.filter((name) => new RegExp(`\\b${name}\\b`).test(rest));
  const imports = used.length === 0 ? '' : `import type { ${used.join(', ')} } from '${from}';\n`;
  return `${imports}export type { ${shared.join(', ')} } from '${from}';\n${rest}`;
}
