/** Limits how many requests wait for their orders, so that a PBX that hangs leaves room for the orders of others. */
import { Fault } from '../../kernel/fault';
import { Gate } from '../../kernel/admission/gate';

const MAX_WAITING = 500;
const MAX_WAITING_FOR_ONE_PBX = 100;

export const openOrdersUnderWay = (): Gate =>
  new Gate({
    atOnce: MAX_WAITING,
    callerAtOnce: MAX_WAITING_FOR_ONE_PBX,
    waiting: 0,
    refusal: () => new Fault('unavailable', 'Too many orders are waiting', { headers: { 'Retry-After': '2' } }),
    refusedAtOnce: Infinity,
  });
