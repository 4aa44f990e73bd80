import { integrations } from '../../../src/chat/integrations';
import { chosen, placeOf, readPayload, dedupeKeyOf, type Posted } from '../../../src/chat/integrations/read-delivery';

const named = (name: string) => integrations.get(name)!;
const posted = (body: unknown, more: Partial<Posted> & { headers?: Record<string, string> } = {}): Posted => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  query: {},
  header: (name) => more.headers?.[name] ?? '',
  ...more,
});

describe('Payloads of integrations', () => {
  test('A JSON body is read for every integration, also for those that send forms', () => {
    expect(readPayload(named('jira'), posted('{"a": 1}'))).toEqual({ a: 1 });
    expect(readPayload(named('travis'), posted('{"a": 1}'))).toEqual({ a: 1 });
  });

  test('A form, and JSON in its field payload, are read where the service sends forms', () => {
    expect(readPayload(named('travis'), posted(`payload=${encodeURIComponent('{"a": "b&c"}')}`))).toEqual({ a: 'b&c' });
    expect(readPayload(named('uptimerobot'), posted('monitorID=5&alertDetails=a+b'))).toEqual({
      monitorID: '5',
      alertDetails: 'a b',
    });
    expect(() => readPayload(named('travis'), posted('payload=nonsense'))).toThrow('Malformed JSON');
    expect(() => readPayload(named('jira'), posted('payload=%7B%7D'))).toThrow('Malformed JSON');
  });

  test('The query of the URL is read where the service writes everything there, but never the API key', () => {
    const query = { api_key: 'secret', stream: 'test', topic: 'x', monitorID: '5' };
    expect(readPayload(named('uptimerobot'), posted('', { query }))).toEqual({ monitorID: '5' });
    expect(readPayload(named('uptimerobot'), posted('api_key=secret&monitorID=5'))).toEqual({ monitorID: '5' });
    expect(() => readPayload(named('jira'), posted('', { query }))).toThrow('Malformed JSON');
  });

  test('An option in the query of the URL is read if it is short text', () => {
    expect(chosen(['name', 'desc'], { name: 'topic', desc: 'summary', other: 'x' })).toBe('name=topic&desc=summary');
    expect(chosen(['name', 'desc'], { name: 'x'.repeat(61), desc: ['a', 'b'] })).toBe('');
    expect(chosen(['name', 'desc'], {})).toBe('');
  });

  test('A payload that nests deeper than 64 levels is refused', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => readPayload(named('json'), posted(nested(64)))).not.toThrow();
    expect(() => readPayload(named('json'), posted(nested(65)))).toThrow('nested more than 64 levels');
    const form = `payload=${encodeURIComponent(nested(100_000))}`;
    expect(() => readPayload(named('travis'), posted(form))).toThrow('nested more than 64 levels');
  });

  test('Stream and topic are decoded a second time for Jira alone, and a literal percent sign stays', () => {
    const place = { stream: 'jira%20alerts', topic: '100%' };
    expect(placeOf(named('jira'), posted('{}', place))).toEqual({ stream: 'jira alerts', topic: '100%' });
    expect(placeOf(named('github'), posted('{}', place))).toEqual(place);
    const long = posted('{}', { topic: 'x'.repeat(500) });
    expect(placeOf(named('github'), long)).toEqual({ stream: undefined, topic: `${'x'.repeat(57)}...` });
  });
});

