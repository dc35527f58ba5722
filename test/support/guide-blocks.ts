import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './processes.ts';

const START = 'test/e2e/start.test.ts';
const COMPOSE = 'test/soak/guides.test.ts';

type Execution = { by: string; blocks?: number };

/**
 * Tests that execute the code blocks of each guide, by language (OPS-139). `start.test.ts` executes
 * the guides in this order on one instance.
 */
export const GUIDE_EXECUTIONS: Readonly<Record<string, Readonly<Record<string, Execution>>>> = {
  'storefront.md': {
    sh: { by: START },
    ts: { by: START },
    tsx: { by: 'test/soak/shop/starters.test.ts', blocks: 1 },
  },
  'admin.md': { sh: { by: START } },
  'console.md': {},
  'call-center.md': { sh: { by: START } },
  'erp-account.md': { sh: { by: START } },
  'move-to-carte.md': {},
  'keys.md': { sh: { by: START } },
  'operations.md': { sh: { by: START } },
  'from-an-empty-host.md': { sh: { by: COMPOSE } },
  'upgrade.md': { sh: { by: COMPOSE } },
  'events-and-webhooks.md': { js: { by: 'test/http/events/guide.test.ts', blocks: 2 } },
};

export const guidesExecutedBy = (test: string): string[] =>
  Object.keys(GUIDE_EXECUTIONS).filter((guide) => GUIDE_EXECUTIONS[guide]!['sh']?.by === test);

/** A fenced code block without its tab label. `indent` is the white space before its fence. */
type CodeBlock = { indent: string; language: string; code: string };

export const listCodeBlocks = (text: string): CodeBlock[] =>
  [...text.matchAll(/^( *)```([^`\n]*)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent, language, code]) => ({
      indent: indent!,
      language: language!.split(' ')[0]!,
      code: code!,
    }),
  );

export async function readCode(path: string, language: string): Promise<string[]> {
  const blocks = listCodeBlocks(await readFile(join(root, path), 'utf8'));
  return blocks.filter((block) => block.language === language).map(({ code }) => code);
}
