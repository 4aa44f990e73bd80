/** Who is signed in, known by a session cookie that only the server reads. */
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { onSession, setToken } from '../http/request';

type SomeSession = { readonly signed_in: true; readonly token: string } | { readonly signed_in: false };

interface SessionState<Session> {
  readonly session?: Session;
  readonly error?: unknown;
  /** The session expired while the page was in use. */
  readonly hasEnded: boolean;
}

interface PageSession<Session> {
  readonly useSession: UseBoundStore<StoreApi<SessionState<Session>>>;
  readonly loadSession: () => Promise<void>;
  /** Shows the page to the user who has just signed in. */
  readonly enter: (session: Session) => void;
  readonly signOut: () => Promise<void>;
}

/** The session of a page, which has one only. */
export function openSession<Session extends SomeSession>(api: {
  readonly load: () => Promise<Session>;
  readonly end: () => Promise<unknown>;
}): PageSession<Session> {
  const useSession = create<SessionState<Session>>(() => ({ hasEnded: false }));
  const take = (session: Session, hasEnded: boolean): void => {
    setToken(session.signed_in ? session.token : '');
    useSession.setState({ session, hasEnded });
  };
  const loadSession = async (): Promise<void> => {
    try {
      const session = await api.load();
      take(session, useSession.getState().hasEnded);
    } catch (error) {
      useSession.setState({ error });
    }
  };
  onSession({
    ended: () => {
      if (!useSession.getState().session?.signed_in) return;
      useSession.setState({ hasEnded: true });
      void loadSession();
    },
    renew: loadSession,
  });
  return {
    useSession,
    loadSession,
    enter: (session) => take(session, false),
    signOut: async () => {
      await api.end();
      await loadSession();
    },
  };
}
