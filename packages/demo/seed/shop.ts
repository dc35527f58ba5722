import { inParallel, type AdminApi } from './admin-api.ts';
import { HITS, SECTIONS, SIZE_AXIS, type Shelf, type Theme } from './catalogue.ts';
import { drawPicture, LOOKS, THEMES } from './pictures.ts';

const FOLDER = 'demo';

type CategoryNode = { id: number; name: string; children?: CategoryNode[] };

/**
 * Ids of the categories by shelf, and of the category of hits. Creates what is missing, under its
 * section.
 */
export async function ensureCategories(api: AdminApi): Promise<{ shelves: Map<Shelf, number>; hits: number }> {
  const tree = (await api.get<{ items: CategoryNode[] }>('/categories?tree=true')).items;
  const ensure = async (siblings: readonly CategoryNode[], name: string, parentId: number | null) =>
    siblings.find((sibling) => sibling.name === name) ?? api.post<CategoryNode>('/categories', { name, parentId });

  const hits = (await ensure(tree, HITS, null)).id;
  const shelves = new Map<Shelf, number>();
  for (const section of SECTIONS) {
    const node = await ensure(tree, section.name, null);
    if (!('shelves' in section)) shelves.set(section, node.id);
    else
      for (const shelf of section.shelves)
        shelves.set(shelf, (await ensure(node.children ?? [], shelf.name, node.id)).id);
  }
  return { shelves, hits };
}

/** Media ids of the pictures of each theme, in the order of their looks. */
export type Pictures = ReadonlyMap<Theme, readonly number[]>;

/** Size and number of pictures; both are smaller in tests. */
export type PictureOptions = { side?: number; looks?: number };

/** Uploads the pictures. A picture that was uploaded by an earlier start is found by its name. */
export async function ensurePictures(api: AdminApi, { side, looks = LOOKS }: PictureOptions = {}): Promise<Pictures> {
  const existing = await api.all<{ id: number; originalName: string }>(`/media?folder=${FOLDER}`);
  const pictures = new Map<Theme, number[]>(THEMES.map((theme) => [theme, []]));
  const wanted = THEMES.flatMap((theme) => Array.from({ length: looks }, (_, look) => ({ theme, look })));
  await inParallel(wanted, 2, async ({ theme, look }) => {
    const name = `${theme}-${look + 1}.jpg`;
    const found =
      existing.find((entry) => entry.originalName === name) ??
      (await api.upload<{ id: number }>(
        '/media',
        { name, type: 'image/jpeg', bytes: await drawPicture(theme, look, side) },
        { folder: FOLDER },
      ));
    pictures.get(theme)![look] = found.id;
  });
  return pictures;
}

type Axis = { code: string; options: { code: string; name: string }[] };

/** Option codes of the size axis by size name. An axis that exists is taken as it is. */
export async function ensureSizeAxis(api: AdminApi, sizeNames: readonly string[]): Promise<Map<string, string>> {
  const axes = await api.all<Axis>('/variant-axes');
  const found = axes.find((axis) => axis.code === SIZE_AXIS.code);
  const names = [...new Set(sizeNames)].toSorted((one, other) => one.localeCompare(other, 'ru', { numeric: true }));
  if (found === undefined && names.length === 0) return new Map();
  const axis =
    found ??
    (await api.post<Axis>('/variant-axes', {
      ...SIZE_AXIS,
      options: names.map((name, at) => ({ code: `S${at + 1}`, name, shortName: shortName(name) })),
    }));
  return new Map(axis.options.map((option) => [option.name, option.code]));
}

/** `25 см` is `25` on a small button; words stay what they are. */
function shortName(name: string): string | null {
  return /^\d[\d,.]*/.exec(name)?.[0] ?? null;
}
