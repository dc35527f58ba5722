import { inParallel, type AdminApi } from './admin-api.ts';
import { GIFTS, HITS, SECTIONS, SHELVES, SIZE_AXIS, type Shelf, type Theme } from './catalog.ts';
import { drawPicture } from './pictures.ts';
import { BADGES, buildPortrait, type BadgeCode } from './portraits.ts';

const FOLDER = 'demo';

type CategoryNode = { id: number; name: string; children?: CategoryNode[] };

/** Returns category ids by shelf, and of hits. Creates missing ones under their section. */
export async function ensureCategories(
  api: AdminApi,
): Promise<{ shelves: Map<Shelf, number>; hits: number }> {
  const tree = (await api.get<{ items: CategoryNode[] }>('/categories?tree=true')).items;
  const ensure = async (siblings: readonly CategoryNode[], name: string, parentId: number | null) =>
    siblings.find((sibling) => sibling.name === name) ??
    api.post<CategoryNode>('/categories', { name, parentId });

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

/** Returns the media id for a dish: its own picture, or else one of its theme. */
export type PictureOf = (theme: Theme, name: string) => number | undefined;

/** Side in pixels. `isShared`: dishes of a theme share a picture. */
export type PictureOptions = { side?: number; isShared?: boolean };

/** Used by tests and `DEMO=small`. */
export const SMALL_PICTURES: PictureOptions = { side: 300, isShared: true };

type Subject = { theme: Theme; name: string };

const SUBJECTS: readonly Subject[] = [
  ...SHELVES.flatMap(({ theme, dishes }) => dishes.map((name) => ({ theme, name }))),
  ...GIFTS,
].filter(({ name }, at, all) => all.findIndex((other) => other.name === name) === at);

const SAMPLES = [...Map.groupBy(SUBJECTS, ({ theme }) => theme).values()].map(([first]) => first!);
export const SHARED_PICTURES = SAMPLES.length;

/** Finds uploads of an earlier start by their name. */
export async function ensurePictures(
  api: AdminApi,
  options: PictureOptions = {},
): Promise<PictureOf> {
  const { side, isShared = false } = options;
  const existing = await api.all<{ id: number; originalName: string }>(`/media?folder=${FOLDER}`);
  const ids = new Map(existing.map(({ id, originalName }) => [originalName, id]));
  const toFileName = (name: string) => `${name.replaceAll(/[«»]/g, '')}.jpg`;
  await inParallel(isShared ? SAMPLES : SUBJECTS, 2, async ({ theme, name }) => {
    const file = toFileName(name);
    if (ids.has(file)) return;
    const bytes = await drawPicture(buildPortrait(theme, name), side);
    const { id } = await api.upload<{ id: number }>(
      '/media',
      { name: file, type: 'image/jpeg', bytes },
      { folder: FOLDER },
    );

    ids.set(file, id);
  });

  const findSample = (theme: Theme) => SAMPLES.find((sample) => sample.theme === theme)?.name ?? '';

  return (theme, name) => ids.get(toFileName(name)) ?? ids.get(toFileName(findSample(theme)));
}

/** Returns ids by code. Creates missing badges. */
export async function ensureBadges(api: AdminApi): Promise<ReadonlyMap<BadgeCode, number>> {
  const existing = await api.all<{ id: number; code: string }>('/badges');
  const ids = new Map<BadgeCode, number>();
  for (const badge of BADGES) {
    const found = existing.find(({ code }) => code === badge.code);
    ids.set(badge.code, (found ?? (await api.post<{ id: number }>('/badges', badge))).id);
  }

  return ids;
}

type Axis = { code: string; options: { code: string; name: string }[] };

/** Returns option codes by size name. An existing axis stays unchanged. */
export async function ensureSizeAxis(
  api: AdminApi,
  sizeNames: readonly string[],
): Promise<Map<string, string>> {
  const axes = await api.all<Axis>('/variant-axes');
  const found = axes.find((axis) => axis.code === SIZE_AXIS.code);
  const names = [...new Set(sizeNames)].toSorted(bySize);
  if (found === undefined && names.length === 0) return new Map();
  const axis =
    found ??
    (await api.post<Axis>('/variant-axes', {
      ...SIZE_AXIS,
      options: names.map((name, at) => ({ code: `S${at + 1}`, name, shortName: shortName(name) })),
    }));

  return new Map(axis.options.map((option) => [option.name, option.code]));
}

/** Compares sizes, smallest first: by amount, then by the order of words for portions. */
export function bySize(one: string, other: string): number {
  const amount = (name: string) => Number.parseFloat(name.replace(',', '.')) || 0;
  const word = (name: string) => PORTIONS.findIndex((portion) => name.startsWith(portion));
  return amount(one) - amount(other) || word(one) - word(other) || one.localeCompare(other, 'ru');
}

const PORTIONS = ['Мини', 'Половина', 'Порция', 'Стандарт', 'Двойн', 'Тройн', 'XL'];

/** Returns the text for a small button: `25` for `25 см`. Null for words, which stay unchanged. */
function shortName(name: string): string | null {
  return /^\d[\d,.]*/.exec(name)?.[0] ?? null;
}
