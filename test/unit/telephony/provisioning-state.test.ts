import type { OperationState } from '../../../src/telephony/model/extensions/operation';
import { standingOf } from '../../../src/telephony/model/extensions/provisioning-state';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const order = (state: OperationState, minute: number) => ({
  kind: 'update' as const,
  state,
  detail: ['failed', 'undoing', 'stuck'].includes(state) ? 'The PBX answered 500' : null,
  finishedAt: state === 'pending' || state === 'running' ? null : at(minute),
});
const NO_DRIFT = { missing: [], changed: [], unknown: [], leftover: [], repaired: [], skipped: [] };
const comparison = (minute: number, report: object = {}) => ({
  at: at(minute),
  report: { ...NO_DRIFT, alike: 0, isComplete: true, detail: '', ...report },
});

test.each([
  ['nothing is known of', undefined, undefined, 'ready'],
  ['the last order waits', order('pending', 1), comparison(2, { missing: [7] }), 'waiting'],
  ['the last order is under way', order('running', 1), undefined, 'waiting'],
  ['the last order was done', order('succeeded', 1), undefined, 'ready'],
  ['the last order failed', order('failed', 1), undefined, 'failed'],
  ['the last order failed and is being undone', order('undoing', 1), undefined, 'failed'],
  ['the last order is being undone, which comparisons skip', order('undoing', 1), comparison(2), 'failed'],
  ['the undo of the last order was given up', order('stuck', 1), comparison(2), 'stuck'],
  ['the PBX lost', order('succeeded', 1), comparison(2, { missing: [7] }), 'drifted'],
  ['the PBX changed', order('succeeded', 1), comparison(2, { changed: [7] }), 'drifted'],
  ['was repaired', order('succeeded', 1), comparison(2, { missing: [7], repaired: [7] }), 'ready'],
  ['differed before the last order', order('succeeded', 3), comparison(2, { missing: [7] }), 'ready'],
  ['was found alike after a failure', order('failed', 1), comparison(2), 'ready'],
])('The state of an extension follows from its last order and the last comparison: %s', (_, last, compared, state) => {
  const standing = standingOf(7, last, compared);
  expect(standing.state).toBe(state);
  expect(standing.order).toBe(state === 'failed' || state === 'stuck' ? 'update' : null);
  expect(standing.detail).toBe(state === 'failed' || state === 'stuck' ? 'The PBX answered 500' : '');
});

test('The state of an extension that differs and was not repaired says why', () => {
  const report = { changed: [7], skipped: [{ number: 7, reason: 'it would delete messages' }] };
  expect(standingOf(7, order('succeeded', 1), comparison(2, report))).toEqual({
    number: 7,
    state: 'drifted',
    detail: 'it would delete messages',
    order: null,
  });
});
