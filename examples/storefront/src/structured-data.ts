import { useEffect } from 'react';
import { isProblem, jsonLd, type StructuredData } from '@carte/client/storefront';
import { attempt } from './api.ts';

/**
 * Puts JSON-LD into the document, as the text of an element of the page. The policy of the page
 * forbids new script elements, and browsers apply it to data too.
 */
function showStructuredData(data: StructuredData): void {
  const text = document.getElementById('structured-data')!.firstChild as Text;
  text.data = jsonLd(data);
}

/**
 * Reads what a view shows with its markup, again whenever `key` changes; null reads nothing. An
 * answer that is outdated by then is ignored, and a missing object shows nothing.
 */
export function useMarkup<T extends { markup: StructuredData }>(
  key: string | null,
  read: () => Promise<T>,
  onRead?: (found: T) => void,
): void {
  useEffect(() => {
    if (key === null) return;
    let isLatest = true;
    const show = async () => {
      try {
        const found = await read();
        if (!isLatest) return;
        showStructuredData(found.markup);
        onRead?.(found);
      } catch (error) {
        if (!isProblem(error, 'not-found')) throw error;
      }
    };
    void attempt(show);
    return () => {
      isLatest = false;
      showStructuredData({});
    };
  }, [key]);
}
