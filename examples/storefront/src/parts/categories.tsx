import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { MenuCategory } from '@carte/client/storefront';
import { t } from '../texts.ts';

/** Share of the screen height at which a section becomes current. */
const LINE = 0.3;

/**
 * Returns the current category and a function that selects a category. At the end of the page, the
 * selected category is current, or else the last.
 */
function useCurrent(
  categories: readonly MenuCategory[],
): [slug: string | undefined, choose: (slug: string) => void] {
  const [current, setCurrent] = useState(categories[0]?.slug);
  const chosen = useRef<string>(undefined);
  useEffect(() => {
    const look = () => {
      const isAtEnd =
        scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      if (!isAtEnd) chosen.current = undefined;
      const passed = categories.filter(
        ({ slug }) =>
          (document.getElementById(slug)?.getBoundingClientRect().top ?? Infinity) <
          innerHeight * LINE,
      );
      setCurrent(
        isAtEnd
          ? (chosen.current ?? categories.at(-1)?.slug)
          : (passed.at(-1) ?? categories[0])?.slug,
      );
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [categories]);
  const choose = (slug: string) => {
    chosen.current = slug;
    setCurrent(slug);
  };
  return [current, choose];
}

type Props = { categories: readonly MenuCategory[]; onChoice: () => void };

/**
 * The strip of categories. It stays at the top of the screen and highlights the current category.
 */
export function Categories({ categories, onChoice }: Props): ReactNode {
  const strip = useRef<HTMLElement>(null);
  const [current, choose] = useCurrent(categories);
  useEffect(() => {
    const link = strip.current?.querySelector<HTMLElement>('[aria-current]');
    if (strip.current === null || link == null) return;
    strip.current.scrollTo({
      left: link.offsetLeft - (strip.current.clientWidth - link.offsetWidth) / 2,
    });
  }, [current]);
  return (
    <nav id="categories" aria-label={t('menu.sections')} ref={strip}>
      {categories.map(({ slug, name }) => (
        <a
          key={slug}
          href={`#${slug}`}
          aria-current={slug === current ? 'true' : undefined}
          onClick={(event) => {
            event.preventDefault();
            onChoice();
            choose(slug);
            const title = document.getElementById(slug);
            title?.scrollIntoView();
            title?.focus({ preventScroll: true });
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
