/** Bull Board at /ops/queues, for operators alone: browsers ask for name and key. */
import { faultOf } from '../../kernel/http/faults';
import { statusOf } from '../../kernel/http/dialect';
import { serveJobBoard, type Page } from '../../kernel/http/job-board';
import type { Kernel } from '../../kernel/kernel';
import { noteDeed } from '../commands/note-deed';
import { admitOperator } from './access';

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Partyline operators", charset="UTF-8"' };

export const jobBoard = (kernel: Kernel): Page =>
  serveJobBoard(kernel, {
    path: '/ops/queues',
    async admit(knock) {
      try {
        const operator = await admitOperator(kernel, knock);
        return { name: operator.name, mayChange: operator.access === 'full' };
      } catch (error) {
        const fault = faultOf(error);
        const status = statusOf(fault);
        if (fault.kind === 'internal') kernel.log.error({ error }, 'request failed');
        return { status, detail: fault.message, headers: status === 401 ? CHALLENGE : fault.headers };
      }
    },
    changed: (visitor, what) =>
      noteDeed(kernel, { operator: visitor.name, door: 'board', action: 'board', target: what, count: null }),
  });
