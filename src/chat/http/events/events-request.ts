/** What polls and streams that are served before Koa have in common: they are requests for `GET /api/v1/events`. */
import type { ObservedRequest } from '../../../kernel/http/access-log';
import { SECURITY_HEADERS } from '../../../kernel/http/security-headers';
import type { WireFormat } from '../../../kernel/http/wire-format';
import type { User } from '../../model/users/user';

const [PREFIX, ROUTE] = ['/api/v1', '/events'];
const PATH = `${PREFIX}${ROUTE}`;
export const EVENTS_START = `${PATH}?`;

/** The headers of every answer, as the application sets them. */
export const usualHeaders = ({ headers }: WireFormat<User>): Record<string, string> => ({
  ...SECURITY_HEADERS,
  ...headers,
});

/** Thousands wait at a time, so an instance holds nothing that they share. */
export abstract class EventsRequest implements ObservedRequest {
  readonly began = performance.now();
  abstract readonly requestId: string;

  get method(): string {
    return 'GET';
  }

  get product(): string {
    return PREFIX;
  }

  get route(): string {
    return ROUTE;
  }

  get shownPath(): string {
    return PATH;
  }

  get isFrequent(): boolean {
    return true;
  }
}
