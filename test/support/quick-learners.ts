/** Learners in tests speak faster than people do, and faster than a deployment lets people speak. */
export const QUICK_LEARNERS = { WALKON_TURNS_MINUTE: '6000' }
