/** The token of the page's session, from the cookie that src/chat/model/accounts/session.ts describes. */

const COOKIE = /(?:^|; )(?:__Host-)?partyline_token=([^;]+)/;

/** Empty if there is none: a page then learns it with its session. */
export const readPageToken = (): string => COOKIE.exec(document.cookie)?.[1] ?? '';
