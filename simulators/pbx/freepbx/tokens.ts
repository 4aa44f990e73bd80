// The OAuth2 end of FreePBX: client credentials for a token that lasts an hour, and nothing to refresh it with.
import { randomBytes } from 'node:crypto';
import type { Answer } from '../exchange';

/** The one application that every simulated FreePBX knows. */
export const CLIENT = { id: 'partyline', secret: 'freepbx-client-secret' } as const;
const LASTS_SECONDS = 3600;

export interface Tokens {
  grant(form: URLSearchParams): Answer;
  admits(authorization: string | undefined): boolean;
  /** As if their hour were over. */
  forget(): void;
}

export function openTokens(now: () => number = Date.now): Tokens {
  const until = new Map<string, number>();
  return {
    grant(form) {
      if (form.get('grant_type') !== 'client_credentials') {
        return refuse(400, 'unsupported_grant_type', 'The authorization grant type is not supported.');
      }
      if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) {
        return refuse(401, 'invalid_client', 'Client authentication failed');
      }
      const scope = form.get('scope');
      if (scope !== null && scope.split(' ').some((each) => !/^(gql|rest)(:|$)/.test(each))) {
        return refuse(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed');
      }
      const token = `eyJ0eXAiOiJKV1QifQ.${randomBytes(24).toString('base64url')}.${randomBytes(24).toString('base64url')}`;
      until.set(token, now() + LASTS_SECONDS * 1000);
      return { status: 200, body: { token_type: 'Bearer', expires_in: LASTS_SECONDS, access_token: token } };
    },
    admits(authorization = '') {
      const token = authorization.replace(/^Bearer /, '');
      return (until.get(token) ?? 0) > now();
    },
    forget: () => until.clear(),
  };
}

export const DENIED = refuse(401, 'access_denied', 'The resource owner or authorization server denied the request.');

function refuse(status: number, error: string, message: string): Answer {
  return { status, body: { error, error_description: message, message, hint: 'Check the application of the API' } };
}
