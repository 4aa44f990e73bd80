import { create } from 'zustand';
import { openSession } from '../../shared/session/session';
import { api } from '../http/api';

export interface SignedIn {
  readonly signed_in: true;
  readonly token: string;
  readonly contact_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly is_owner: boolean;
  readonly has_password: boolean;
  readonly opened_by: 'password' | 'link' | 'key' | 'demo';
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

const PATH = '/portal/api/session';

/** Removes the token from the URL, so that it is not found in the history or in a copied URL. */
function takeLink(): string | undefined {
  if (location.pathname !== '/portal/enter') return undefined;
  const link = location.hash.slice(1);
  history.replaceState(null, '', '/portal');
  return link === '' ? undefined : link;
}

export const { useSession, loadSession, enter, signOut } = openSession<SignedIn | SignedOut>({
  load: () => api.get(PATH),
  end: () => api.remove(PATH),
});

/** The token of a mailed link, until it is used. */
export const useLink = create<{ readonly link: string | undefined }>(() => ({ link: takeLink() }));

export const forgetLink = (): void => useLink.setState({ link: undefined });

type Credentials =
  | { readonly email: string; readonly password: string; readonly company_id?: string }
  | { readonly key: string }
  | { readonly link: string }
  | { readonly demo: string };

/** Returns the companies to choose from, if there are several. */
export async function signIn(credentials: Credentials): Promise<Choice['companies']> {
  const answer = await api.post<SignedIn | Choice>(PATH, credentials);
  if (!answer.signed_in) return answer.companies;
  enter(answer);
  forgetLink();
  return [];
}

export const useSignedIn = (): SignedIn => {
  const session = useSession((state) => state.session);
  if (!session?.signed_in) throw new Error('Nobody is signed in');
  return session;
};
