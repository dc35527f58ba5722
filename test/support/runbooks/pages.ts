import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../processes.ts';

export type Section = {
  text: string;
  statements: string[];
  queries: string[];
  /** Execution ids with placeholders in braces. */
  executions: string[];
  schedules: string[];
  steps: string[];
  relays: string[];
  calls: string[];
  statusFields: string[];
};

export async function runbookSections(
  page: 'alerts' | 'procedures',
): Promise<Map<string, Section>> {
  const text = await readFile(join(root, `docs/runbooks/${page}.md`), 'utf8');
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => [
        part.slice(0, part.indexOf('\n')).trim(),
        parseSection(part.slice(part.indexOf('\n') + 1)),
      ]),
  );
}

const ID = /^[a-z-]+(?:\/[a-z-]+)*(?:\/\{\w+\}(?:\/[a-z]+)?)+$/;

export function parseSection(text: string): Section {
  const prose = text.replaceAll(/^ *```\w*\n[^`]+```/gm, '');
  const codes = codesIn(prose);
  const status =
    /^\*\*In (?:\/sync\/status|the admin API)\.\*\*(?:(?!\n\n)[^])*/m.exec(prose)?.[0] ?? '';
  return {
    text,
    statements: [...text.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = '']) => sql),
    queries: codes.filter((code) => / ?= ?"/.test(code)),
    executions: codes.filter((code) => ID.test(code) && !code.startsWith('schedule/')),
    schedules: codes.filter((code) => code.startsWith('schedule/')),
    steps: [...prose.matchAll(/`([a-z-]+)`\s+among\s+the\s+\[steps of upkeep\]/g)].map(
      ([, step = '']) => step,
    ),
    relays: [...prose.matchAll(/`([a-z-]+)`\s+among\s+the\s+\[relays\]/g)].map(
      ([, relay = '']) => relay,
    ),
    calls: codes.filter((code) => /^(GET|POST|PUT|PATCH|DELETE) \//.test(code)),
    // `details` is a field of notifications.
    statusFields: codesIn(status).filter((code) =>
      /^(?!details\.)[a-zA-Z]+(\[\])?(\.[a-zA-Z]+(\[\])?)*$/.test(code),
    ),
  };
}

function codesIn(prose: string): string[] {
  const codes = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  );
  return [...new Set(codes)];
}

export type Ids = Readonly<Record<string, string | number>>;

/** Replaces placeholders in braces or angle brackets. Throws if an id was not provoked. */
export function filled(text: string, ids: Ids): string {
  return text.replaceAll(
    /\{(\w+)\}|<(\w+)>/g,
    (_, braces: string | undefined, angles: string | undefined) => {
      const name = braces ?? angles ?? '';
      const id = ids[name];
      if (id === undefined) throw new Error(`"${text}": nothing says what ${name} is`);
      return String(id);
    },
  );
}
