/** The signed-in operator, known by a session cookie that only the server reads. */
import { create } from 'zustand';
import { onSession, request, setToken } from '../../shared/http/request';

export interface SignedIn {
  readonly signed_in: true;
  readonly token: string;
  readonly name: string;
  readonly access: 'read' | 'full';
}

export interface SignedOut {
  readonly signed_in: false;
  /** Only on a development server. */
  readonly demo_operators?: readonly Pick<SignedIn, 'name' | 'access'>[];
}

type Session = SignedIn | SignedOut;

interface SessionState {
  readonly session?: Session;
  readonly error?: unknown;
  /** The session expired while the page was in use. */
  readonly hasEnded: boolean;
}

export const useSession = create<SessionState>(() => ({ hasEnded: false }));

/** Whether the operator has full access. */
export const useMayChange = (): boolean =>
  useSession(({ session }) => session?.signed_in === true && session.access === 'full');

const PATH = '/ops/web/session';

function take(session: Session): void {
  setToken(session.signed_in ? session.token : '');
  useSession.setState({ session });
}

export async function loadSession(): Promise<void> {
  try {
    take(await request<Session>('GET', PATH));
  } catch (error) {
    useSession.setState({ error });
  }
}

type Credentials = { readonly name: string; readonly key: string } | { readonly demo: string };

export async function signIn(credentials: Credentials): Promise<void> {
  const session = await request<SignedIn>('POST', PATH, { json: credentials });
  useSession.setState({ hasEnded: false });
  take(session);
}

export async function signOut(): Promise<void> {
  await request('DELETE', PATH);
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
