/** A page of ours; `title` is text, `head` and `content` are HTML. */
export function page({ title, head = '', content }: { title: string; head?: string; content: string }): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>${head}</head><body>${content}</body></html>`;
}

/** Text as HTML, also inside an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
