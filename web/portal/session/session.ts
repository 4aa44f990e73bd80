/** The user signed in to the portal, known by a session cookie that only the server reads. */
import { create } from 'zustand';
import { setToken } from '../../shared/http/request';
import { api, watchSession } from '../http/api';

export interface SignedIn {
  readonly signed_in: true;
  readonly token: string;
  readonly contact_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly is_owner: boolean;
  readonly has_password: boolean;
  readonly company: { readonly id: string; readonly name: string };
  readonly sends_mail: boolean;
}

export interface SignedOut {
  readonly signed_in: false;
  readonly sends_mail: boolean;
  readonly demo_contacts?: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly company: string;
  }[];
}

/** The password matches in several companies. */
export interface Choice {
  readonly signed_in: false;
  readonly companies: readonly { readonly id: string; readonly name: string }[];
}

interface SessionState {
  readonly session?: SignedIn | SignedOut;
  readonly error?: unknown;
  /** The session expired while the page was in use. */
  readonly hasEnded: boolean;
  /** The token of a mailed link, until it is used. */
  readonly link?: string | undefined;
}

const PATH = '/portal/api/session';

/** Removes the token from the URL, so that it is not found in the history or in a copied URL. */
function takeLink(): string | undefined {
  if (location.pathname !== '/portal/enter') return undefined;
  const link = location.hash.slice(1);
  history.replaceState(null, '', '/portal');
  return link === '' ? undefined : link;
}

export const useSession = create<SessionState>(() => ({ hasEnded: false, link: takeLink() }));

export const forgetLink = (): void => useSession.setState({ link: undefined });

function take(session: SignedIn | SignedOut): void {
  setToken(session.signed_in ? session.token : '');
  useSession.setState({ session });
}

export async function loadSession(): Promise<void> {
  try {
    take(await api.get<SignedIn | SignedOut>(PATH));
  } catch (error) {
    useSession.setState({ error });
  }
}

type Credentials =
  | { readonly email: string; readonly password: string; readonly company_id?: string }
  | { readonly key: string }
  | { readonly link: string }
  | { readonly demo: string };

/** Returns the companies to choose from, if there are several. */
export async function signIn(credentials: Credentials): Promise<Choice['companies']> {
  const answer = await api.post<SignedIn | Choice>(PATH, credentials);
  if (!answer.signed_in) return answer.companies;
  useSession.setState({ hasEnded: false, link: undefined });
  take(answer);
  return [];
}

export async function signOut(): Promise<void> {
  await api.remove(PATH);
  await loadSession();
}

export const useSignedIn = (): SignedIn => {
  const session = useSession((state) => state.session);
  if (!session?.signed_in) throw new Error('Nobody is signed in');
  return session;
};

watchSession({
  ended: () => {
    if (!useSession.getState().session?.signed_in) return;
    useSession.setState({ hasEnded: true });
    void loadSession();
  },
  renew: loadSession,
});
