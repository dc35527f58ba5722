import { Router } from '@koa/router';
import { PROBLEMS, type ProblemKind } from '../../../kernel/pure/problems.ts';
import type { Env } from '../../../modules/env.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { openApiDocument } from './openapi.ts';
import { PROBLEM_EXAMPLES } from '../problems/problem-examples.ts';
import { Problem } from '../../../kernel/problem.ts';
import { codeListHtml, codePageHtml, codePages, type CodePage } from './code-pages.ts';
import { ARTICLE_STYLE, escapeHtml, page, withCode } from '../pages/page.ts';
import { referenceFiles, referencePaths, type ReferenceFiles } from './reference.ts';
import type { LimitByAddress } from '../limits/request-limits.ts';
import type { Api, Route } from '../route.ts';
import { securityText } from './security-text.ts';

const KINDS = Object.keys(PROBLEMS) as ProblemKind[];

type Descriptions = Readonly<Record<Api, string>>;

const buildDescriptions = (routes: readonly Route[]): Descriptions => ({
  public: JSON.stringify(openApiDocument('public', routes)),
  admin: JSON.stringify(openApiDocument('admin', routes)),
  webhooks: JSON.stringify(openApiDocument('webhooks', routes)),
});

/** Responses link to problems and codes, so these are always served. */
export const SHOWN: Readonly<Record<Env['API_DOCS'], readonly Api[]>> = {
  all: ['public', 'admin', 'webhooks'],
  storefront: ['public'],
  none: [],
};

/**
 * Serves documents (rule HTTP-28) with a separate rate limit (rule HTTP-20). Built on first
 * request (100 ms).
 */
export function documents(
  routes: readonly Route[],
  env: Pick<Env, 'API_DOCS' | 'DOCS_SITE' | 'SECURITY_CONTACT'>,
  limit: LimitByAddress,
): HttpMiddleware {
  const router = new Router({ sensitive: true, strict: true });
  const shown = SHOWN[env.API_DOCS];
  router.use(async (ctx, next) => {
    limit(ctx as unknown as HttpContext, 'documents');
    await next();
  });

  if (shown.length > 0) {
    let files: ReferenceFiles | undefined;
    const options = { shown, hasSite: env.DOCS_SITE };
    router.get(referencePaths(options), (ctx) => {
      const file = (files ??= referenceFiles(buildDescriptions(routes), options)).get(ctx.path);
      if (file === undefined) throw new Problem('not-found');
      if (file.policy !== undefined) ctx.set('Content-Security-Policy', file.policy);
      return file.answer.send(ctx as unknown as HttpContext);
    });

    router.get('/', (ctx) => ctx.redirect('/docs'));
  }

  if (env.SECURITY_CONTACT !== '')
    router.get('/.well-known/security.txt', (ctx) => {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = securityText(env.SECURITY_CONTACT, Date.now());
    });

  router.get('/problems', (ctx) => {
    if (ctx.accepts('html', 'json') === 'json') ctx.body = { items: KINDS.map(problemEntry) };
    else ctx.body = problemList(shown.length > 0);
  });

  router.get('/problems/:kind', (ctx) => {
    const kind = KINDS.find((entry) => entry === ctx.params['kind']);
    if (kind === undefined) throw new Problem('not-found');
    ctx.body = ctx.accepts('html', 'json') === 'json' ? problemEntry(kind) : problemPage(kind);
  });

  let codes: CodePage[] | undefined;
  router.get('/codes', (ctx) => {
    codes ??= codePages();
    ctx.body = ctx.accepts('html', 'json') === 'json' ? { items: codes } : codeListHtml(codes);
  });

  router.get('/codes/:code', (ctx) => {
    const codePage = (codes ??= codePages()).find(({ code }) => code === ctx.params['code']);
    if (codePage === undefined) throw new Problem('not-found');
    ctx.body = ctx.accepts('html', 'json') === 'json' ? codePage : codePageHtml(codePage);
  });

  return router.routes() as unknown as HttpMiddleware;
}

function problemEntry(kind: ProblemKind): Record<string, unknown> {
  return {
    kind,
    type: `/problems/${kind}`,
    ...PROBLEMS[kind],
    example: PROBLEM_EXAMPLES[kind].value,
  };
}

function problemList(hasReference: boolean): string {
  const rows = KINDS.map((kind) => {
    const { status, title } = PROBLEMS[kind];
    return `<li><a href="/problems/${kind}"><code>${kind}</code></a> ${status} ${escapeHtml(title)}</li>`;
  });

  return page({
    title: 'Problems',
    head: ARTICLE_STYLE,
    content: `<h1>Problems</h1><p>Every error is an <code>application/problem+json</code> response; the last segment of its <code>type</code> is one
     of these kinds.</p><ul>${rows.join('')}</ul>${hasReference ? '<p><a href="/docs">API reference</a></p>' : ''}`,
  });
}

function problemPage(kind: ProblemKind): string {
  const { status, title, when, todo } = PROBLEMS[kind];
  const { value: example } = PROBLEM_EXAMPLES[kind];

  return page({
    title,
    head: ARTICLE_STYLE,
    content: `<h1>${escapeHtml(title)}</h1><p>Status ${status}, <code>type</code> <code>/problems/${kind}</code></p>
     <p>${withCode(when)}</p><p>What to do: ${withCode(todo)}</p><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>
     <p><a href="/problems">All problems</a></p>`,
  });
}
