import { isProblem, PublicApi } from '@carte/client/storefront';
import { accessToken } from './sign-in.ts';
import { shop, update } from './store.ts';
import { t, textOfCode } from './texts.ts';

/** The storefront API of the page's origin, in the language of the page. */
export const api = new PublicApi({ baseUrl: location.origin, language: () => shop().language });

/** Request options for a signed-in customer; empty for a guest. */
export function asCustomer(): { headers: Record<string, string> } {
  const token = accessToken();
  return { headers: token === null ? {} : { Authorization: `Bearer ${token}` } };
}

/** True if there was no connection or no answer in time. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/** Runs a call. Shows a rejection to the guest and returns null. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  update({ message: '' });
  try {
    return await work();
  } catch (error) {
    if (isProblem(error, 'rate-limited'))
      update({ message: t('problem.rate-limited', { count: error.retryAfter ?? 5 }) });
    else if (isProblem(error))
      update({ message: textOfCode('problem', error.kind) ?? t('problem.other') });
    else if (isUnanswered(error)) update({ message: t('problem.noAnswer') });
    else throw error;
    return null;
  }
}

/** Announces that live data may be outdated. */
export const reportFailure = (): void => update({ news: t('problem.outdated') });
