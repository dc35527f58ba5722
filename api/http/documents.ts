import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from '@koa/router';
import { PROBLEMS, type ProblemKind } from '../../contracts/problems.ts';
import type { HttpMiddleware } from './context.ts';
import { openApiDocument } from './openapi.ts';
import { problemBody } from './problem-body.ts';
import { Problem } from '../../contracts/problem.ts';
import { PREFIXES, type Contour, type Route } from './route.ts';

const require = createRequire(import.meta.url);
const SCALAR = join(dirname(require.resolve('@scalar/api-reference')), 'browser/standalone.js');
const CONTOURS: readonly Contour[] = ['public', 'admin', 'webhooks'];

/** The reference page loads nothing from elsewhere; the viewer styles itself inline. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** `/docs`, the OpenAPI documents of all contours and one page for each kind of problem. Built once, at start. */
export function documents(routes: readonly Route[]): HttpMiddleware {
  const router = new Router();
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
    ctx.type = 'html';
    ctx.body = problemList();
  });
  router.get('/problems/:kind', (ctx) => {
    const kind = Object.keys(PROBLEMS).find((each): each is ProblemKind => each === ctx.params['kind']);
    if (kind === undefined) throw new Problem('not-found');
    ctx.type = 'html';
    ctx.body = problemPage(kind);
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

function problemList(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([kind, { status, title }]) =>
      `<li><a href="/problems/${kind}"><code>${kind}</code></a> ${status} ${escapeHtml(title)}</li>`,
  );
  return page('Problems', `<h1>Problems</h1><ul>${rows.join('')}</ul>`);
}

function problemPage(kind: ProblemKind): string {
  const { status, title, when } = PROBLEMS[kind];
  const example = problemBody(new Problem(kind), { instance: `${PREFIXES.admin}/…`, requestId: '…' });
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1><p>Status ${status}, <code>type</code> <code>/problems/${kind}</code></p>
     <p>${escapeHtml(when)}</p><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>
     <p><a href="/problems">All problems</a></p>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title></head><body>${content}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
