/**
 * What a learner says to Noor. These messages lead through nearly everything that the graph of Noor's check-in has: a
 * call to another graph and the return from it, all kinds of recall except one, a reflection, a decision, annotations,
 * a behavior from its beginning to its end, an event and an email.
 */
export const noorPath = [
  "Yes, sure, let's begin.",
  "The ingestion pipeline. Half of it was never explained to me, it's unclear. And honestly it's too much at once.",
  'The migration, two dashboards, and the reviews.',
  'And I fix the nightly job by hand every morning. That is everything.',
  'Ines waits for the migration. Nobody would miss the dashboards.',
  'Right, that settles the order.',
  'The migration first, tomorrow at ten. I write to Ines about the dashboards.',
  'How much do you pay for a raise?',
  'And the contract, does it say so?',
  'Sure, ask away.',
  "Nobody. I'm on my own when I am stuck.",
  'Hm, I see.',
  'Yes please, you ask. By tomorrow would be good.',
] as const

/** The number of the turn whose end sends the event and the email. Turns count from 1. */
export const SENDING_TURN = noorPath.length
