import { useEffect } from 'react';
import { isProblem, type StructuredData } from '@carte/client/storefront';
import { api, attempt } from './api.ts';

/**
 * Puts JSON-LD into the document, as the text of an element of the page. The policy of the page
 * forbids new script elements, and browsers apply it to data too.
 */
export function showStructuredData(data: StructuredData): void {
  const text = document.getElementById('structured-data')!.firstChild as Text;
  text.data = JSON.stringify(data).replaceAll('<', '\\u003c');
}

/**
 * Shows the markup of a restaurant and its menu while the component is shown. It is read after the
 * menu, so that guests do not wait for it (STO-20).
 */
export function useRestaurantData(organizationId: string, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    let isLatest = true;
    const read = async () => {
      try {
        const { data } = await api.getStructuredData({ organization_id: organizationId });
        if (isLatest) showStructuredData(data);
      } catch (error) {
        if (!isProblem(error, 'not-found')) throw error;
      }
    };
    void attempt(read);
    return () => {
      isLatest = false;
      showStructuredData({});
    };
  }, [organizationId, isReady]);
}
