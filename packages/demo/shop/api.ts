import { PublicApi } from '../../client/src/storefront.ts';
import { isProblem } from '../../client/src/transport.ts';
import { tell } from './dom.ts';
import { accessToken } from './sign-in.ts';

/** The only way in which this shop speaks with the server. */
export const api = new PublicApi({ baseUrl: location.origin });

/** The options of calls for a customer who has signed in; none for a guest. */
export function asCustomer(): { headers: Record<string, string> } {
  const token = accessToken();
  return { headers: token === null ? {} : { Authorization: `Bearer ${token}` } };
}

/** Runs what a click has begun. A refusal is shown with its text and returned as null. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  tell('messages', '');
  try {
    return await work();
  } catch (error) {
    if (isProblem(error, 'rate-limited'))
      tell('messages', `Слишком много запросов. Повторите через ${error.retryAfter ?? 5} с.`);
    else if (isProblem(error))
      tell('messages', [error.problem.title, ...(error.problem.errors ?? []).map((each) => each.message)].join(' '));
    else if (error instanceof TypeError) tell('messages', 'Сервер не отвечает. Проверьте соединение и повторите.');
    else throw error;
    return null;
  }
}

/**
 * Calls `work` every `seconds` while the page is visible; a failure is shown, and left to the next
 * time. Returns a function that ends it.
 */
export function every(seconds: number, work: () => Promise<void>): () => void {
  let isBusy = false;
  const tick = async () => {
    if (isBusy || document.hidden) return;
    isBusy = true;
    try {
      await work();
    } catch {
      tell('news', 'Нет связи с сервером: то, что вы видите, могло измениться.');
    }
    isBusy = false;
  };
  const timer = setInterval(() => void tick(), seconds * 1000);
  return () => clearInterval(timer);
}
