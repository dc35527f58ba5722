import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { MenuCategory } from '@carte/client/storefront';

/** The section that a band below the strip shows, by slug. */
function useCurrent(categories: readonly MenuCategory[]): string | undefined {
  const [current, setCurrent] = useState(categories[0]?.slug);
  useEffect(() => {
    const visible = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        const first = categories.find(({ slug }) => visible.has(`in-${slug}`));
        if (first !== undefined) setCurrent(first.slug);
      },
      { rootMargin: '-20% 0px -65% 0px' },
    );
    for (const { slug } of categories) {
      const section = document.getElementById(`in-${slug}`);
      if (section !== null) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [categories]);
  return current;
}

type Props = { categories: readonly MenuCategory[]; onChoice: () => void };

/** The strip of categories. It stays at the top of the screen and marks the category in sight. */
export function Categories({ categories, onChoice }: Props): ReactNode {
  const strip = useRef<HTMLElement>(null);
  const current = useCurrent(categories);
  useEffect(() => {
    const link = strip.current?.querySelector<HTMLElement>('[aria-current]');
    if (strip.current === null || link == null) return;
    strip.current.scrollTo({ left: link.offsetLeft - (strip.current.clientWidth - link.offsetWidth) / 2 });
  }, [current]);
  return (
    <nav id="categories" aria-label="Разделы меню" ref={strip}>
      {categories.map(({ slug, name }) => (
        <a
          key={slug}
          href={`#${slug}`}
          aria-current={slug === current ? 'true' : undefined}
          onClick={(event) => {
            event.preventDefault();
            onChoice();
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
