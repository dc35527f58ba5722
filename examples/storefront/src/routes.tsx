import {
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from 'react';
import { t } from './texts.ts';

// Five views need no router: a table of paths and the history of the browser.

export type View = { name: 'menu' | 'dish' | 'cart' | 'checkout' | 'order'; id: string };

const PATHS: readonly (readonly [View['name'], RegExp])[] = [
  ['dish', /^\/dish\/([^/]+)$/],
  ['cart', /^\/cart$/],
  ['checkout', /^\/checkout$/],
  ['order', /^\/order\/([^/]+)$/],
];

/** State of a history entry. "Back" can leave an entry that the shop has added. */
type Entry = { isOurs?: boolean; scrollY?: number } | null;

const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());
const entry = (): Entry => history.state as Entry;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Decodes a part of a path. An invalid encoding is returned unchanged and matches nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function useView(): View {
  const path = useSyncExternalStore(subscribe, () => location.pathname);
  for (const [name, pattern] of PATHS) {
    const found = pattern.exec(path);
    if (found !== null) return { name, id: decoded(found[1] ?? '') };
  }
  return { name: 'menu', id: '' };
}

/** Shows the view of a path. "Back" restores the scroll position. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(entry(), '', path);
  else {
    history.replaceState({ ...entry(), scrollY }, '');
    history.pushState({ isOurs: true }, '', path);
  }
  notify();
}

/** Returns to the previous view, or to the menu if the guest came from another site. */
export function leave(): void {
  if (entry()?.isOurs === true) history.back();
  else go('/');
}

/** The path of a dish. It includes the restaurant, because each restaurant has its own menu. */
export const dishPath = (slug: string, organizationId: string): string =>
  `/dish/${encodeURIComponent(slug)}?restaurant=${organizationId}`;

export function Link({
  to,
  children,
  ...rest
}: {
  to: string;
  children: ReactNode;
  className?: string;
}): ReactNode {
  return (
    <a
      href={to}
      {...rest}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

let isFirst = true;

/** Moves focus and scroll position to a new view, except after the page has loaded. */
export function useArrival(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!isFirst) {
      element.current?.focus({ preventScroll: true });
      scrollTo(0, entry()?.scrollY ?? 0);
    }
    isFirst = false;
  }, [element]);
}

export function useTitle(title: string): void {
  const full = `${title} — ${t('shop.name')}`;
  useEffect(() => {
    document.title = full;
  }, [full]);
}

/** Starts to follow the back and forward buttons of the browser. */
export function startRoutes(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', notify);
}
