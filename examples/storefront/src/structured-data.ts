import { useEffect } from 'react';
import { isProblem, jsonLd, type StructuredData } from '@carte/client/storefront';
import { attempt } from './api.ts';

/**
 * Writes JSON-LD into an existing element, because the page's policy forbids new script elements,
 * even for data.
 */
function showStructuredData(data: StructuredData): void {
  const text = document.getElementById('structured-data')!.firstChild as Text;
  text.data = jsonLd(data);
}

/**
 * Reads the markup of a view when `key` changes, unless `key` is null. Ignores outdated answers; a
 * missing object shows nothing.
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
