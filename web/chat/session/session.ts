import { request, RequestError } from '../../shared/http/request';
import { openSession } from '../../shared/session/session';
import type { Session, SignedIn } from '../data/wire';
import { firstSession } from '../early';
import { forgetKept } from '../offline/forget';

const PATH = '/web/session';

/** Without a server the page starts with what this session has kept. */
async function loadOrOpenKept(): Promise<Session> {
  try {
    return await firstSession();
  } catch (error) {
    if (!(error instanceof RequestError) || (error.status > 0 && error.status < 500)) throw error;
    const { openKept } = await import('../offline/open-kept');
    const session = await openKept();
    if (session) return session;
    throw error;
  }
}

export const { useSession, loadSession, enter, signOut } = openSession<Session>({
  load: loadOrOpenKept,
  end: () => request('DELETE', PATH),
});

useSession.subscribe(({ session }) => {
  if (session?.signed_in === false) forgetKept();
});

export async function signIn(credentials: { email: string; password: string; code?: string } | { demo: string }) {
  enter({ ...(await request<SignedIn>('POST', PATH, { json: credentials })), signed_in: true });
}
