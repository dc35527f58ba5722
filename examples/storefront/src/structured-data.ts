import type { StructuredData } from '@carte/client/storefront';

/**
 * Puts JSON-LD into the document. The page has an element for it whose text is changed: its policy forbids scripts that are made by
 * scripts, and browsers do not distinguish data from code there.
 */
export function showStructuredData(data: StructuredData): void {
  const text = document.getElementById('structured-data')!.firstChild as Text;
  text.data = JSON.stringify(data).replaceAll('<', '\\u003c');
}
