/**
 * By this header the Worker tells an object which page a socket is opened from: the page's origin, or nothing for whoever
 * is no page. Objects are reached through the Worker alone, which sets it anew on every request.
 */
export const ORIGIN_HEADER = 'Walkon-Origin'
