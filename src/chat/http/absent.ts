/** Zulip endpoints that this server does not implement. They answer with an explicit refusal instead of a 404. */
import { routesFor } from '../../kernel/http/route';
import { DONE } from '../model/answers/envelope';
import { noReports, noVideoCalls } from '../model/organisation/organisation-faults';
import type { User } from '../model/users/user';

const { get, post } = routesFor<User>();

const report = (kind: string, about: string) =>
  post(`/report/${kind}`, {
    summary: `Report ${about}; always refused, because this server collects no reports`,
    answer: DONE,
    refuses: [noReports()],
    run: () => Promise.reject(noReports()),
  });

export const absentRoutes = [
  get('/calls/create', {
    summary: 'Start a video call; always refused, because this server has no Zoom account',
    answer: DONE,
    refuses: [noVideoCalls()],
    run: () => Promise.reject(noVideoCalls()),
  }),
  report('error', 'a browser error'),
  report('send_times', 'how long a message took'),
  report('narrow_times', 'how long a narrow took'),
  report('unnarrow_times', 'how long leaving a narrow took'),
];
