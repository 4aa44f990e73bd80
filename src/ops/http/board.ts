/** Bull Board at /ops/queues, for operators alone: browsers ask for name and key. */
import { faultOf } from '../../kernel/http/faults';
import { serveJobBoard, type Page } from '../../kernel/job-board/job-board';
import { ensure } from '../../kernel/fault';
import { otherOrigin } from '../../kernel/page-faults';
import { mayOnlyLook } from '../model/faults';
import { noteDeed } from '../commands/note-deed';
import { boardDeed } from '../model/board-deed';
import { byKey, type Access } from './access';
import { failure, problem } from './dialect';

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Partyline operators", charset="UTF-8"' };

export function jobBoard(access: Access): Page {
  const { kernel } = access;
  return serveJobBoard(kernel, {
    path: '/ops/queues',
    async admit(request) {
      const operator = await byKey(access, request);
      const isReading = request.method === 'GET' || request.method === 'HEAD';
      ensure(isReading || operator.access === 'full', mayOnlyLook(operator.name));
      const site = request.header('sec-fetch-site');
      const origin = request.header('origin');
      const isOwn = origin === '' || origin.endsWith(`//${request.header('host')}`);
      ensure(isReading || (isOwn && ['', 'none', 'same-origin'].includes(site)), otherOrigin());
      return { name: operator.name, mayChange: operator.access === 'full' };
    },
    changed: (visitor, { method, path }) =>
      noteDeed(kernel, { operator: visitor.name, door: 'board', ...boardDeed(method, path) }),
    failure(error) {
      const fault = faultOf(error);
      if (fault.kind === 'internal') kernel.log.error({ error }, 'request failed');
      const reply = failure(fault);
      return { ...reply, headers: reply.status === 401 ? CHALLENGE : fault.headers };
    },
    refused: (status, detail, error) => ({ status, body: { ...problem(status, detail), error } }),
  });
}
