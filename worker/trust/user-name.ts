/**
 * How a host may call a learner, in up to 200 characters: as the API's addresses can say it, where a dot or two of them mean
 * another address, and where nobody can see a blank at either end. Who could not be said there could be neither exported
 * nor erased ([person-1]).
 */
export const USER_NAME = /^(?!\s|\.{1,2}$)[\s\S]*\S$/
