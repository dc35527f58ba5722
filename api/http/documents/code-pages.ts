import {
  CODE_LISTS,
  codeEntry,
  listCodes,
  codeUrl,
  listMeaning,
  listTodo,
  type CodeListName,
  type CodeRepair,
} from '../../../kernel/pure/codes.ts';
import { readCodeExamples, type CodeExample } from './code-examples.ts';
import { ARTICLE_STYLE, escapeHtml, page, withCode } from '../pages/page.ts';

export type CodeMeaning = {
  list: CodeListName;
  purpose: string;
  meaning: string;
  fields: readonly string[];
  repair: CodeRepair | null;
  todo: string;
  notEmitted: string | null;
  example: CodeExample | null;
};

export type CodePage = { code: string; url: string; meanings: readonly CodeMeaning[] };

const NAMES = [...new Set<string>(listCodes(...CODE_LISTS))].toSorted();

export function codePages(): CodePage[] {
  const examples = readCodeExamples();
  return NAMES.map((code) => ({
    code,
    url: codeUrl(code),
    meanings: CODE_LISTS.flatMap((list) => {
      const entry = codeEntry(list, code);
      if (entry === undefined) return [];
      const { meaning, fields = [], repair = null, notEmitted = null } = entry;
      const example = examples[list]?.[code] ?? null;
      const todo = describeRepair(repair) ?? listTodo(list);

      return [
        { list, purpose: listMeaning(list), meaning, fields, repair, todo, notEmitted, example },
      ];
    }),
  }));
}

/** Returns Markdown, or undefined without additional fields. */
export const fieldsText = ({ fields }: CodeMeaning): string | undefined =>
  fields.length === 0 ? undefined : `Fields: ${fields.map((name) => `\`${name}\``).join(', ')}.`;

/** Returns undefined if a client cannot repair the cause. */
function describeRepair(repair: CodeRepair | null): string | undefined {
  if (repair === null || typeof repair === 'string') return repair ?? undefined;
  const { action, when } = repair;
  const condition = when === undefined ? '' : ` It is present only if ${when}.`;
  return `\`${action}\`. ${codeEntry('RepairAction', action)!.meaning}${condition}`;
}

/** Returns Markdown (rule HTTP-66). */
export const todoText = ({ todo }: CodeMeaning): string => `What to do: ${todo}`;

/** Returns the operation of the example, or why there is none. */
export const sourceText = ({ notEmitted, example }: CodeMeaning): string =>
  example === null
    ? `No answer contains it: ${notEmitted}`
    : `Recorded in an answer of \`${example.operation}\`:`;

export function codeListHtml(pages: readonly CodePage[]): string {
  const rows = pages.map(
    ({ code, url, meanings }) =>
      `<li><a href="${url}"><code>${code}</code></a> ${meanings.map(({ meaning }) => withCode(meaning)).join(' ')}</li>`,
  );

  return page({
    title: 'Codes',
    head: ARTICLE_STYLE,
    content: `<h1>Codes</h1><p>Every code that an answer of the storefront API can contain. Newer versions add codes.</p><ul>${rows.join('')}</ul>`,
  });
}

/** Renders HTML with a section for each list. */
export function codePageHtml({ code, meanings }: CodePage): string {
  const sections = meanings.map((meaning) => {
    const texts = [
      meaning.purpose,
      meaning.meaning,
      fieldsText(meaning),
      todoText(meaning),
      sourceText(meaning),
    ];

    const paragraphs = texts.flatMap((text) =>
      text === undefined ? [] : [`<p>${linked(text)}</p>`],
    );
    const { example } = meaning;
    const json =
      example === null ? '' : `<pre>${escapeHtml(JSON.stringify(example.object, null, 2))}</pre>`;

    return `<h2><code>${meaning.list}</code></h2>${paragraphs.join('')}${json}`;
  });

  return page({
    title: code,
    head: ARTICLE_STYLE,
    content: `<h1><code>${code}</code></h1>${sections.join('')}<p><a href="/codes">All codes</a></p>`,
  });
}

const linked = (text: string): string =>
  withCode(text).replaceAll(/<code>([A-Z_]+)<\/code>/g, (whole, name: string) =>
    NAMES.includes(name) ? `<a href="${codeUrl(name)}">${whole}</a>` : whole,
  );
