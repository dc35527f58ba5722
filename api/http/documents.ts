import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from '@koa/router';
import { PROBLEMS, type ProblemKind } from '../../contracts/problems.ts';
import type { HttpMiddleware } from './context.ts';
import { openApiDocument } from './openapi.ts';
import { PROBLEM_EXAMPLES } from './problem-examples.ts';
import { Problem } from '../../contracts/problem.ts';
import { PREFIXES, type Contour, type Route } from './route.ts';

const require = createRequire(import.meta.url);
const SCALAR = join(dirname(require.resolve('@scalar/api-reference')), 'browser/standalone.js');
const KINDS = Object.keys(PROBLEMS) as ProblemKind[];
const CONTOURS: readonly Contour[] = ['public', 'admin', 'webhooks'];

/** The reference page loads nothing from elsewhere; the viewer styles itself inline. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** `/docs`, the OpenAPI documents of all contours and one page for each kind of problem. Built once, at start. */
export function documents(routes: readonly Route[]): HttpMiddleware {
  const router = new Router({ sensitive: true });
  for (const contour of CONTOURS) {
    const text = JSON.stringify(openApiDocument(contour, routes));
    router.get(`${PREFIXES[contour]}/openapi.json`, (ctx) => {
      ctx.type = 'application/json';
      ctx.body = text;
    });
  }
  router.get('/', (ctx) => ctx.redirect('/docs'));
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    ctx.type = 'html';
    ctx.body = page(
      'Carte API',
      '<div id="reference"></div><script src="/docs/viewer.js"></script><script src="/docs/start.js"></script>',
    );
  });
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = START_SCRIPT;
  });
  router.get('/docs/viewer.js', (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.type = 'text/javascript';
    ctx.body = createReadStream(SCALAR);
  });
  router.get('/problems', (ctx) => {
    if (ctx.accepts('html', 'json') === 'json') ctx.body = { items: KINDS.map(problemEntry) };
    else ctx.body = problemList();
  });
  router.get('/problems/:kind', (ctx) => {
    const kind = KINDS.find((each) => each === ctx.params['kind']);
    if (kind === undefined) throw new Problem('not-found');
    ctx.body = ctx.accepts('html', 'json') === 'json' ? problemEntry(kind) : problemPage(kind);
  });
  return router.routes() as unknown as HttpMiddleware;
}

const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify({
  withDefaultFonts: false,
  telemetry: false,
  sources: [
    { title: 'Storefront', slug: 'storefront', url: `${PREFIXES.public}/openapi.json` },
    { title: 'Admin', slug: 'admin', url: `${PREFIXES.admin}/openapi.json` },
    { title: 'Webhooks', slug: 'webhooks', url: `${PREFIXES.webhooks}/openapi.json` },
  ],
})});\n`;

/** What the pages say, for programs: answered to those that ask for JSON. */
function problemEntry(kind: ProblemKind): Record<string, unknown> {
  return { kind, type: `/problems/${kind}`, ...PROBLEMS[kind], example: PROBLEM_EXAMPLES[kind].value };
}

function problemList(): string {
  const rows = KINDS.map((kind) => {
    const { status, title } = PROBLEMS[kind];
    return `<li><a href="/problems/${kind}"><code>${kind}</code></a> ${status} ${escapeHtml(title)}</li>`;
  });
  return page(
    'Problems',
    `<h1>Problems</h1><p>Every refusal is an <code>application/problem+json</code> answer; the last segment of its <code>type</code> is one
     of these kinds.</p><ul>${rows.join('')}</ul><p><a href="/docs">API reference</a></p>`,
    STYLE,
  );
}

function problemPage(kind: ProblemKind): string {
  const { status, title, when } = PROBLEMS[kind];
  const { value: example } = PROBLEM_EXAMPLES[kind];
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1><p>Status ${status}, <code>type</code> <code>/problems/${kind}</code></p>
     <p>${escapeHtml(when)}</p><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>
     <p><a href="/problems">All problems</a></p>`,
    STYLE,
  );
}

const STYLE =
  'h1,p,ul,pre{max-width:45rem;margin:1rem auto;padding:0 1rem;font:1rem/1.5 sans-serif}h1{font-size:1.6rem}pre{overflow:auto;font-family:monospace}';

function page(title: string, content: string, style = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${content}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
