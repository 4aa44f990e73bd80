/** The signed-in user, known by a session cookie that only the server reads. */
import { create } from 'zustand';
import { onSession, request, setToken } from '../../shared/http/request';
import type { Session, SignedIn } from '../data/wire';
import { firstSession } from '../early';

interface SessionState {
  readonly session?: Session;
  readonly error?: unknown;
  /** The session expired while the page was in use. */
  readonly hasEnded: boolean;
}

export const useSession = create<SessionState>(() => ({ hasEnded: false }));

function take(session: Session): void {
  setToken(session.signed_in ? session.token : '');
  useSession.setState({ session });
}

export async function loadSession(): Promise<void> {
  try {
    take(await firstSession());
  } catch (error) {
    useSession.setState({ error });
  }
}

export async function signIn(credentials: { email: string; password: string; code?: string } | { demo: string }) {
  const session = await request<SignedIn>('POST', '/web/session', { json: credentials });
  useSession.setState({ hasEnded: false });
  take({ ...session, signed_in: true });
}

export async function signOut(): Promise<void> {
  await request('DELETE', '/web/session');
  await loadSession();
}

onSession({
  ended: () => {
    if (!useSession.getState().session?.signed_in) return;
    useSession.setState({ hasEnded: true });
    void loadSession();
  },
  renew: loadSession,
});
