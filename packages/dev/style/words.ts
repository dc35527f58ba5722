/** With replacements. Text in code marks is exempt. */
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
 * Documents still contain these words. Exceptions: locks are held, rows are held back,
 * connections are refused, and some words are names in capitals or with a hyphen.
 */
export const AVOIDED_IN_CODE: Readonly<Record<string, string>> = {
  anew: 'again, continue as new',
  'any more': 'no longer',
  'ask|asks|asked|asking': 'request, call, query, require',
  beside: 'next to, in addition to, concurrently with',
  'brings?|brought': 'send, add, restore, import',
  'by hand': 'manually',
  'for ever|for good': 'permanently',
  [String.raw`(?-i:hold|holds|held)(?! back\b)(?![^.;:]*\block)(?<!\block[^.;:]*)`]:
    'contain, have, keep, apply, lock',
  [String.raw`(?-i:known)(?! to\b)`]: 'stored, existing, available',
  'know|knows|knew': 'have, support, store, detect',
  'learns?|learned': 'get, detect',
  'looks? at|looked at|looking at': 'read, check, evaluate',
  'looks? for|looked for|looking for': 'search, find',
  'once more': 'again',
  'nobody|somebody|anybody|everybody|whoever': 'name the actor, or use the passive voice',
  [String.raw`(?<!connections? (?:is |are |was )?|-)(?-i:[Rr]efuse|refuses|refused|refusal|refusals)`]:
    'reject, rejection',
  'say|says|said|saying': 'contain, report, return, state',
  'settle|settles|settled|settling': 'resolve, complete, decide',
  'takes? away|taken away|takes? out|taken out': 'remove',
  'throws what': 'rethrow errors of',
  'wants?|wanted|wish|wishes': 'request, need',
  whatever: 'any, for any',
};
