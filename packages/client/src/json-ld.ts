import type { StructuredData } from './generated/public.ts';

/**
 * Markup for search engines as the text of `<script type="application/ld+json">`: JSON in which no
 * name of a dish ends the element.
 */
export const jsonLd = (data: StructuredData): string =>
  JSON.stringify(data).replaceAll('<', '\\u003c');
