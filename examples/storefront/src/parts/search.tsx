import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Facet, MenuProduct } from '@carte/client/storefront';
import { api, attempt } from '../api.ts';
import { shop, update, useShop } from '../store.ts';
import { t } from '../texts.ts';

const MOST_FOUND = 100;
const TYPING_MS = 250;

/** The dishes that match the search, with live availability; null without a search. */
export function useFound(): { items: readonly MenuProduct[]; total: number } | null {
  const organizationId = useShop((state) => state.organizationId);
  const search = useShop((state) => state.search);
  const menu = useShop((state) => state.menu);
  const [found, setFound] = useState<{ items: readonly MenuProduct[]; total: number } | null>(null);
  useEffect(() => {
    const { q, facets } = search;
    if (q === '' && facets.size === 0) return setFound(null);
    let isLatest = true;
    const query = { organization_id: organizationId, facet: [...facets], size: MOST_FOUND };
    const timer = setTimeout(() => {
      void attempt(() =>
        q === '' ? api.getProducts(query) : api.searchProducts({ ...query, q }),
      ).then((answer) => {
        if (answer !== null && isLatest) setFound(answer.data);
      });
    }, TYPING_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [organizationId, search]);
  if (found === null) return null;
  const live = new Map(menu?.products.map((product) => [product.id, product]));
  return { ...found, items: found.items.map((product) => live.get(product.id) ?? product) };
}

export function Search(): ReactNode {
  const organizationId = useShop((state) => state.organizationId);
  const { q, facets } = useShop((state) => state.search);
  const [offered, setOffered] = useState<readonly Facet[]>([]);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (organizationId === '') return;
    void attempt(() => api.getFacets({ organization_id: organizationId })).then((answer) =>
      setOffered(answer?.data.items ?? []),
    );
  }, [organizationId]);
  useEffect(() => {
    if (input.current !== null && input.current.value.trim() !== q) input.current.value = q;
  }, [q]);
  return (
    <form id="search" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t('search.label')}
        <input
          type="search"
          name="q"
          maxLength={100}
          autoComplete="off"
          defaultValue={q}
          ref={input}
          onInput={(event) =>
            update({ search: { ...shop().search, q: event.currentTarget.value.trim() } })
          }
        />
      </label>
      <details>
        <summary>{t('search.filters')}</summary>
        <div id="facets">
          {offered.map((facet) => (
            <FacetValues key={facet.code} facet={facet} chosen={facets} />
          ))}
        </div>
      </details>
    </form>
  );
}

function FacetValues({ facet, chosen }: { facet: Facet; chosen: ReadonlySet<string> }): ReactNode {
  const toggle = (key: string) =>
    update({
      search: {
        ...shop().search,
        facets: shop().search.facets.symmetricDifference(new Set([key])),
      },
    });
  return (
    <fieldset>
      <legend>{facet.name}</legend>
      {facet.values
        .filter(({ count }) => count > 0)
        .map(({ code, name, count }) => {
          const key = `${facet.code}:${code}`;
          return (
            <label key={code} className="option">
              <input type="checkbox" checked={chosen.has(key)} onChange={() => toggle(key)} />
              {`${name} (${count})`}
            </label>
          );
        })}
    </fieldset>
  );
}
