import { request } from '../../shared/http/request';
import { openSession } from '../../shared/session/session';
import type { Session, SignedIn } from '../data/wire';
import { firstSession } from '../early';

const PATH = '/web/session';

export const { useSession, loadSession, enter, signOut } = openSession<Session>({
  load: firstSession,
  end: () => request('DELETE', PATH),
});

export async function signIn(credentials: { email: string; password: string; code?: string } | { demo: string }) {
  enter({ ...(await request<SignedIn>('POST', PATH, { json: credentials })), signed_in: true });
}
