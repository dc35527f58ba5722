/** Creating formats costs more than formatting. */
function remembered<Options, Made>(make: (locale: string, options: Options) => Made) {
  const known = new Map<string, Made>();
  return (locale: string, options: Options): Made => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const found = known.get(key) ?? make(locale, options);
    known.set(key, found);
    return found;
  };
}

export const dateFormat = remembered(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

export const numberFormat = remembered(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
