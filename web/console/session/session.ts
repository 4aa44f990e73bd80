import { request } from '../../shared/http/request';
import { openSession } from '../../shared/session/session';

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

const PATH = '/ops/web/session';

export const { useSession, loadSession, enter, signOut } = openSession<SignedIn | SignedOut>({
  load: () => request('GET', PATH),
  end: () => request('DELETE', PATH),
});

/** Whether the operator has full access. */
export const useMayChange = (): boolean =>
  useSession(({ session }) => session?.signed_in === true && session.access === 'full');

type Credentials = { readonly name: string; readonly key: string } | { readonly demo: string };

export async function signIn(credentials: Credentials): Promise<void> {
  enter(await request<SignedIn>('POST', PATH, { json: credentials }));
}
