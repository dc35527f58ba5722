import type { CategoryEdit } from './schemas/catalog-requests.ts';

type Texts = Pick<CategoryEdit, 'seoTitle' | 'seoDescription'>;

/** The texts for search engines that a request names, as they are stored: without blanks around them, null when nothing is left. */
export function storedTexts({ seoTitle, seoDescription }: Texts): Texts {
  return {
    ...(seoTitle === undefined ? {} : { seoTitle: stored(seoTitle) }),
    ...(seoDescription === undefined ? {} : { seoDescription: stored(seoDescription) }),
  };
}

const stored = (text: string | null): string | null => text?.trim() || null;
