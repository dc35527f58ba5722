/** Parses pairs of a letter and its Latin spelling. */
const spelt = (letters: string): Record<string, string> =>
  Object.fromEntries(letters.split(' ').map((part) => [part.slice(0, 1), part.slice(1)]));

/** Letters of the supported alphabets. Other letters are dropped. */
const LATIN: Readonly<Record<string, string>> = {
  // Russian, Ukrainian and Belarusian.
  ...spelt('аa бb вv гg ґg дd еe ёe єye жzh зz иi іi їyi йy кk лl мm нn оo пp рr сs тt уu ўu'),
  ...spelt('фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya'),
  // Kazakh, Kyrgyz, Tatar and Bashkir.
  ...spelt('әa ғg қk ңn өo ұu үu һh җzh ҙz ҫs ҡk'),
  // Georgian.
  ...spelt(
    'აa ბb გg დd ეe ვv ზz თt იi კk ლl მm ნn ოo პp ჟzh რr სs ტt უu ფp ქk ღgh ყq შsh ჩch ცts ძdz',
  ),
  ...spelt('წts ჭch ხkh ჯj ჰh'),
  // Armenian.
  ...spelt(
    'աa բb գg դd եe զz էe ըy թt ժzh իi լl խkh ծts կk հh ձdz ղgh ճch մm յy նn շsh ոo չch պp ջj',
  ),
  ...spelt('ռr սs վv տt րr ցts ւv փp քk օo ֆf'),
};

const MAX_LENGTH = 80;

/** Returns at most 80 Latin letters, digits and single dashes, or `fallback`. */
export function toSlug(name: string, fallback: string): string {
  const latin = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{L}/gu, (letter) => LATIN[letter] ?? letter);

  const slug = latin
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');

  return slug === '' ? fallback : slug;
}

/** Returns the first of `base`, `base-2`, `base-3` … that is not taken. */
export function freeSlug(base: string, existingSlugs: ReadonlySet<string>): string {
  if (!existingSlugs.has(base)) return base;
  for (let suffix = 2; ; suffix += 1) {
    const candidate = `${base}-${suffix}`;
    if (!existingSlugs.has(candidate)) return candidate;
  }
}
