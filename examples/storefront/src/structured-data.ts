import type { StructuredData } from '@carte/client/storefront';

/**
 * Puts JSON-LD into the document, as the text of an element of the page. The policy of the page
 * forbids new script elements, and browsers apply it to data too.
 */
export function showStructuredData(data: StructuredData): void {
  const text = document.getElementById('structured-data')!.firstChild as Text;
  text.data = JSON.stringify(data).replaceAll('<', '\\u003c');
}
