/** Who is signed in, by the session cookie that only the server reads. */
import { create } from 'zustand';
import { onSession, request, setToken } from '../../shared/http/request';

interface Organisation {
  readonly name: string;
  readonly icon_url: string;
}

export interface SignedIn {
  readonly signed_in: true;
  readonly token: string;
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  /** Null at an address of a server with several organisations that is none's. */
  readonly organisation: Organisation | null;
  readonly two_factor?: { readonly on: boolean; readonly required: boolean };
}

export interface SignedOut {
  readonly signed_in: false;
  /** Null at an address of a server with several organisations that is none's. */
  readonly organisation: Organisation | null;
  readonly methods: { readonly password: boolean; readonly openid: readonly { name: string; url: string }[] };
  readonly demo_accounts?: readonly { readonly email: string; readonly full_name: string }[];
}

export type Session = SignedIn | SignedOut;

interface SessionState {
  readonly session?: Session;
  readonly error?: unknown;
  /** The session ended by itself while somebody was using the page. */
  readonly hasEnded: boolean;
}

export const useSession = create<SessionState>(() => ({ hasEnded: false }));

function take(session: Session): void {
  setToken(session.signed_in ? session.token : '');
  useSession.setState({ session });
}

export async function loadSession(): Promise<void> {
  try {
    take(await request<Session>('GET', '/web/session'));
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
