/** How the worker asks the server, as the page does whose session this is. */

declare const self: ServiceWorkerGlobalScope;

/** The portal registers this worker too, under its own address. */
export const isChat = new URL(self.registration.scope).pathname === '/';

interface Cookies {
  get(name: string): Promise<{ readonly value?: string } | null>;
}

/** The token of the page's session (web/chat/page-token.ts). Browsers that offer actions have this. */
async function pageToken(): Promise<string | undefined> {
  const { cookieStore } = self as unknown as { readonly cookieStore?: Cookies };
  for (const name of ['__Host-partyline_token', 'partyline_token']) {
    const found = await cookieStore?.get(name);
    if (found?.value !== undefined) return found.value;
  }
  return undefined;
}

/** Returns undefined if nobody is signed in, or without a network. Without fields, it only reads. */
export async function askChat(path: string, fields?: Readonly<Record<string, string>>): Promise<Response | undefined> {
  try {
    const token = await pageToken();
    return token === undefined ? undefined : await send(`/api/v1${path}`, token, fields && new URLSearchParams(fields));
  } catch {
    return undefined;
  }
}

/** Likewise. The portal's page gets the token with its session. */
export async function askPortal(path: string, fields?: object): Promise<Response | undefined> {
  try {
    const { token } = (await (await fetch('/portal/api/session')).json()) as { readonly token?: string };
    return token === undefined ? undefined : await send(`/portal/api${path}`, token, fields && JSON.stringify(fields));
  } catch {
    return undefined;
  }
}

function send(path: string, token: string, body: URLSearchParams | string | undefined): Promise<Response> {
  const headers: Record<string, string> = { 'X-Partyline-Token': token };
  if (typeof body === 'string') headers['Content-Type'] = 'application/json';
  return fetch(path, body === undefined ? { headers } : { method: 'POST', headers, body });
}
