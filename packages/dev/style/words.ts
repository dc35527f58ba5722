/**
 * Words that the house style avoids, each with the words to use instead. Texts in code marks are
 * exempt.
 */
export const AVOIDED: Readonly<Record<string, string>> = {
  behaviour: 'behavior',
  '(?-i:cancelled)': 'canceled; `CANCELLED` for the state',
  catalogue: 'catalog',
  centre: 'center',
  colour: 'color',
  honour: 'honor',
  licence: 'license',
  neighbour: 'neighbor',
  programme: 'program',
  'at hand': 'available, present',
  'by chance': 'random, accidentally',
  'find out|finds out|found out': 'detect, determine',
  'give way|gives way': 'yield, lower the priority',
  'go on|goes on|went on|going on': 'continue',
  'hear|hears|heard': 'receive, learn',
  'let go|lets go': 'release, abandon',
  '(?:stand|stands|stood)(?! for\\b)(?!-)': 'is, appears, is stored',
  'take part|takes part': 'participate',
  'take up|takes up|taken up': 'resume, process',
  'tell|tells|told|telling': 'report, notify, return, distinguish',
  'wake|wakes|woken': 'signal, resume',
};

/**
 * Words that only comments and test titles avoid; documents still contain them. Exceptions: locks
 * are held, rows are held back, connections are refused, and some words are names in capitals or
 * with a hyphen.
 */
export const AVOIDED_IN_CODE: Readonly<Record<string, string>> = {
  'ask|asks|asked|asking': 'request, call, query, require',
  'for ever': 'permanently',
  [String.raw`(?-i:hold|holds|held)(?! back\b)(?![^.;:]*\block)(?<!\block[^.;:]*)`]: 'contain, have, keep, apply, lock',
  [String.raw`(?-i:known)(?! to\b)`]: 'stored, existing, available',
  'know|knows|knew': 'have, support, store, detect',
  'nobody|somebody|anybody|everybody|whoever': 'name the actor, or use the passive voice',
  [String.raw`(?<!connections? (?:is |are |was )?|-)(?-i:[Rr]efuse|refuses|refused|refusal|refusals)`]:
    'reject, rejection',
  'say|says|said|saying': 'contain, report, return, state',
  'settle|settles|settled|settling': 'resolve, complete, decide',
};
