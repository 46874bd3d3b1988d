/** Settings that let learners in tests send messages faster than a deployment normally allows. */
export const QUICK_LEARNERS = { WALKON_TURNS_MINUTE: '6000' }
