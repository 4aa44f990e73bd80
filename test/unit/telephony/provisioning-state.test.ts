import { standingOf } from '../../../src/telephony/model/extensions/provisioning-state';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const order = (state: 'pending' | 'running' | 'undoing' | 'succeeded' | 'failed', minute: number) => ({
  state,
  detail: state === 'failed' || state === 'undoing' ? 'The PBX answered 500' : null,
  finishedAt: state === 'pending' || state === 'running' ? null : at(minute),
});
const NO_DRIFT = { missing: [], changed: [], unknown: [], leftover: [], repaired: [] };
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
  ['the PBX lost', order('succeeded', 1), comparison(2, { missing: [7] }), 'drifted'],
  ['the PBX changed', order('succeeded', 1), comparison(2, { changed: [7] }), 'drifted'],
  ['was repaired', order('succeeded', 1), comparison(2, { missing: [7], repaired: [7] }), 'ready'],
  ['differed before the last order', order('succeeded', 3), comparison(2, { missing: [7] }), 'ready'],
  ['was found alike after a failure', order('failed', 1), comparison(2), 'ready'],
])('The state of an extension follows from its last order and the last comparison: %s', (_, last, compared, state) => {
  const standing = standingOf(7, last, compared);
  expect(standing.state).toBe(state);
  expect(standing.detail).toBe(state === 'failed' ? 'The PBX answered 500' : '');
});
