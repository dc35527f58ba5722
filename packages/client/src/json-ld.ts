import type { StructuredData } from './generated/public.ts';

/**
 * Returns markup for search engines as the text of `<script type="application/ld+json">`. No name
 * of a dish can end the element.
 */
export const jsonLd = (data: StructuredData): string =>
  JSON.stringify(data).replaceAll('<', '\\u003c');