describe('Dedupe keys of deliveries', () => {
  const minute = 60_000;
  const dedupeKey = (name: string, post: Posted, now = 0) =>
    dedupeKeyOf(named(name), post, readPayload(named(name), post), now).key;

  /** Headers and bodies that identify one delivery, and another of the same service. */
  const services: Record<string, [Posted, Posted]> = {
    github: [
      posted({}, { headers: { 'X-GitHub-Delivery': '1' } }),
      posted({}, { headers: { 'X-GitHub-Delivery': '2' } }),
    ],
    gitlab: [posted({}, { headers: { 'Idempotency-Key': '1' } }), posted({}, { headers: { 'Idempotency-Key': '2' } })],
    jira: [
      posted({}, { headers: { 'X-Atlassian-Webhook-Identifier': '1' } }),
      posted({}, { headers: { 'X-Atlassian-Webhook-Identifier': '2' } }),
    ],
    sentry: [posted({}, { headers: { 'Request-ID': '1' } }), posted({}, { headers: { 'Request-ID': '2' } })],
    bitbucket2: [
      posted({}, { headers: { 'X-Request-UUID': '1' } }),
      posted({}, { headers: { 'X-Request-UUID': '2' } }),
    ],
    pagerduty: [posted({ event: { id: '1' } }), posted({ messages: [{ id: '2' }] })],
    circleci: [posted({ id: '1' }), posted({ id: '2' })],
    stripe: [posted({ id: 'evt_1' }), posted({ id: 'evt_2' })],
    statuspage: [
      posted({ component_update: { id: '1' } }),
      posted({ incident: { incident_updates: [{ id: '1', updated_at: '2' }] } }),
    ],
    opsgenie: [
      posted({ action: 'Create', alert: { alertId: '1', updatedAt: 1 } }),
      posted({ action: 'Close', alert: { alertId: '1', updatedAt: 1 } }),
    ],
    newrelic: [
      posted({ incident_id: 1, current_state: 'open', timestamp: 1 }),
      posted({ id: '1', state: 'CLOSED', updatedAt: 1 }),
    ],
    uptimerobot: [
      posted('monitorID=1&alertType=1&alertDateTime=5'),
      posted('', { query: { monitorID: '1', alertType: '2', alertDateTime: '5' } }),
    ],
  };

  test.each(Object.keys(services))(
    'Deliveries of %s carry their own id, and a repeat at any time has the same dedupe key',
    (name) => {
      const [one, two] = services[name]!;
      expect(dedupeKey(name, one, 60 * minute)).toBe(dedupeKey(name, one));
      expect(dedupeKey(name, two)).not.toBe(dedupeKey(name, one));
      expect(dedupeKey(name, { ...one, stream: 'elsewhere' })).not.toBe(dedupeKey(name, one));
    },
  );

  test.each(Object.keys(services))('Deliveries of %s with different branches= in their URL are two', (name) => {
    const [one] = services[name]!;
    const wanting = (branches: string) => dedupeKey(name, { ...one, query: { ...one.query, branches } });
    expect(wanting('main')).toBe(wanting('main'));
    expect(wanting('main')).not.toBe(wanting('next'));
    expect(wanting('main')).not.toBe(dedupeKey(name, one));
  });

  test('Deliveries of Alertmanager with different labels in their URL are two, and unknown options do not count', () => {
    const of = (query: Record<string, string>) => dedupeKey('alertmanager', posted({ a: 1 }, { query }));
    expect(of({ name: 'job', desc: 'summary' })).not.toBe(of({ name: 'instance', desc: 'summary' }));
    expect(of({ name: 'job', sent: '1' })).toBe(of({ name: 'job', sent: '2' }));
    expect(of({ name: 'job', branches: 'x' })).not.toBe(of({ name: 'job', branches: 'y' }));
  });

  test('Deliveries of GitLab with one event id are told apart by their bodies', () => {
    const headers = { 'X-Gitlab-Event-UUID': '1' };
    const [one, two] = [posted({ a: 1 }, { headers }), posted({ a: 2 }, { headers })];
    expect(dedupeKey('gitlab', one, 60 * minute)).toBe(dedupeKey('gitlab', one));
    expect(dedupeKey('gitlab', two)).not.toBe(dedupeKey('gitlab', one));
  });

  test('Deliveries without an id and with the same body within a minute have one dedupe key', () => {
    expect(dedupeKey('grafana', posted({ a: 1 }), minute - 1)).toBe(dedupeKey('grafana', posted({ a: 1 })));
    expect(dedupeKey('grafana', posted({ a: 1 }), minute)).not.toBe(dedupeKey('grafana', posted({ a: 1 })));
    expect(dedupeKey('grafana', posted({ a: 2 }))).not.toBe(dedupeKey('grafana', posted({ a: 1 })));
  });

  test('A repeat across the end of a minute is recognised by the earlier dedupe key', () => {
    const at = (now: number) => dedupeKeyOf(named('grafana'), posted({ a: 1 }), { a: 1 }, now);
    expect(at(minute + 1).earlier).toBe(at(minute - 1).key);
    expect(at(minute + 30_000).earlier).toBeUndefined();
  });

  test('Long delivery ids fit their column and stay different', () => {
    const long = (end: string) => posted({ id: 'x'.repeat(500) + end });
    expect(dedupeKey('stripe', long('a')).length).toBeLessThanOrEqual(190);
    expect(dedupeKey('stripe', long('a'))).not.toBe(dedupeKey('stripe', long('b')));
  });
});
