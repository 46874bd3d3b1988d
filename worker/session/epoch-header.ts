/**
 * By this header the Worker tells an object in which epoch of revocation a request's ticket was given. Objects are reached
 * through the Worker alone, which sets it anew on every request.
 */
export const EPOCH_HEADER = 'Walkon-Epoch'
