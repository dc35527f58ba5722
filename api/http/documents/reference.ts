import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SAMPLE_HOST } from './code-samples.ts';
import { IMMUTABLE, keptAnswer, REVALIDATED, type KeptAnswer } from '../hot/kept-answer.ts';
import { page } from '../pages/page.ts';
import { PREFIXES, type Api } from '../route.ts';

const require = createRequire(import.meta.url);
const VIEWER = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The viewer uses inline styles. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const TITLES: Readonly<Record<Api, string>> = {
  public: 'Storefront',
  admin: 'Admin',
  webhooks: 'Webhooks',
};

const pathOf = (api: Api) => `/docs/${api}`;
/** Without a docs site, `/docs` also shows this API. */
const FIRST: Api = 'public';

/** Defines `showReference(element, url)`, also for the docs site. */
export const REFERENCE_SCRIPT = `${readFileSync(new URL('reference-view.js', import.meta.url), 'utf8')}
globalThis.showReference = referenceOf(${JSON.stringify(SAMPLE_HOST)});
`;

const START_SCRIPT = `${REFERENCE_SCRIPT}
const element = document.getElementById('reference');
showReference(element, element.dataset.document);
`;

const STYLE = `body{margin:0;font:16px/1.5 sans-serif;color:#222}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;padding:.75rem 1.5rem;border-bottom:1px solid #ddd}
header b{font-size:1.2rem}header a{color:inherit}header a[aria-current]{font-weight:bold;text-decoration:none}
.swagger-ui .info{margin:1.5rem 0}
.code-samples{margin:.5rem 1.25rem 1rem}.code-samples [role=tablist]{display:flex;gap:.25rem}
.code-samples button{padding:.4rem .8rem;border:0;border-radius:.25rem .25rem 0 0;background:#e4e4e4;color:#222;font:inherit;cursor:pointer}
.code-samples button:last-child{margin-left:auto}.code-samples button[aria-selected=true]{background:#222;color:#fff}
.code-samples pre{max-height:24rem;margin:0;padding:1rem;overflow:auto;background:#222;color:#fff;font:.85rem/1.5 monospace}`;

type Asset = { path: string; answer: KeptAnswer };
/** Files by path. `policy` replaces the default content security policy. */
export type ReferenceFiles = ReadonlyMap<string, { answer: KeptAnswer; policy?: string }>;

type Shown = { shown: readonly Api[]; hasSite: boolean };

export const referencePaths = ({ shown, hasSite }: Shown): string[] => [
  ...(hasSite ? [] : ['/docs', '/docs/:name']),
  ...shown.map((api) => `${PREFIXES[api]}/openapi.json`),
];

/** Returns the descriptions of the shown APIs. Includes their pages if there is no docs site. */
export function referenceFiles(
  documents: Readonly<Record<Api, string>>,
  { shown, hasSite }: Shown,
): ReferenceFiles {
  const files = new Map<string, { answer: KeptAnswer; policy?: string }>();

  for (const api of shown)
    files.set(`${PREFIXES[api]}/openapi.json`, {
      answer: keptAnswer('application/json', documents[api], REVALIDATED),
    });

  if (hasSite) return files;

  const asset = (name: string, type: string, content: string | Buffer): Asset => {
    const answer = keptAnswer(type, content, IMMUTABLE);
    return { path: `/docs/${name.replace('.', `-${answer.digest}.`)}`, answer };
  };

  const file = (name: string) => readFileSync(join(VIEWER, name));
  const viewer = asset('viewer.js', 'text/javascript', file('swagger-ui-bundle.js'));
  const start = asset('start.js', 'text/javascript', START_SCRIPT);
  const style = asset(
    'viewer.css',
    'text/css',
    Buffer.concat([file('swagger-ui.css'), Buffer.from(STYLE)]),
  );

  for (const { path, answer } of [viewer, start, style]) files.set(path, { answer });

  for (const api of shown) {
    const links = shown.map(
      (entry) =>
        `<a href="${pathOf(entry)}"${entry === api ? ' aria-current="page"' : ''}>${TITLES[entry]}</a>`,
    );

    const html = page({
      title: `Carte API: ${TITLES[api]}`,
      head: `<link rel="icon" href="data:,"><link rel="stylesheet" href="${style.path}">`,
      content: `<header><b>Carte API</b>${links.join('')}<a href="/problems">Problems</a><a href="/codes">Codes</a></header>
<div id="reference" data-document="${PREFIXES[api]}/openapi.json"></div>
<script src="${viewer.path}"></script><script src="${start.path}"></script>`,
    });

    const shownPage = {
      answer: keptAnswer('text/html; charset=utf-8', html, REVALIDATED),
      policy: PAGE_POLICY,
    };

    files.set(pathOf(api), shownPage);
    if (api === FIRST) files.set('/docs', shownPage);
  }

  return files;
}
