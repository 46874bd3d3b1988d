/** Settings that let learners in tests send messages faster than a deployment allows, and see what a run has at once. */
export const QUICK_LEARNERS = { WALKON_TURNS_MINUTE: '6000', WALKON_GATHER_MS: '0' }
