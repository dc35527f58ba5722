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
      onWhatTheyExtend(
        shortComments(code)
          .replace(PAGE, 'export type $1 = Page<$2>;')
          .replace(/^export interface (\w+Params) \{$[^}]*^\}$/gm, paging),
      ),
    ),
  );
}

/** What the formatter puts below each other stands beside each other: names, alternatives, short objects, calls. */
export const besideEachOther = (code: string): string =>
  shortCalls(shortObjects(alternativesOnLines(namesOnLines(code))));

/** As many of `parts` on each line as it has room for. */
function filledLines(parts: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${part}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(indent + part);
  }
  return lines;
}

const namesOnLines = (code: string): string =>
  code.replace(
    /^((?:import|export)(?: type)? \{)\n([^}]*)\n(\} from)/gm,
    (_, start: string, names: string, end: string) =>
      [start, ...filledLines(trimmed(names.split('\n')), '  '), end].join('\n'),
  );

const alternativesOnLines = (code: string): string =>
  code.replace(/(?:^ +\| [^\n{]+$\n?){2,}/gm, (all) => {
    const [indent = ''] = /^ +/.exec(all) ?? [];
    return `${filledLines(trimmed(all.split('\n')), indent).join('\n')}\n`;
  });

/** An object without comments and without objects inside is on one line. */
const shortObjects = (code: string): string =>
  code.replace(
    /^([^\n]*\{)\n((?: +\w+\??: [^\n{}]+;\n)+) *(\}[^\n]*)$/gm,
    (object, start: string, fields: string, end: string) => {
      const line = `${start} ${trimmed(fields.split('\n')).join(' ').slice(0, -1)} ${end}`;
      return line.length <= WIDTH && !line.includes('from ') ? line : object;
    },
  );

/** An operation is on the line of its comment, or on the next one. */
const shortCalls = (code: string): string =>
  code.replace(
    /^ {2}(?:(\/\*\* [^\n]* \*\/)\s)?\s*(\w+: (?:create|form|keyed|plain|read|with\w+)[<(][^]*?\),)$(?=\n(?: {2}[/\w]|\}))/gm,
    (entry, comment: string | undefined, call: string) => {
      const line = trimmed(call.split('\n'))
        .join(' ')
        .replace(/([<(]) | (?=[>)])|,(?= [>)])/g, '$1');
      if (`  ${line}`.length > WIDTH) return entry;
      const both = `  ${comment ?? ''} ${line}`;
      return comment === undefined ? `  ${line}` : both.length <= WIDTH ? both : `  ${comment}\n  ${line}`;
    },
  );

const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter((line) => line !== '');

const INTERFACE = /^export interface (\w+) \{\n([^]*?)^\}$/gm;
/** Fields that two types begin with by chance are fewer. */
const SHARED_FIELDS = 4;

/** A type that begins with all fields of another one is told by what it has besides. */
function onWhatTheyExtend(code: string): string {
  const bodies = [...code.matchAll(INTERFACE)].map(([, name = '', body = '']) => ({ name, body }));
  const fieldsOf = (body: string) => body.match(/^ {2}\w+\??:/gm)?.length ?? 0;
  return code.replace(INTERFACE, (text, name: string, body: string) => {
    const own = bodies.findIndex((each) => each.name === name);
    const [base] = bodies
      .filter((other, at) => (other.body === body ? at < own : body.startsWith(other.body)))
      .filter((other) => fieldsOf(other.body) >= SHARED_FIELDS)
      .toSorted((a, b) => b.body.length - a.body.length);
    if (base === undefined) return text;
    if (base.body === body) return `export type ${name} = ${base.name};`;
    return `export interface ${name} extends ${base.name} {\n${body.slice(base.body.length)}}`;
  });
}

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
