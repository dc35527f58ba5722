/** Renders a page. `head` and `content` are HTML. */
export function page({
  title,
  head = '',
  content,
}: {
  title: string;
  head?: string;
  content: string;
}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>${head}</head><body>${content}</body></html>`;
}

/** Also for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Escapes text, with code in backticks. */
export function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

export const ARTICLE_STYLE =
  '<style>h1,h2,p,ul,pre{max-width:45rem;margin:1rem auto;padding:0 1rem;font:1rem/1.5 sans-serif}h1{font-size:1.6rem}h2{font-size:1.2rem}pre{overflow:auto;font-family:monospace}</style>';
