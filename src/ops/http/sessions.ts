/** Routes for signing in to the console. The page then uses the same API as programs, with its cookie and token. */
import { addressGroup } from '../../kernel/admission/address-group';
import { ensure, Fault } from '../../kernel/fault';
import type { Incoming } from '../../kernel/http/incoming';
import { Outgoing } from '../../kernel/http/outgoing';
import { text } from '../../kernel/http/params';
import { openRoutes, routesFor } from '../../kernel/http/route';
import { sessionEnded } from '../../kernel/sessions/page-faults';
import { pageTokenOf } from '../../kernel/sessions/page-session';
import { checkOrigin, sessionTokenOf } from '../../kernel/web-pages/page-requests';
import { signIn, signInForDevelopment, signOut, type SignedIn } from '../commands/sign-in';
import { NOTHING, sessionAnswer, signedInAnswer } from '../model/answers';
import { notADevelopmentServer } from '../model/faults';
import { isForDevelopment, MAX_SECONDS, OPERATOR_COOKIE } from '../model/operator';
import type { Installation } from '../queries/examine';
import { findSessionOperator, listOperators } from '../queries/operators';
import { READERS, type Access, type Caller } from './access';

const { del } = routesFor<Caller>();

/** Development servers have few operators, and a longer list would not help. */
const MAX_DEMO_OPERATORS = 20;

export function sessionRoutes({ kernel, wrongKeys }: Access, installation: () => Installation) {
  const isOpenToAll = (): boolean => isForDevelopment(installation().settings);

  async function signedOut() {
    if (!isOpenToAll()) return { signed_in: false } as const;
    const all = (await listOperators(kernel.mysql)).slice(0, MAX_DEMO_OPERATORS);
    return { signed_in: false, demo_operators: all.map(({ name, access }) => ({ name, access })) } as const;
  }

  const signedIn = ({ operator: { name, access }, token }: SignedIn, { isSecure }: Incoming): Outgoing =>
    new Outgoing(
      { signed_in: true, token: pageTokenOf(kernel.secrets, token), name, access },
      { headers: { 'Set-Cookie': OPERATOR_COOKIE.give(token, isSecure, MAX_SECONDS) } },
    );

  return [
    openRoutes.get('/session', {
      summary: 'Get the operator signed in to the console with this browser',
      answer: sessionAnswer,
      async run({ incoming }) {
        if (!OPERATOR_COOKIE.isIn(incoming.header('cookie'))) return signedOut();
        checkOrigin(incoming);
        const token = sessionTokenOf(OPERATOR_COOKIE, incoming);
        const operator = token === undefined ? undefined : await findSessionOperator(kernel, token, incoming.ip);
        if (operator && token !== undefined) return signedIn({ operator, token }, incoming);
        const headers = { 'Set-Cookie': OPERATOR_COOKIE.end(incoming.isSecure) };
        return new Outgoing(await signedOut(), { headers });
      },
    }),
    openRoutes.post('/session', {
      summary: 'Sign in to the console',
      answer: signedInAnswer,
      params: { name: text.default(''), key: text.default(''), demo: text.optional() },
      async run({ params: { name, key, demo }, incoming }) {
        checkOrigin(incoming);
        const browser = { agent: incoming.header('user-agent'), address: incoming.ip };
        try {
          if (demo !== undefined) {
            ensure(isOpenToAll(), notADevelopmentServer());
            return signedIn(await signInForDevelopment(kernel, demo, browser), incoming);
          }
          return signedIn(await signIn(kernel, { name, key: key.trim(), ...browser }), incoming);
        } catch (error) {
          const isWrong = error instanceof Fault && error.kind === 'unauthenticated';
          if (isWrong) await wrongKeys.count(addressGroup(incoming.ip));
          throw error;
        }
      },
    }),
    del('/session', {
      summary: 'Sign out of the console',
      answer: NOTHING,
      admits: [READERS],
      async run({ by: operator, incoming }) {
        const token = sessionTokenOf(OPERATOR_COOKIE, incoming);
        ensure(token !== undefined && operator.via === 'console', sessionEnded());
        await signOut(kernel, { operator, token }, incoming.ip);
        return new Outgoing({}, { headers: { 'Set-Cookie': OPERATOR_COOKIE.end(incoming.isSecure) } });
      },
    }),
  ];
}
