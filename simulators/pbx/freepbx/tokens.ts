// FreePBX's OAuth2: client credentials for a token that is valid for an hour, without refresh tokens.
import { randomBytes } from 'node:crypto';
import type { Answer } from '../exchange';

/** The one application that every simulated FreePBX has. */
export const CLIENT = { id: 'partyline', secret: 'freepbx-client-secret' } as const;
const LASTS_SECONDS = 3600;

export interface Tokens {
  grant(form: URLSearchParams): Answer;
  /** The answer to a caller without a valid token. */
  refusal(authorization: string | undefined): Answer | undefined;
  /** Expires all tokens. */
  forget(): void;
}

export function openTokens(now: () => number = Date.now): Tokens {
  const until = new Map<string, number>();
  return {
    grant(form) {
      const isClient = form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret;
      if (form.get('grant_type') !== 'client_credentials' || !isClient) {
        const body = { error: 'invalid_client', message: 'Client authentication failed' };
        return { status: 401, body, headers: { 'www-authenticate': 'Basic realm="OAuth"' } };
      }
      const unknown = (form.get('scope') ?? 'gql').split(' ').find((each) => !/^(gql|rest)(:|$)/.test(each));
      if (unknown !== undefined) {
        const message = 'The requested scope is invalid, unknown, or malformed';
        return { status: 400, body: { error: 'invalid_scope', message, hint: `Check the \`${unknown}\` scope` } };
      }
      const token = ['header', 'payload', 'signature'].map(() => randomBytes(24).toString('base64url')).join('.');
      until.set(token, now() + LASTS_SECONDS * 1000);
      return { status: 200, body: { token_type: 'Bearer', expires_in: LASTS_SECONDS, access_token: token } };
    },
    refusal(authorization) {
      if (authorization === undefined) return denied('Missing "Authorization" header');
      const token = authorization.replace(/^Bearer /, '');
      if (token.split('.').length !== 3) return denied('The JWT string must have two dots');
      return (until.get(token) ?? 0) > now() ? undefined : denied('Access token is invalid');
    },
    forget: () => until.clear(),
  };
}

const denied = (hint: string): Answer => ({
  status: 401,
  body: {
    error: 'access_denied',
    message: 'The resource owner or authorization server denied the request.',
    hint,
  },
});
