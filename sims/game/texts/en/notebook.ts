export const notebook = {
  title: 'Notebook',

  search: 'Search the notebook',
  searchKey: 'Press / to search',
  clear: 'Clear',
  found: (facts: number, documents: number) => {
    const both = [
      ...(facts > 0 ? [facts === 1 ? '1 thing you heard' : `${facts} things you heard`] : []),
      ...(documents > 0 ? [documents === 1 ? '1 document' : `${documents} documents`] : []),
    ]
    return both.length === 0 ? 'Nothing found' : `Found: ${both.join(' and ')}`
  },
  nothingFound: 'Nothing in your notebook says that. Try fewer words, or look at what everybody told you.',
  showAll: 'Show everything',
  from: 'From whom',
  everybody: 'Everybody',

  objectives: 'Objectives',
  missedWith: (name: string) => `The talk with ${name} ended without it.`,

  heard: 'What you heard',
  nothingHeard:
    'Nothing yet. What your colleagues tell you that bears on the decision is written down here, in their words.',
  nothingFrom: (name: string) => `Nothing from ${name} yet.`,
  inTurn: (name: string, turn: number) => `${name}, turn ${turn}`,
  onPaper: (name: string) => `${name}, in writing`,
  talkTo: (name: string) => `Talk to ${name}`,
  toPeople: 'See who is there',
  isNew: 'New',
  newThings: (n: number) => (n === 1 ? '1 new' : `${n} new`),
  earlier: (n: number) => (n === 1 ? 'One more in the notebook' : `${n} more in the notebook`),

  documents: 'Documents',
  noDocuments: 'Nothing yet. A colleague hands over their paper at the end of a talk.',
  fromWhom: (name: string) => `From ${name}`,
  handedOver: (name: string, role: string) => `Handed over by ${name}, ${role}`,
  notHere: 'This document isn’t in your notebook, or not yet.',
  factNotHere: 'You haven’t heard this yet.',
  back: 'Back to the notebook',
  close: 'Close the document',
  print: 'Print',
  ringHint: 'Press a figure to draw a ring round it. Rings stay on this device.',
}
