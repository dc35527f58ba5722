/** Measured from left and top, 0 to 1; stays visible in crops. */
export type FocalPoint = { x: number; y: number };
export const CENTRE: FocalPoint = { x: 0.5, y: 0.5 };
export type Area = { left: number; top: number; width: number; height: number };
export type Density = 1 | 2 | 3;

/** Cut to `area`, scaled and encoded. */
export type PlannedImage = {
  name: string;
  density: Density;
  area: Area;
  width: number;
  height: number;
  formats: readonly RenditionFormat[];
};

type RenditionRule =
  | { name: string; fit: 'cover'; width: number; height: number; densities: readonly Density[] }
  | { name: string; fit: 'inside'; side: number; densities: readonly Density[] };

export type RenditionFormat = 'webp' | 'jpeg' | 'avif';
/** Largest density in image references. */
export const LARGEST_SHOWN_DENSITY = 2;

/** Sizes in CSS pixels. */
const RENDITIONS: readonly RenditionRule[] = [
  { name: 'card', fit: 'cover', width: 400, height: 400, densities: [1, 2, 3] },
  { name: 'thumb', fit: 'cover', width: 96, height: 96, densities: [1, 2] },
  { name: 'full', fit: 'inside', side: 1600, densities: [1] },
];

/** Part of the URLs. Increase it when existing URLs would show another image. */
export const RENDITION_PLAN_VERSION = 1;
const BASIC_FORMATS = ['webp', 'jpeg'] as const;
/** AVIF takes two to three times as long as webp (MED-13). */
const SHOWN_FORMATS = [...BASIC_FORMATS, 'avif'] as const;

/** Never enlarges: omits densities that the image cannot fill. */
export function planRenditions(
  original: { width: number; height: number },
  focal: FocalPoint,
): PlannedImage[] {
  return RENDITIONS.flatMap((rule) => {
    const area =
      rule.fit === 'cover' ? coverArea(original, rule, focal) : { left: 0, top: 0, ...original };
    const target = rule.fit === 'cover' ? rule : insideSize(original, rule.side);

    return rule.densities
      .filter((density) => density === 1 || area.width >= target.width * density)
      .map((density) => {
        const scale = Math.min(
          1,
          area.width / (target.width * density),
          area.height / (target.height * density),
        );

        return {
          name: rule.name,
          density,
          area,
          width: Math.max(1, Math.round(target.width * density * scale)),
          height: Math.max(1, Math.round(target.height * density * scale)),
          formats:
            rule.fit === 'cover' && density <= LARGEST_SHOWN_DENSITY
              ? SHOWN_FORMATS
              : BASIC_FORMATS,
        };
      });
  });
}

/** Places the area as close to the focal point as possible. */
function coverArea(
  original: { width: number; height: number },
  target: { width: number; height: number },
  focal: FocalPoint,
): Area {
  const scale = Math.min(original.width / target.width, original.height / target.height);
  const width = Math.max(1, Math.floor(target.width * scale));
  const height = Math.max(1, Math.floor(target.height * scale));
  const place = (length: number, part: number, at: number) =>
    Math.round(Math.min(Math.max(at * length - part / 2, 0), length - part));

  return {
    left: place(original.width, width, focal.x),
    top: place(original.height, height, focal.y),
    width,
    height,
  };
}

function insideSize(
  original: { width: number; height: number },
  side: number,
): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(original.width, original.height));
  return {
    width: Math.max(1, Math.round(original.width * scale)),
    height: Math.max(1, Math.round(original.height * scale)),
  };
}
