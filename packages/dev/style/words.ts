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
